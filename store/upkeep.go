package store

import (
	"context"
	"fmt"
)

// Checkpoint copies the write-ahead log into the database file and empties it,
// so that it never grows with the age of the process. It returns how many
// pages stay in the log because somebody is still reading them: then as much
// as is possible was copied, and the next checkpoint goes on from there.
// PostgreSQL does so by itself.
func (s *Store) Checkpoint(ctx context.Context) (left int64, err error) {
	if left, err = s.db.checkpoint(ctx); err != nil {
		return 0, fmt.Errorf("checkpoint: %w", err)
	}
	return left, nil
}

// Optimize lets the database look at its tables anew where they have changed
// so much that it might choose the wrong index.
func (s *Store) Optimize(ctx context.Context) error {
	if err := s.db.optimize(ctx); err != nil {
		return fmt.Errorf("optimize: %w", err)
	}
	return nil
}
