-- One row for each run of a scheduled task: a slot runs once, whoever asks.
CREATE TABLE slots (
	task        TEXT COLLATE "C" NOT NULL,
	slot        TEXT COLLATE "C" NOT NULL,
	started_at  BIGINT           NOT NULL,
	finished_at BIGINT,
	result      TEXT COLLATE "C" NOT NULL DEFAULT '',
	PRIMARY KEY (task, slot)
);
