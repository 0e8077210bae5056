-- People who have not proven their address yet.
CREATE TABLE signups (
	id            INTEGER PRIMARY KEY AUTOINCREMENT,
	email         TEXT    NOT NULL,
	email_key     TEXT    NOT NULL,
	name          TEXT    NOT NULL,
	nickname      TEXT    NOT NULL,
	password_hash TEXT    NOT NULL,
	lang          TEXT    NOT NULL CHECK (lang IN ('ko', 'en')),
	state         TEXT    NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'verified', 'superseded')),
	generation    INTEGER NOT NULL DEFAULT 1,
	job_id        INTEGER NOT NULL DEFAULT 0, -- of the newest mail
	created_at    INTEGER NOT NULL,
	ends_at       INTEGER                     -- null while the mail waits
) STRICT;

CREATE INDEX signups_email ON signups (email_key, id);
CREATE INDEX signups_ends  ON signups (ends_at);

-- One row for each mail of a sign-up; only the newest generation counts.
CREATE TABLE signup_links (
	signup_id      INTEGER NOT NULL REFERENCES signups (id) ON DELETE CASCADE,
	generation     INTEGER NOT NULL,
	email_key      TEXT    NOT NULL,
	nonce          BLOB    NOT NULL,
	sent_at        INTEGER, -- recorded hand-over to the mail server
	code_tries     INTEGER NOT NULL DEFAULT 0,
	password_tries INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (signup_id, generation)
) STRICT, WITHOUT ROWID;
