package store

import (
	"context"
	"encoding/json"
	"fmt"
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
	// CreatedAt is when the job was recorded.
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
