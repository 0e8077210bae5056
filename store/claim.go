package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
)

// ClaimJobs hands at most limit due jobs of the given kinds to the caller for
// the length of the lease, and counts the attempt. The oldest come first
// whatever their kind, so that the backlog of one kind starves no other.
func (s *Store) ClaimJobs(ctx context.Context, kinds []string, limit int, lease time.Duration) ([]Job, error) {
	var claimed []Job
	err := s.write(ctx, func(ctx context.Context, t *tx) (err error) {
		if err := s.promoteDue(ctx, t, kinds, limit); err != nil {
			return err
		}
		claimed, err = s.claimOldest(ctx, t, kinds, limit, lease)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("claim jobs: %w", err)
	}
	return claimed, nil
}

// promoteDue makes available what was scheduled for a time that has come, no
// more than can be claimed: after an outage thousands come due at once.
func (s *Store) promoteDue(ctx context.Context, t *tx, kinds []string, limit int) error {
	for _, kind := range kinds {
		_, err := t.ExecContext(ctx, s.db.promoteSQL(), kind, millis(s.now()), limit)
		if err != nil {
			return fmt.Errorf("promote due jobs: %w", err)
		}
	}
	return nil
}

func (s *Store) claimOldest(ctx context.Context, t *tx, kinds []string, limit int, lease time.Duration) ([]Job, error) {
	token, now := newLease(), s.now()
	args := []any{token, millis(now.Add(lease)), millis(now)}
	for _, kind := range kinds {
		args = append(args, kind, limit)
	}
	rows, err := t.QueryContext(ctx, s.db.claimSQL(len(kinds)), append(args, limit)...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var jobs []Job
	for rows.Next() {
		j := Job{Lease: token}
		var created int64
		if err := rows.Scan(&j.ID, &j.Kind, &j.Attempt, &j.Forgiven, &j.Payload, &created); err != nil {
			return nil, err
		}
		j.CreatedAt = fromMillis(created)
		jobs = append(jobs, j)
	}
	// RETURNING keeps no order.
	slices.SortFunc(jobs, func(a, b Job) int { return cmp.Compare(a.ID, b.ID) })
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
