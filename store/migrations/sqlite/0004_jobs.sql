-- The outbox: everything that happens after the answer.
CREATE TABLE jobs (
	id          INTEGER PRIMARY KEY AUTOINCREMENT,
	kind        TEXT    NOT NULL,
	state       TEXT    NOT NULL CHECK (state IN ('available', 'scheduled', 'running', 'done', 'dead')),
	payload     BLOB    NOT NULL,
	attempt     INTEGER NOT NULL DEFAULT 0,
	run_at      INTEGER NOT NULL,
	lease       TEXT,
	lease_until INTEGER,
	last_error  TEXT    NOT NULL DEFAULT '',
	created_at  INTEGER NOT NULL,
	finished_at INTEGER,
	CHECK ((state = 'running') = (lease IS NOT NULL)),
	CHECK ((state = 'running') = (lease_until IS NOT NULL)),
	CHECK ((state IN ('done', 'dead')) = (finished_at IS NOT NULL))
) STRICT;

-- One small index a state, so that no claim walks the retry backlog or the log.
CREATE INDEX jobs_available ON jobs (kind, id)          WHERE state = 'available';
CREATE INDEX jobs_scheduled ON jobs (kind, run_at)      WHERE state = 'scheduled';
CREATE INDEX jobs_running   ON jobs (lease_until)       WHERE state = 'running';
CREATE INDEX jobs_done      ON jobs (finished_at)       WHERE state = 'done';
CREATE INDEX jobs_dead      ON jobs (kind, finished_at) WHERE state = 'dead';
