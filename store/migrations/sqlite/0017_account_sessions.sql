-- Sessions know whose they are, so that a member can look through them and all
-- of them can be ended at once. The number says nothing of the token.
CREATE TABLE account_sessions (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	token      TEXT    NOT NULL UNIQUE, -- hash of the cookie's value
	user_id    INTEGER REFERENCES users (id), -- null for a guest
	device     TEXT    NOT NULL DEFAULT '', -- "Firefox on Windows"
	data       BLOB    NOT NULL,
	created_at INTEGER NOT NULL,
	seen_at    INTEGER NOT NULL,
	expires_at INTEGER NOT NULL,
	dead       INTEGER NOT NULL DEFAULT 0 CHECK (dead IN (0, 1))
) STRICT;

-- When a session of before began is not known, but when it was last put off
-- for seven days. Whose it is, it tells itself when it is used next.
INSERT INTO account_sessions (token, data, created_at, seen_at, expires_at, dead)
SELECT token, data, expires_at - 604800000, expires_at - 604800000, expires_at, dead FROM sessions;

DROP TABLE sessions;
ALTER TABLE account_sessions RENAME TO sessions;

CREATE INDEX sessions_expires ON sessions (expires_at);
CREATE INDEX sessions_user    ON sessions (user_id) WHERE user_id IS NOT NULL;
