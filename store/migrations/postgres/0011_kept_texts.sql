-- Texts whose submission met an expired session, kept for an hour.
CREATE TABLE kept_texts (
	owner      BYTEA            PRIMARY KEY, -- hash of a random string that the session holds
	path       TEXT COLLATE "C" NOT NULL,
	title      TEXT COLLATE "C" NOT NULL,
	body       TEXT COLLATE "C" NOT NULL,
	form_id    TEXT COLLATE "C" NOT NULL,
	parent     BIGINT           NOT NULL,
	expires_at BIGINT           NOT NULL
);

CREATE INDEX kept_texts_expires ON kept_texts (expires_at);
