-- Texts whose submission met an expired session, kept for an hour.
CREATE TABLE kept_texts (
	owner      BLOB    PRIMARY KEY, -- hash of a random string that the session holds
	path       TEXT    NOT NULL,
	title      TEXT    NOT NULL,
	body       TEXT    NOT NULL,
	form_id    TEXT    NOT NULL,
	parent     INTEGER NOT NULL,
	expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX kept_texts_expires ON kept_texts (expires_at);
