-- dead rows are tombstones: a request that was under way while its session
-- ended cannot bring it back to life.
CREATE TABLE sessions (
	token      TEXT    PRIMARY KEY, -- hash of the cookie's value
	data       BLOB    NOT NULL,
	expires_at INTEGER NOT NULL,
	dead       INTEGER NOT NULL DEFAULT 0 CHECK (dead IN (0, 1))
) STRICT;

CREATE INDEX sessions_expires ON sessions (expires_at);
