package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
)

// NotDeadError says that a job is in another state than dead, so that it was
// neither set to work again nor dropped.
type NotDeadError struct {
	ID    int64
	State string
}

func (e *NotDeadError) Error() string {
	return fmt.Sprintf("job %d is not dead but %s", e.ID, e.State)
}

// ErrViewsForgotten says that a batch of views died so long ago that its
// readers are forgotten: some of them could count twice.
var ErrViewsForgotten = errors.New("the readers of these views are forgotten, so that some could count twice; drop it")

// RetryDead sets dead jobs to work again at once, all of them or none. The
// attempts they had no longer count toward giving them up. It returns
// ErrNotFound for an id that no job has, ErrViewsForgotten, and *NotDeadError for
// a job that is not dead; of two who ask at the same time one gets that.
func (s *Store) RetryDead(ctx context.Context, ids ...int64) error {
	return s.eachDead(ctx, "retry", ids, s.retryDead)
}

// DropDead deletes dead jobs and their histories, all of them or none; whoever
// waited for them waits in vain. It returns errors as RetryDead does.
func (s *Store) DropDead(ctx context.Context, ids ...int64) error {
	return s.eachDead(ctx, "drop", ids, dropDead)
}

// deadBatch bounds the jobs of one transaction, so that nobody waits long
// behind it.
const deadBatch = 500

// RetryAllDead sets every job that is dead now to work again, but for forgotten
// views, and returns how many those were, also when it failed half-way.
func (s *Store) RetryAllDead(ctx context.Context) (int64, error) {
	return s.allDead(ctx, "retry", s.retryDead)
}

// DropAllDead deletes every job that is dead now and returns how many those
// were, also when it failed half-way.
func (s *Store) DropAllDead(ctx context.Context) (int64, error) {
	return s.allDead(ctx, "drop", dropDead)
}

// onDead works on one dead job. It returns sql.ErrNoRows when it is not dead.
type onDead func(ctx context.Context, t *tx, id int64) error

// eachDead works on the jobs in the order of their ids, so that two who do so
// cannot wait for each other.
func (s *Store) eachDead(ctx context.Context, verb string, ids []int64, work onDead) error {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		for _, id := range ids {
			err := work(ctx, t, id)
			if errors.Is(err, sql.ErrNoRows) {
				return whyNotDead(ctx, t, id)
			}
			if err != nil {
				return fmt.Errorf("job %d: %w", id, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s dead jobs: %w", verb, err)
	}
	return nil
}

func whyNotDead(ctx context.Context, t *tx, id int64) error {
	var state string
	if err := t.QueryRowContext(ctx, `SELECT state FROM jobs WHERE id = $1`, id).Scan(&state); err != nil {
		return fmt.Errorf("job %d: %w", id, notFound(err))
	}
	return &NotDeadError{ID: id, State: state}
}

// deadJob is where a walk through the dead jobs stands.
type deadJob struct {
	kind string
	id   int64
}

// allDead walks through the dead jobs once, so that one which dies again
// meanwhile is not met twice.
func (s *Store) allDead(ctx context.Context, verb string, work onDead) (done int64, err error) {
	for last := (deadJob{}); ; {
		var batch []deadJob
		var worked int64
		err := s.write(ctx, func(ctx context.Context, t *tx) (err error) {
			if batch, err = deadAfter(ctx, t, last); err != nil {
				return err
			}
			worked, err = workAll(ctx, t, batch, work)
			return err
		})
		if err != nil {
			return done, fmt.Errorf("%s all dead jobs: %w", verb, err)
		}
		if len(batch) == 0 {
			return done, nil
		}
		last, done = batch[len(batch)-1], done+worked
	}
}

func deadAfter(ctx context.Context, t *tx, last deadJob) (batch []deadJob, err error) {
	rows, err := t.QueryContext(ctx,
		`SELECT kind, id FROM jobs WHERE state = 'dead' AND (kind, id) > ($1, $2) ORDER BY kind, id LIMIT $3`,
		last.kind, last.id, deadBatch)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var j deadJob
		if err := rows.Scan(&j.kind, &j.id); err != nil {
			return nil, err
		}
		batch = append(batch, j)
	}
	return batch, rows.Err()
}

// workAll passes over forgotten views, and over a job that somebody else was
// faster with.
func workAll(ctx context.Context, t *tx, batch []deadJob, work onDead) (worked int64, err error) {
	for _, j := range batch {
		switch err := work(ctx, t, j.id); {
		case err == nil:
			worked++
		case !errors.Is(err, sql.ErrNoRows) && !errors.Is(err, ErrViewsForgotten):
			return 0, fmt.Errorf("job %d: %w", j.id, err)
		}
	}
	return worked, nil
}

// retryDead also keeps the sign-up whose mail it is, which would end a day
// after its mail died. One that has ended already is over: the worker finds
// that nobody waits for the mail.
func (s *Store) retryDead(ctx context.Context, t *tx, id int64) error {
	now := millis(s.now())
	j := Job{ID: id}
	err := t.QueryRowContext(ctx, `SELECT kind, payload FROM jobs WHERE id = $1 AND state = 'dead'`, id).Scan(&j.Kind, &j.Payload)
	if err != nil {
		return err
	}
	if j.Kind == KindViews && s.isForgotten(j.Payload) {
		return ErrViewsForgotten
	}
	err = t.QueryRowContext(ctx,
		`UPDATE jobs SET state = 'available', run_at = $2, finished_at = NULL, forgiven = attempt
		 WHERE id = $1 AND state = 'dead' RETURNING id`, id, now).Scan(&j.ID)
	if err != nil {
		return err
	}
	t.ring(j.Kind)
	p, err := decodeMail(j)
	if j.Kind != KindVerifyMail || err != nil {
		return nil //nolint:nilerr // a payload that cannot be read kills the job again
	}
	_, err = t.ExecContext(ctx,
		`UPDATE signups SET ends_at = NULL WHERE id = $1 AND generation = $2 AND state = 'pending' AND ends_at > $3`,
		p.SignupID, p.Generation, now)
	return err
}

func dropDead(ctx context.Context, t *tx, id int64) error {
	var dropped int64
	err := t.QueryRowContext(ctx, `DELETE FROM jobs WHERE id = $1 AND state = 'dead' RETURNING id`, id).Scan(&dropped)
	if err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, `DELETE FROM job_attempts WHERE job_id = $1`, id)
	return err
}
