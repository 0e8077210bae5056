package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"
)

// JobCount says how many jobs of a kind are in a state.
type JobCount struct {
	Kind  string
	State string
	Count int64
}

// JobStates are all states, in the order of a job's life.
func JobStates() []string { return []string{Available, Scheduled, Running, Done, Dead} }

// IsJobState reports whether a job can be in a state of that name.
func IsJobState(name string) bool { return slices.Contains(JobStates(), name) }

// JobCounts counts the jobs by kind and state. It asks for each state apart,
// because each has an index of its own, which is all that is read.
func (s *Store) JobCounts(ctx context.Context) ([]JobCount, error) {
	rows, err := s.readers.QueryContext(ctx, jobCountsSQL)
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var counts []JobCount
	for rows.Next() {
		var c JobCount
		if err := rows.Scan(&c.Kind, &c.State, &c.Count); err != nil {
			return nil, fmt.Errorf("count jobs: %w", err)
		}
		counts = append(counts, c)
	}
	return counts, rows.Err()
}

const jobCountsSQL = `SELECT kind, 'available' AS state, COUNT(*) FROM jobs WHERE state = 'available' GROUP BY kind
	UNION ALL SELECT kind, 'scheduled', COUNT(*) FROM jobs WHERE state = 'scheduled' GROUP BY kind
	UNION ALL SELECT kind, 'running', COUNT(*) FROM jobs WHERE state = 'running' GROUP BY kind
	UNION ALL SELECT kind, 'done', COUNT(*) FROM jobs WHERE state = 'done' GROUP BY kind
	UNION ALL SELECT kind, 'dead', COUNT(*) FROM jobs WHERE state = 'dead' GROUP BY kind
	ORDER BY kind, state`

// lookAhead is how many of the jobs that wait are looked at for the one that is
// due for longest. They are taken by their ids, so it is among the first, but
// for the few that were put behind it by a retry.
const lookAhead = 100

// OldestDue is since when the oldest job of a kind has been due that no worker
// has taken, the zero time when none is.
func (s *Store) OldestDue(ctx context.Context, kind string) (time.Time, error) {
	var at sql.NullInt64
	err := s.readers.QueryRowContext(ctx, `SELECT MIN(run_at) FROM (
		SELECT run_at FROM (SELECT run_at FROM jobs WHERE kind = $1 AND state = 'available' ORDER BY id LIMIT $2) AS ready
		UNION ALL SELECT MIN(run_at) FROM jobs WHERE kind = $1 AND state = 'scheduled' AND run_at <= $3) AS due`,
		kind, lookAhead, millis(s.now())).Scan(&at)
	if err != nil {
		return time.Time{}, fmt.Errorf("oldest due %s: %w", kind, err)
	}
	return fromNullMillis(at), nil
}

// LostLeases counts, by kind, the attempts since a time whose worker was not
// heard of until its lease ended.
func (s *Store) LostLeases(ctx context.Context, since time.Time) (lost map[string]int64, err error) {
	rows, err := s.readers.QueryContext(ctx,
		`SELECT kind, COUNT(*) FROM job_attempts WHERE outcome = 'lost' AND ended_at >= $1 GROUP BY kind`, millis(since))
	if err != nil {
		return nil, fmt.Errorf("lost leases: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	lost = map[string]int64{}
	for rows.Next() {
		var kind string
		var n int64
		if err := rows.Scan(&kind, &n); err != nil {
			return nil, fmt.Errorf("lost leases: %w", err)
		}
		lost[kind] = n
	}
	return lost, rows.Err()
}
