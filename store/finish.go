package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// held ends the UPDATE of a job that its worker still holds.
const held = ` WHERE id = $1 AND lease = $2 AND state = 'running'`

// ExtendLeases keeps jobs with their workers. A job that was lost meanwhile is
// passed over; its worker learns of it when it finishes.
func (s *Store) ExtendLeases(ctx context.Context, jobs []Job, lease time.Duration) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		until := millis(s.now().Add(lease))
		for _, j := range jobs {
			if _, err := t.ExecContext(ctx, `UPDATE jobs SET lease_until = $3`+held, j.ID, j.Lease, until); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("extend leases: %w", err)
	}
	return nil
}

// FinishJob records success and what follows from it for the job's kind, in
// one transaction. It returns ErrLeaseLost when the job is no longer the
// caller's; then nothing was written.
func (s *Store) FinishJob(ctx context.Context, j Job) error {
	return s.endJob(ctx, j, ending{
		outcome: OutcomeDone,
		set:     `state = 'done', lease = NULL, lease_until = NULL, last_error = '', finished_at = $3`,
		args:    []any{millis(s.now())},
		follow: func(ctx context.Context, t *tx) error {
			return effectsOf(j.Kind).done(ctx, s, t, j)
		},
	})
}

// SkipJob records that a job had nothing left to do, for what reason; nothing
// follows from it. It returns ErrLeaseLost as FinishJob does.
func (s *Store) SkipJob(ctx context.Context, j Job, reason string) error {
	return s.endJob(ctx, j, ending{
		outcome: OutcomeObsolete, words: cut(reason),
		set:    `state = 'done', lease = NULL, lease_until = NULL, finished_at = $3, last_error = $4`,
		args:   []any{millis(s.now()), cut(reason)},
		follow: nothing,
	})
}

// KillJob gives a job up and keeps it for the operator. It returns
// ErrLeaseLost as FinishJob does.
func (s *Store) KillJob(ctx context.Context, j Job, reason string) error {
	return s.endJob(ctx, j, ending{
		outcome: OutcomeDead, words: cut(reason),
		set:  `state = 'dead', lease = NULL, lease_until = NULL, finished_at = $3, last_error = $4`,
		args: []any{millis(s.now()), cut(reason)},
		follow: func(ctx context.Context, t *tx) error {
			return effectsOf(j.Kind).dead(ctx, s, t, j)
		},
	})
}

// RetryJob schedules another attempt. It returns ErrLeaseLost as FinishJob does.
func (s *Store) RetryJob(ctx context.Context, j Job, at time.Time, reason string) error {
	return s.endJob(ctx, j, ending{
		outcome: OutcomeRetry, words: cut(reason),
		set:    `state = 'scheduled', lease = NULL, lease_until = NULL, run_at = $3, last_error = $4`,
		args:   []any{millis(at), cut(reason)},
		follow: ring(j.Kind),
	})
}

// ReleaseJob gives a job back as if it had not been claimed. It returns
// ErrLeaseLost as FinishJob does.
func (s *Store) ReleaseJob(ctx context.Context, j Job) error {
	return s.endJob(ctx, j, ending{
		outcome: OutcomeReleased,
		set:     `state = 'available', lease = NULL, lease_until = NULL, attempt = attempt - 1`,
		follow:  ring(j.Kind),
	})
}

// nothing follows from the end of a job.
func nothing(context.Context, *tx) error { return nil }

// ring wakes the pools of a kind, for a job that somebody may take again.
func ring(kind string) func(context.Context, *tx) error {
	return func(_ context.Context, t *tx) error {
		t.ring(kind)
		return nil
	}
}

// ending is how an attempt of a held job ends.
type ending struct {
	outcome Outcome
	words   string
	set     string // the columns of the job, from $3 on
	args    []any
	follow  func(context.Context, *tx) error
}

// endJob moves a held job on, keeps what became of its attempt, and runs what
// follows from it.
func (s *Store) endJob(ctx context.Context, j Job, e ending) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		a := Attempt{JobID: j.ID, Kind: j.Kind, Outcome: e.outcome, Words: e.words}
		var began sql.NullInt64
		err := t.QueryRowContext(ctx, `UPDATE jobs SET `+e.set+held+` RETURNING attempt, started_at`,
			append([]any{j.ID, j.Lease}, e.args...)...).Scan(&a.Number, &began)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrLeaseLost
		}
		if err != nil {
			return err
		}
		a.BeganAt = fromNullMillis(began)
		if err := s.keepAttempt(ctx, t, a); err != nil {
			return err
		}
		return e.follow(ctx, t)
	})
	if err != nil {
		return fmt.Errorf("end job %d as %s: %w", j.ID, e.outcome, err)
	}
	return nil
}

// reasonMax bounds the words of an error that are kept with a job, in bytes.
const reasonMax = 1000

// cut makes the words of a foreign server fit for the table.
func cut(reason string) string {
	reason = strings.ToValidUTF8(strings.ReplaceAll(reason, "\x00", ""), "?")
	if len(reason) > reasonMax {
		reason = strings.ToValidUTF8(reason[:reasonMax], "")
	}
	return reason
}
