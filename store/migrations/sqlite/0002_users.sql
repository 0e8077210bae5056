-- Verified people only; a sign-up waits in signups.
CREATE TABLE users (
	id            INTEGER PRIMARY KEY AUTOINCREMENT,
	email         TEXT    NOT NULL,
	email_key     TEXT    NOT NULL UNIQUE, -- lower case, domain as A-label
	nickname      TEXT    NOT NULL,
	nickname_key  TEXT    NOT NULL UNIQUE, -- compatibility form, case folded
	name          TEXT    NOT NULL,
	password_hash TEXT    NOT NULL,        -- PHC string
	role          TEXT    NOT NULL DEFAULT 'member' CHECK (role IN ('member', 'moderator', 'admin')),
	lang          TEXT    NOT NULL CHECK (lang IN ('ko', 'en')),
	created_at    INTEGER NOT NULL,
	disabled_at   INTEGER
) STRICT;
