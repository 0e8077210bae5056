-- One row for each thing done under a limit in time.
CREATE TABLE turns (
	id     INTEGER PRIMARY KEY AUTOINCREMENT,
	bucket TEXT    NOT NULL,
	who    BLOB    NOT NULL, -- keyed hash of an address or a client
	at     INTEGER NOT NULL
) STRICT;

CREATE INDEX turns_who ON turns (bucket, who, at);
CREATE INDEX turns_at  ON turns (at);
