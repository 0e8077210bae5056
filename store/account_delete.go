package store

import (
	"context"
	"fmt"
)

// DeleteAccount takes a member away at their own wish: the row is emptied, and
// address and nickname are free again. What they wrote stays, without a name,
// and so do their likes in the counts. A mail tells the owner, whose address is
// kept until it is delivered. It returns *InvalidError for a wrong
// password, ErrNotFound when it was changed meanwhile, ErrLastAdmin,
// *TooSoonError, *BusyError.
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
	if err := s.checkCurrent(ctx, r, a); err != nil {
		return err
	}
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		if err := s.holdAdmins(ctx, t); err != nil {
			return err
		}
		if err := lockUser(ctx, t, r.UserID, a.user.Credentials); err != nil {
			return err
		}
		if err := keepAdmin(ctx, t, r.UserID); err != nil {
			return err
		}
		// While the address is known.
		if err := s.notify(ctx, t, KindDeletedMail, r.UserID, turn{at: s.now()}); err != nil {
			return err
		}
		return s.emptyAccount(ctx, t, r.UserID)
	})
}

// emptyAccount leaves nothing of a member but a number. The keys are unique and
// can be typed by nobody. Whoever has left is disabled too, so that every
// question for the one is answered for the other.
func (s *Store) emptyAccount(ctx context.Context, t *tx, id int64) error {
	if err := outdate(ctx, t, id); err != nil {
		return err
	}
	if err := forgetSignups(ctx, t, id); err != nil {
		return err
	}
	for _, table := range []string{"email_changes", "resets", "read_marks", "drafts"} {
		if _, err := t.ExecContext(ctx, `DELETE FROM `+table+` WHERE user_id = $1`, id); err != nil { //nolint:gosec // a constant name
			return err
		}
	}
	_, err := t.ExecContext(ctx,
		`UPDATE users SET email = '', email_key = $1, nickname = '', nickname_key = $1, name = '', password_hash = '', admin_password = 0,
		 role = 'member', disabled_at = $2, deleted_at = $2 WHERE id = $3`, fmt.Sprintf("#%d", id), millis(s.now()), id)
	return err
}

// ownSignups is true of the sign-up by which the member $1 came. The address
// does not tell: it may have been another member's before, or be one's since.
const ownSignups = `state = 'verified' AND user_id = $1`

// forgetSignups empties the sign-ups by which a member came. They are still
// counted by their day.
func forgetSignups(ctx context.Context, t *tx, userID int64) error {
	for _, statement := range []string{
		// The sign-up before its links, as everybody else does.
		`UPDATE signups SET email = '' WHERE ` + ownSignups,
		`UPDATE signup_links SET email_key = '' WHERE signup_id IN (SELECT id FROM signups WHERE ` + ownSignups + `)`,
		`UPDATE signups SET email_key = '' WHERE ` + ownSignups,
	} {
		if _, err := t.ExecContext(ctx, statement, userID); err != nil {
			return fmt.Errorf("forget sign-ups: %w", err)
		}
	}
	return nil
}
