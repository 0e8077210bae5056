-- What is out of order now: one row for each kind of fault.
CREATE TABLE alarms (
	kind    TEXT    PRIMARY KEY,
	since   INTEGER NOT NULL,
	seen_at INTEGER NOT NULL, -- the last time it was found so
	reason  TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
