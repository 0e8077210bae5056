package store

import (
	"context"
	"fmt"
)

// DeleteAccount takes a member away at their own wish: the row is emptied, and
// address and nickname are free again. What they wrote stays, without a name,
// and so do their likes in the counts. It returns *InvalidError for a wrong
// password, ErrLastAdmin, *TooSoonError, *BusyError.
func (s *Store) DeleteAccount(ctx context.Context, r Reentry) error {
	if err := s.deleteAccount(ctx, r); err != nil {
		return fmt.Errorf("delete account %d: %w", r.UserID, err)
	}
	return nil
}

func (s *Store) deleteAccount(ctx context.Context, r Reentry) error {
	a, err := account(ctx, s.readers, r.UserID)
	if err != nil {
		return err
	}
	if err := problems(map[string]Problem{"current": missing(r.Current)}); err != nil {
		return err
	}
	if err := s.check(ctx, r, a); err != nil {
		return err
	}
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		if err := s.holdAdmins(ctx, t); err != nil {
			return err
		}
		if err := keepAdmin(ctx, t, r.UserID); err != nil {
			return err
		}
		return s.emptyAccount(ctx, t, r.UserID)
	})
}

// emptyAccount leaves nothing of a member but a number. The keys are unique and
// can be typed by nobody. Whoever has left is disabled too, so that every
// question for the one is answered for the other.
func (s *Store) emptyAccount(ctx context.Context, t *tx, id int64) error {
	var key string
	if err := t.QueryRowContext(ctx, `SELECT email_key FROM users WHERE id = $1`, id).Scan(&key); err != nil {
		return notFound(err)
	}
	gone := fmt.Sprintf("#%d", id)
	err := found(t.ExecContext(ctx,
		`UPDATE users SET email = '', email_key = $1, nickname = '', nickname_key = $1, name = '', password_hash = '',
		 role = 'member', disabled_at = COALESCE(disabled_at, $2), deleted_at = $2
		 WHERE id = $3 AND email_key = $4`+notDeleted, gone, millis(s.now()), id, key))
	if err != nil {
		return err
	}
	if err := outdate(ctx, t, id); err != nil {
		return err
	}
	if err := forgetSignups(ctx, t, id, key); err != nil {
		return err
	}
	for _, table := range []string{"email_changes", "resets"} {
		if _, err := t.ExecContext(ctx, `DELETE FROM `+table+` WHERE user_id = $1`, id); err != nil { //nolint:gosec // a constant name
			return err
		}
	}
	return nil
}

// forgetSignups empties the sign-ups by which a member came, under this address
// or one before, unless that is somebody else's now. They are still counted by
// their day.
func forgetSignups(ctx context.Context, t *tx, userID int64, key string) error {
	const own = ` WHERE state = 'verified' AND (email_key = $1
		OR email_key IN (SELECT old_key FROM email_changes WHERE user_id = $2 AND state = 'proven')
		AND email_key NOT IN (SELECT email_key FROM users WHERE id <> $2))`
	for _, statement := range []string{
		`UPDATE signup_links SET email_key = '' WHERE signup_id IN (SELECT id FROM signups` + own + `)`,
		`UPDATE signups SET email = '', email_key = ''` + own,
	} {
		if _, err := t.ExecContext(ctx, statement, key, userID); err != nil {
			return fmt.Errorf("forget sign-ups: %w", err)
		}
	}
	return nil
}
