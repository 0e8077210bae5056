-- One row for each run of a scheduled task: a slot runs once, whoever asks.
CREATE TABLE slots (
	task        TEXT    NOT NULL,
	slot        TEXT    NOT NULL,
	started_at  INTEGER NOT NULL,
	finished_at INTEGER,
	result      TEXT    NOT NULL DEFAULT '',
	PRIMARY KEY (task, slot)
) STRICT, WITHOUT ROWID;
