-- A member who left: the row stays for what they wrote, emptied.
ALTER TABLE users ADD COLUMN deleted_at INTEGER;

-- Addresses that members want to change to, until they are proven.
CREATE TABLE email_changes (
	id          INTEGER PRIMARY KEY AUTOINCREMENT,
	user_id     INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
	email       TEXT    NOT NULL,
	email_key   TEXT    NOT NULL, -- canonical address
	old_email   TEXT    NOT NULL, -- the one before, which is told of it
	old_key     TEXT    NOT NULL,
	credentials INTEGER NOT NULL, -- of the member at that time
	nonce       BLOB    NOT NULL,
	state       TEXT    NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'proven', 'replaced')),
	created_at  INTEGER NOT NULL,
	sent_at     INTEGER           -- recorded hand-over to the mail server
) STRICT;

CREATE INDEX email_changes_user    ON email_changes (user_id, id);
CREATE INDEX email_changes_created ON email_changes (created_at);
