-- dead rows are tombstones: a request that was under way while its session
-- ended cannot bring it back to life.
CREATE TABLE sessions (
	token      TEXT COLLATE "C" PRIMARY KEY, -- hash of the cookie's value
	data       BYTEA            NOT NULL,
	expires_at BIGINT           NOT NULL,
	dead       BIGINT           NOT NULL DEFAULT 0 CHECK (dead IN (0, 1))
);

CREATE INDEX sessions_expires ON sessions (expires_at);
