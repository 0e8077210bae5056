package store

import (
	"context"
	"fmt"
)

// ConfirmPassword checks the password of a member who is logged in, before
// something that whoever borrows a session must not do. It returns
// *InvalidError for a wrong one, *TooSoonError after too many of them, *BusyError,
// and ErrNotFound for one who is disabled or has left.
func (s *Store) ConfirmPassword(ctx context.Context, r Reentry) error {
	a, err := account(ctx, s.readers, r.UserID)
	if err == nil {
		err = problems(map[string]Problem{"current": missing(r.Current)})
	}
	if err == nil {
		err = s.checkCurrent(ctx, r, a)
	}
	if err != nil {
		return fmt.Errorf("confirm password of user %d: %w", r.UserID, err)
	}
	return nil
}
