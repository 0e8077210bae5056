package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"
)

// ReapJobs makes available again what workers held beyond their lease and
// returns how many they were. The attempt stays counted, so that a job that
// kills its process ends some day.
func (s *Store) ReapJobs(ctx context.Context) (int64, error) {
	return s.giveBackRunning(ctx, ` AND lease_until < $1`, millis(s.now()))
}

// AdoptJobs takes back at once what a dead predecessor held. It is for the one
// process that serves the database. Where others may hold jobs it takes none:
// there a lease ends by its time alone.
func (s *Store) AdoptJobs(ctx context.Context) (int64, error) {
	if !s.db.alone() {
		return 0, nil
	}
	return s.giveBackRunning(ctx, ``)
}

func (s *Store) giveBackRunning(ctx context.Context, which string, args ...any) (int64, error) {
	var lost []Attempt // of the last run, which is the one that counts
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		rows, err := t.QueryContext(ctx,
			`UPDATE jobs SET state = 'available', lease = NULL, lease_until = NULL
			 WHERE state = 'running'`+which+` RETURNING id, attempt, kind, started_at`, args...) //nolint:gosec // constant text
		if err != nil {
			return err
		}
		lost, err = scanLost(rows)
		for _, a := range lost {
			t.ring(a.Kind)
			err = errors.Join(err, s.keepAttempt(ctx, t, a))
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("take jobs back: %w", err)
	}
	s.watch.lost(lost)
	return int64(len(lost)), nil
}

// scanLost reads the attempts that ended with their lease.
func scanLost(rows *sql.Rows) (lost []Attempt, err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		a := Attempt{Outcome: OutcomeLost}
		var began sql.NullInt64
		if err := rows.Scan(&a.JobID, &a.Number, &a.Kind, &began); err != nil {
			return nil, err
		}
		a.BeganAt = fromNullMillis(began)
		lost = append(lost, a)
	}
	return lost, rows.Err()
}

// unknownGrace is how long a job of an unknown kind waits on a database that
// other processes share: one of them may run a newer version that knows it, as
// while they are upgraded one after the other.
const unknownGrace = time.Hour

// KillUnknown gives up the waiting jobs of kinds that no pool handles, so that
// the operator sees them, and returns how many they were.
func (s *Store) KillUnknown(ctx context.Context, known []string) (killed int64, err error) {
	for _, state := range []string{Available, Scheduled} {
		kinds, err := s.kindsIn(ctx, state)
		if err != nil {
			return killed, fmt.Errorf("kill jobs of unknown kinds: %w", err)
		}
		for _, kind := range kinds {
			if slices.Contains(known, kind) {
				continue
			}
			n, err := s.killKind(ctx, state, kind)
			killed += n
			if err != nil {
				return killed, fmt.Errorf("kill jobs of unknown kinds: %w", err)
			}
		}
	}
	return killed, nil
}

// kindsIn are the kinds of the jobs in a state, which must be one of ours. It
// jumps from kind to kind along the index of the state: a million jobs of one
// kind cost one step.
func (s *Store) kindsIn(ctx context.Context, state string) (kinds []string, err error) {
	query := `SELECT MIN(kind) FROM jobs WHERE state = '` + state + `' AND kind > $1` //nolint:gosec // one of our words
	for last := ""; ; {
		var next sql.NullString
		if err := s.readers.QueryRowContext(ctx, query, last).Scan(&next); err != nil {
			return nil, err
		}
		if !next.Valid {
			return kinds, nil
		}
		last = next.String
		kinds = append(kinds, last)
	}
}

func (s *Store) killKind(ctx context.Context, state, kind string) (n int64, err error) {
	before := s.now()
	if !s.db.alone() {
		before = before.Add(-unknownGrace)
	}
	err = s.write(ctx, func(ctx context.Context, t *tx) error {
		var err error
		n, err = rowsChanged(t.ExecContext(ctx,
			`UPDATE jobs SET state = 'dead', finished_at = $1, last_error = 'unknown kind'
			 WHERE state = $2 AND kind = $3 AND created_at <= $4`,
			millis(s.now()), state, kind, millis(before)))
		return err
	})
	return n, err
}
