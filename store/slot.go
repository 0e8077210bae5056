package store

import (
	"context"
	"fmt"
)

// ClaimSlot claims a run of a scheduled task. It returns true for exactly one
// caller, however many ask and whenever they do.
func (s *Store) ClaimSlot(ctx context.Context, task, slot string) (bool, error) {
	var claimed int64
	err := s.write(ctx, func(ctx context.Context, t *tx) (err error) {
		claimed, err = rowsChanged(t.ExecContext(ctx,
			`INSERT INTO slots (task, slot, started_at) VALUES ($1, $2, $3) ON CONFLICT (task, slot) DO NOTHING`,
			task, slot, millis(s.now())))
		return err
	})
	if err != nil {
		return false, fmt.Errorf("claim slot %s of %s: %w", slot, task, err)
	}
	return claimed == 1, nil
}

// FinishSlot records how the run of a slot ended. It returns ErrNotFound for a
// slot that nobody claimed.
func (s *Store) FinishSlot(ctx context.Context, task, slot, result string) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		return found(t.ExecContext(ctx,
			`UPDATE slots SET finished_at = $1, result = $2 WHERE task = $3 AND slot = $4`,
			millis(s.now()), cut(result), task, slot))
	})
	if err != nil {
		return fmt.Errorf("finish slot %s of %s: %w", slot, task, err)
	}
	return nil
}
