package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Outcome is what became of one attempt of a job.
type Outcome string

// The outcomes of an attempt.
const (
	OutcomeDone     Outcome = "done"
	OutcomeObsolete Outcome = "obsolete" // there was nothing left to do
	OutcomeRetry    Outcome = "retry"    // it failed and is tried again later
	OutcomeDead     Outcome = "dead"     // it failed for good
	OutcomeReleased Outcome = "released" // given back, for no fault of the job
	OutcomeLost     Outcome = "lost"     // its worker was not heard of until the lease ended
)

// Attempt is one run of a job that has ended.
type Attempt struct {
	JobID   int64
	Number  int // from 1
	Kind    string
	BeganAt time.Time
	EndedAt time.Time
	Outcome Outcome
	Words   string // of whoever refused, e.g. the mail server; "" when all went well
}

// Took is how long the attempt lasted.
func (a Attempt) Took() time.Duration { return a.EndedAt.Sub(a.BeganAt) }

// attemptLife is how long what became of an attempt is kept, and longer while
// its job is there.
const attemptLife = doneJobLife

// keepAttempt writes down what became of an attempt, which ends now. One that
// was given back is overwritten by the next, which has its number: an outage
// of days leaves one row. A batch of views that was counted leaves none, like
// its job.
func (s *Store) keepAttempt(ctx context.Context, t *tx, a Attempt) error {
	if a.Kind == KindViews && a.Outcome == OutcomeDone {
		return nil
	}
	now := s.now()
	if a.BeganAt.IsZero() { // claimed by a version that did not note it
		a.BeganAt = now
	}
	if a.Outcome == OutcomeReleased {
		a.Number++ // the job's own count has been taken back
	}
	_, err := t.ExecContext(ctx,
		`INSERT INTO job_attempts (job_id, attempt, kind, began_at, ended_at, outcome, words)
		 VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (job_id, attempt) DO UPDATE SET
		 began_at = excluded.began_at, ended_at = excluded.ended_at, outcome = excluded.outcome, words = excluded.words`,
		a.JobID, a.Number, a.Kind, millis(a.BeganAt), millis(now), string(a.Outcome), a.Words)
	if err != nil {
		return fmt.Errorf("keep attempt: %w", err)
	}
	return nil
}

// Attempts returns what became of the attempts of a job, the first one first.
func (s *Store) Attempts(ctx context.Context, jobID int64) (attempts []Attempt, err error) {
	rows, err := s.readers.QueryContext(ctx,
		`SELECT job_id, attempt, kind, began_at, ended_at, outcome, words
		 FROM job_attempts WHERE job_id = $1 ORDER BY attempt`, jobID)
	if err != nil {
		return nil, fmt.Errorf("attempts of job %d: %w", jobID, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var a Attempt
		var began, ended int64
		err := rows.Scan(&a.JobID, &a.Number, &a.Kind, &began, &ended, &a.Outcome, &a.Words)
		if err != nil {
			return nil, fmt.Errorf("attempts of job %d: %w", jobID, err)
		}
		a.BeganAt, a.EndedAt = fromMillis(began), fromMillis(ended)
		attempts = append(attempts, a)
	}
	return attempts, rows.Err()
}
