-- What the operator is told of a job: when its attempt began, how many attempts
-- no longer count because an administrator set it to work again, and what
-- became of each attempt.
ALTER TABLE jobs ADD COLUMN started_at INTEGER;
ALTER TABLE jobs ADD COLUMN forgiven   INTEGER NOT NULL DEFAULT 0;

-- No foreign key: a job that was lost and done later goes, its loss stays.
CREATE TABLE job_attempts (
	job_id   INTEGER NOT NULL,
	attempt  INTEGER NOT NULL,
	kind     TEXT    NOT NULL,
	began_at INTEGER NOT NULL,
	ended_at INTEGER NOT NULL,
	outcome  TEXT    NOT NULL CHECK (outcome IN ('done', 'obsolete', 'retry', 'dead', 'released', 'lost')),
	words    TEXT    NOT NULL DEFAULT '',
	PRIMARY KEY (job_id, attempt)
) STRICT;

CREATE INDEX job_attempts_ended ON job_attempts (ended_at);
CREATE INDEX job_attempts_lost  ON job_attempts (kind, ended_at) WHERE outcome = 'lost';

-- The list shows jobs by their id in every state. The two states that all jobs
-- pass through have what that needs.
CREATE INDEX jobs_scheduled_id ON jobs (kind, id) WHERE state = 'scheduled';
CREATE INDEX jobs_done_id      ON jobs (kind, id) WHERE state = 'done';
CREATE INDEX jobs_dead_id      ON jobs (kind, id) WHERE state = 'dead';
