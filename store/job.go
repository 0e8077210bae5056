package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// The kinds of jobs. A kind is a string, never a Go type, so that a row
// outlives the code that wrote it.
const (
	KindVerifyMail  = "verify_mail"  // the mail of a sign-up
	KindAccountMail = "account_mail" // "you already have an account", asked for by resend
	KindViews       = "views"        // a batch of packed view events
)

// The states of a job.
const (
	Available = "available"
	Scheduled = "scheduled" // waits for its time
	Running   = "running"   // held by a worker until its lease ends
	Done      = "done"
	Dead      = "dead" // given up, kept for the operator
)

// Job is one claimed row of the outbox.
type Job struct {
	ID      int64
	Kind    string
	Attempt int // counted at the claim, from 1
	Payload []byte
	// CreatedAt is when the job was recorded; its age decides when retries end.
	CreatedAt time.Time
	// Lease fences every later write: a worker that lost it changes nothing.
	Lease string
}

// JobCount says how many jobs of a kind are in a state.
type JobCount struct {
	Kind  string
	State string
	Count int64
}

// enqueue records a job in the caller's transaction, due at a time, and wakes
// its pool after the commit.
func (s *Store) enqueue(ctx context.Context, t *tx, kind string, at time.Time, payload any) (int64, error) {
	raw, err := json.Marshal(payload)
	if err != nil {
		return 0, fmt.Errorf("enqueue %s: %w", kind, err)
	}
	return s.enqueueRaw(ctx, t, kind, at, raw)
}

