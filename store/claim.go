package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"fmt"
	"time"
)

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
