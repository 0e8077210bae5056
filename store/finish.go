package store

import (
	"context"
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
	return s.endJob(ctx, j, "finish", func(ctx context.Context, t *tx) error {
		return effectsOf(j.Kind).done(ctx, s, t, j)
	}, `UPDATE jobs SET state = 'done', lease = NULL, lease_until = NULL, last_error = '', finished_at = $3`+held,
		millis(s.now()))
}

// SkipJob records that a job had nothing left to do, for what reason; nothing
// follows from it. It returns ErrLeaseLost as FinishJob does.
func (s *Store) SkipJob(ctx context.Context, j Job, reason string) error {
	return s.endJob(ctx, j, "skip", nothing,
		`UPDATE jobs SET state = 'done', lease = NULL, lease_until = NULL, finished_at = $3, last_error = $4`+held,
		millis(s.now()), cut(reason))
}

// KillJob gives a job up and keeps it for the operator. It returns
// ErrLeaseLost as FinishJob does.
func (s *Store) KillJob(ctx context.Context, j Job, reason string) error {
	return s.endJob(ctx, j, "kill", func(ctx context.Context, t *tx) error {
		return effectsOf(j.Kind).dead(ctx, s, t, j)
	}, `UPDATE jobs SET state = 'dead', lease = NULL, lease_until = NULL, finished_at = $3, last_error = $4`+held,
		millis(s.now()), cut(reason))
}

// RetryJob schedules another attempt. It returns ErrLeaseLost as FinishJob does.
func (s *Store) RetryJob(ctx context.Context, j Job, at time.Time, reason string) error {
	return s.endJob(ctx, j, "retry", ring(j.Kind),
		`UPDATE jobs SET state = 'scheduled', lease = NULL, lease_until = NULL, run_at = $3, last_error = $4`+held,
		millis(at), cut(reason))
}

// ReleaseJob gives a job back as if it had not been claimed. It returns
// ErrLeaseLost as FinishJob does.
func (s *Store) ReleaseJob(ctx context.Context, j Job) error {
	return s.endJob(ctx, j, "release", ring(j.Kind),
		`UPDATE jobs SET state = 'available', lease = NULL, lease_until = NULL, attempt = attempt - 1`+held)
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

// endJob moves a held job on and runs what follows from it.
func (s *Store) endJob(ctx context.Context, j Job, verb string, follow func(context.Context, *tx) error,
	update string, args ...any,
) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		n, err := rowsChanged(t.ExecContext(ctx, update, append([]any{j.ID, j.Lease}, args...)...))
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrLeaseLost
		}
		return follow(ctx, t)
	})
	if err != nil {
		return fmt.Errorf("%s job %d: %w", verb, j.ID, err)
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