func (s *Store) enqueueRaw(ctx context.Context, t *tx, kind string, at time.Time, payload []byte) (int64, error) {
	now, state := s.now(), Available
	if at.After(now) {
		state = Scheduled
	}
	var id int64
	err := t.QueryRowContext(ctx,
		`INSERT INTO jobs (kind, state, payload, run_at, created_at) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
		kind, state, payload, millis(at), millis(now)).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("enqueue %s: %w", kind, err)
	}
	t.ring(kind)
	return id, nil
}

// Wake is signalled after each commit that gave a pool of this kind something
// to do. Several commits may be one signal.
func (s *Store) Wake(kind string) <-chan struct{} { return s.wake.of(kind) }

// ClaimJobs hands at most limit due jobs of the given kinds to the caller for
// the length of the lease, oldest first, and counts the attempt.
func (s *Store) ClaimJobs(ctx context.Context, kinds []string, limit int, lease time.Duration) ([]Job, error) {
	var claimed []Job
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		claimed = nil
		for _, kind := range kinds {
			if err := s.promoteDue(ctx, t, kind); err != nil {
				return err
			}
			jobs, err := s.claimKind(ctx, t, kind, limit-len(claimed), lease)
			if err != nil {
				return err
			}
			claimed = append(claimed, jobs...)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("claim jobs: %w", err)
	}
	return claimed, nil
}

// promoteDue makes available what was scheduled for a time that has come.
func (s *Store) promoteDue(ctx context.Context, t *tx, kind string) error {
	_, err := t.ExecContext(ctx,
		`UPDATE jobs SET state = 'available' WHERE kind = $1 AND state = 'scheduled' AND run_at <= $2`,
		kind, millis(s.now()))
	if err != nil {
		return fmt.Errorf("promote due jobs: %w", err)
	}
	return nil
}

func (s *Store) claimKind(ctx context.Context, t *tx, kind string, limit int, lease time.Duration) ([]Job, error) {
	token, now := newLease(), s.now()
	rows, err := t.QueryContext(ctx, claimSQL, token, millis(now.Add(lease)), kind, limit)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var jobs []Job
	for rows.Next() {
		j := Job{Kind: kind, Lease: token}
		var created int64
		if err := rows.Scan(&j.ID, &j.Attempt, &j.Payload, &created); err != nil {
			return nil, err
		}
		j.CreatedAt = fromMillis(created)
		jobs = append(jobs, j)
	}
	return jobs, rows.Err()
}

func newLease() string {
	raw := make([]byte, 16)
	_, _ = rand.Read(raw) // never fails
	return hex.EncodeToString(raw)
}

// NextJob is when the next scheduled job of the kinds is due, the zero time
// when none is scheduled.
func (s *Store) NextJob(ctx context.Context, kinds []string) (time.Time, error) {
	var next time.Time
	for _, kind := range kinds {
		var at sql.NullInt64
		err := s.readers.QueryRowContext(ctx,
			`SELECT MIN(run_at) FROM jobs WHERE kind = $1 AND state = 'scheduled'`, kind).Scan(&at)
		if err != nil {
			return time.Time{}, fmt.Errorf("next job: %w", err)
		}
		if at.Valid && (next.IsZero() || fromMillis(at.Int64).Before(next)) {
			next = fromMillis(at.Int64)
		}
	}
	return next, nil
}

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
		effect := effectsOf(j.Kind).done
		if effect == nil {
			return nil
		}
		return effect(ctx, s, t, j)
	}, `UPDATE jobs SET state = 'done', lease = NULL, lease_until = NULL, last_error = '', finished_at = $3`+held,
		millis(s.now()))
}

// KillJob gives a job up and keeps it for the operator. It returns
// ErrLeaseLost as FinishJob does.
func (s *Store) KillJob(ctx context.Context, j Job, reason string) error {
	return s.endJob(ctx, j, "kill", func(ctx context.Context, t *tx) error {
		effect := effectsOf(j.Kind).dead
		if effect == nil {
			return nil
		}
		return effect(ctx, s, t, j)
	}, `UPDATE jobs SET state = 'dead', lease = NULL, lease_until = NULL, finished_at = $3, last_error = $4`+held,
		millis(s.now()), cut(reason))
}

// RetryJob schedules another attempt. It returns ErrLeaseLost as FinishJob does.
func (s *Store) RetryJob(ctx context.Context, j Job, at time.Time, reason string) error {
	return s.endJob(ctx, j, "retry", nil,
		`UPDATE jobs SET state = 'scheduled', lease = NULL, lease_until = NULL, run_at = $3, last_error = $4`+held,
		millis(at), cut(reason))
}

// ReleaseJob gives a job back as if it had not been claimed. It returns
// ErrLeaseLost as FinishJob does.
func (s *Store) ReleaseJob(ctx context.Context, j Job) error {
	return s.endJob(ctx, j, "release", nil,
		`UPDATE jobs SET state = 'available', lease = NULL, lease_until = NULL, attempt = attempt - 1`+held)
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
		t.ring(j.Kind)
		if follow == nil {
			return nil
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

// ReapJobs makes available again what workers held beyond their lease and
// returns how many they were. The attempt stays counted, so that a job that
// kills its process ends some day.
func (s *Store) ReapJobs(ctx context.Context) (int64, error) {
	return s.giveBackRunning(ctx, ` AND lease_until < $1`, millis(s.now()))
}

// AdoptJobs takes back at once what a dead predecessor held. It is for a
// process that knows itself alone with the database.
func (s *Store) AdoptJobs(ctx context.Context) (int64, error) {
	return s.giveBackRunning(ctx, ``)
}

func (s *Store) giveBackRunning(ctx context.Context, which string, args ...any) (int64, error) {
	var n int64
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		rows, err := t.QueryContext(ctx,
			`UPDATE jobs SET state = 'available', lease = NULL, lease_until = NULL
			 WHERE state = 'running'`+which+` RETURNING kind`, args...) //nolint:gosec // constant text
		if err != nil {
			return err
		}
		kinds, err := scanStrings(rows)
		for _, kind := range kinds {
			t.ring(kind)
		}
		n = int64(len(kinds))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("take jobs back: %w", err)
	}
	return n, nil
}

func scanStrings(rows *sql.Rows) (all []string, err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// KillUnknown gives up the waiting jobs of kinds that no pool handles, so that
// the operator sees them, and returns how many they were.
func (s *Store) KillUnknown(ctx context.Context, known []string) (int64, error) {
	args := []any{millis(s.now())}
	for _, kind := range known {
		args = append(args, kind)
	}
	var marks strings.Builder
	for i := range known {
		fmt.Fprintf(&marks, ", $%d", i+2)
	}
	var n int64
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		var err error
		n, err = rowsChanged(t.ExecContext(ctx,
			`UPDATE jobs SET state = 'dead', finished_at = $1, last_error = 'unknown kind'
			 WHERE state IN ('available', 'scheduled') AND kind NOT IN (''`+marks.String()+`)`, args...)) //nolint:gosec // numbered marks only
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("kill jobs of unknown kinds: %w", err)
	}
	return n, nil
}

// JobCounts counts the jobs by kind and state.
func (s *Store) JobCounts(ctx context.Context) ([]JobCount, error) {
	rows, err := s.readers.QueryContext(ctx,
		`SELECT kind, state, COUNT(*) FROM jobs GROUP BY kind, state ORDER BY kind, state`)
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
