-- Sessions and links carry the number they were made under: a change of
-- password makes it one more, and them worthless.
ALTER TABLE users ADD COLUMN credentials INTEGER NOT NULL DEFAULT 0;

-- The form that a sign-up came by, so that a form sent twice is one sign-up.
ALTER TABLE signups ADD COLUMN form_id TEXT NOT NULL DEFAULT '';

-- One row for each time that somebody asked for a new password, whether the
-- address has a member or not.
CREATE TABLE resets (
	id          INTEGER PRIMARY KEY AUTOINCREMENT,
	email_key   TEXT    NOT NULL,
	user_id     INTEGER REFERENCES users (id) ON DELETE CASCADE, -- null: nobody
	credentials INTEGER NOT NULL, -- of the member at that time
	nonce       BLOB    NOT NULL,
	created_at  INTEGER NOT NULL,
	ends_at     INTEGER,          -- an hour after the mail; null while it waits
	used_at     INTEGER
) STRICT;

CREATE INDEX resets_user    ON resets (user_id, id);
CREATE INDEX resets_created ON resets (created_at);
