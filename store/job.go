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
	KindVerifyMail   = "verify_mail"   // the mail of a sign-up
	KindAccountMail  = "account_mail"  // "you already have an account", asked for by resend
	KindResetMail    = "reset_mail"    // the link to a new password
	KindPasswordMail = "password_mail" // "your password was changed"
	KindEmailMail    = "email_mail"    // the link that proves a changed address
	KindEmailNotice  = "email_notice"  // "your address is to be changed", to the old one
	KindDeletedMail  = "deleted_mail"  // "your account was deleted"
	KindViews        = "views"         // a batch of packed view events
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
	// Forgiven are the attempts before an administrator set it to work again.
	Forgiven int
	Payload  []byte
	// CreatedAt is when the job was recorded.
	CreatedAt time.Time
	// Lease fences every later write: a worker that lost it changes nothing.
	Lease string
}

// Tries is the number of attempts that count toward giving the job up.
func (j Job) Tries() int { return j.Attempt - j.Forgiven }

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
	t.enqueued = append(t.enqueued, kind)
	return id, nil
}

// decoy records a job and takes it back in the same transaction. Where a mail is
// asked for that goes to nobody, the answer takes as long as one that goes to
// somebody, and whoever asks for very many leaves the workers nothing to do.
func (s *Store) decoy(ctx context.Context, t *tx, kind string, at time.Time, payload any) error {
	counted := len(t.enqueued)
	id, err := s.enqueue(ctx, t, kind, at, payload)
	if err != nil {
		return err
	}
	t.enqueued = t.enqueued[:counted]
	if _, err := t.ExecContext(ctx, `DELETE FROM jobs WHERE id = $1`, id); err != nil {
		return fmt.Errorf("take decoy back: %w", err)
	}
	return nil
}

// tellEnqueued runs fn in a transaction and tells whoever counts the jobs of
// those it recorded, once they are committed.
func (s *Store) tellEnqueued(ctx context.Context, fn func(context.Context, *tx) error) error {
	if s.enqueued == nil {
		return s.db.do(ctx, fn)
	}
	var kinds []string // of the last run, which is the one that counts
	err := s.db.do(ctx, func(ctx context.Context, t *tx) error {
		err := fn(ctx, t)
		kinds = t.enqueued
		return err
	})
	if err != nil {
		return err
	}
	for _, kind := range kinds {
		s.enqueued(kind)
	}
	return nil
}

// Wake is signalled after each commit that gave a pool of this kind something
// to do. Several commits may be one signal.
func (s *Store) Wake(kind string) <-chan struct{} { return s.wake.of(kind) }
