package store

import (
	"context"
	"fmt"
)

// setPassword gives a member another password, which is the one way to do it:
// whatever was given out under the old one is worthless from then on, all
// sessions end, and a mail tells the member. U is the member as read when the
// right to do this was proven. It returns ErrNotFound when the member's password
// or address was changed since, or the member was disabled, or made an
// administrator for whom the password does not do.
func (s *Store) setPassword(ctx context.Context, t *tx, u User, c chosen) (User, error) {
	changed, err := scanUser(t.QueryRowContext(ctx,
		`UPDATE users SET password_hash = $1, admin_password = $5, credentials = credentials + 1
		 WHERE id = $2 AND credentials = $3 AND email = $4 AND disabled_at IS NULL AND (role <> 'admin' OR $5 = 1)
		 RETURNING `+userColumns,
		c.hash, u.ID, u.Credentials, u.Email, bit(c.forAdmin)))
	if err != nil {
		return User{}, fmt.Errorf("set password of user %d: %w", u.ID, err)
	}
	if err := endCredentials(ctx, t, u.ID); err != nil {
		return User{}, err
	}
	return changed, s.notify(ctx, t, KindPasswordMail, u.ID, turn{at: s.now()})
}

// outdate ends whatever was given out to a member: sessions, those that a login
// under way is about to open too, and links to a new password. All of them carry
// the number that is counted here.
func outdate(ctx context.Context, t *tx, userID int64) error {
	_, err := t.ExecContext(ctx, `UPDATE users SET credentials = credentials + 1 WHERE id = $1`, userID)
	if err != nil {
		return fmt.Errorf("outdate credentials of user %d: %w", userID, err)
	}
	return endCredentials(ctx, t, userID)
}

// endCredentials ends the sessions of a member whose number was counted on, and
// forgets what a change of address kept of the password.
func endCredentials(ctx context.Context, t *tx, userID int64) error {
	_, err := t.ExecContext(ctx, `UPDATE email_changes SET password_hash = '' WHERE user_id = $1 AND password_hash <> ''`, userID)
	if err != nil {
		return fmt.Errorf("forget password of changes of user %d: %w", userID, err)
	}
	return endSessions(ctx, t, userID, "")
}
