package store

import (
	"context"
	"errors"
	"fmt"
)

// ChangeEmail asks for another address. It is that of the member only when it
// is proven; until then the old one stays, and is told. An address that belongs
// to somebody else goes the same way, and the worker chooses the mail. The own
// address in another spelling is taken at once, and nothing is asked: it reports
// whether a proof is waited for. It returns *InvalidError, *TooSoonError when a
// limit in time is used up, *BusyError.
func (s *Store) ChangeEmail(ctx context.Context, r Reentry, email string) (asked bool, err error) {
	asked, err = s.changeEmail(ctx, r, email)
	if err != nil {
		return false, fmt.Errorf("change address of user %d: %w", r.UserID, err)
	}
	return asked, nil
}

func (s *Store) changeEmail(ctx context.Context, r Reentry, email string) (bool, error) {
	a, err := account(ctx, s.readers, r.UserID)
	if err != nil {
		return false, err
	}
	clean, key, problem := cleanEmail(email)
	if err := problems(map[string]Problem{"email": problem, "current": missing(r.Current)}); err != nil {
		return false, err
	}
	if err := s.checkCurrent(ctx, r, a); err != nil {
		return false, err
	}
	if key == a.key {
		return false, s.respell(ctx, a, clean)
	}
	// For an address of somebody else's too: the time must not tell.
	hash, err := s.hashFor(ctx, r.Current, key)
	if err != nil {
		return false, err
	}
	return true, s.write(ctx, func(ctx context.Context, t *tx) error {
		if _, err := s.takeTurn(ctx, t, resendLimit(), s.whoClient(r.Client)); err != nil {
			return err
		}
		return s.askProof(ctx, t, emailChange{
			userID: a.user.ID, email: clean, emailKey: key, hash: hash,
			oldEmail: a.user.Email, oldKey: a.key, credentials: a.user.Credentials,
		})
	})
}

// respell writes the same address in another way.
func (s *Store) respell(ctx context.Context, a reentered, email string) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		return found(t.ExecContext(ctx, `UPDATE users SET email = $1 WHERE id = $2 AND email_key = $3`, email, a.user.ID, a.key))
	})
}

// askProof records a change with its two mails, and replaces the one before.
// Both addresses pay for their mail: there is no change without the notice.
func (s *Store) askProof(ctx context.Context, t *tx, c emailChange) error {
	if err := lockUser(ctx, t, c.userID, c.credentials); err != nil {
		return err
	}
	proof, err := s.takeTurn(ctx, t, mailLimit(), s.whoAddress(c.emailKey))
	if err != nil {
		return err
	}
	notice, err := s.takeTurn(ctx, t, mailLimit(), s.whoAddress(c.oldKey))
	if err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx,
		`UPDATE email_changes SET state = 'replaced', password_hash = '' WHERE user_id = $1 AND state = 'pending'`, c.userID); err != nil {
		return fmt.Errorf("replace change of address: %w", err)
	}
	if c.id, err = s.insertEmailChange(ctx, t, c); err != nil {
		return err
	}
	p := mailPayload{ChangeID: c.id, TurnID: proof.id, MessageID: newMessageID()}
	if _, err := s.enqueue(ctx, t, KindEmailMail, proof.at, p); err != nil {
		return err
	}
	return s.notify(ctx, t, KindEmailNotice, c.userID, notice)
}

func (s *Store) insertEmailChange(ctx context.Context, t *tx, c emailChange) (id int64, err error) {
	err = t.QueryRowContext(ctx,
		`INSERT INTO email_changes (user_id, email, email_key, old_email, old_key, credentials, nonce, created_at, password_hash)
		 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id`,
		c.userID, c.email, c.emailKey, c.oldEmail, c.oldKey, c.credentials, newNonce(), millis(s.now()), c.hash).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("insert change of address: %w", err)
	}
	return id, nil
}

// ProveEmail makes the address of a link that of the member who asked for it,
// in whose session it is; of many at once one does so and the others get
// ErrAlreadyVerified. Besides the errors of LookEmail it returns *InvalidError,
// and consumes nothing, when the address became somebody else's meanwhile.
func (s *Store) ProveEmail(ctx context.Context, userID int64, token string) (User, error) {
	c, err := s.lookEmail(ctx, s.readers, userID, token)
	if err != nil {
		return User{}, err
	}
	var u User
	err = s.write(ctx, func(ctx context.Context, t *tx) (err error) {
		if err := lockUser(ctx, t, c.userID, c.credentials); err != nil {
			return err
		}
		// Look again: another click, or another change, may have come between.
		if _, err := s.lookEmail(ctx, t, userID, token); err != nil {
			return err
		}
		u, err = moveUser(ctx, t, c)
		return err
	})
	if errors.Is(err, ErrNotFound) { // the password was changed in this very moment
		err = ErrTokenOvertaken
	}
	if err != nil {
		return User{}, fmt.Errorf("prove address of user %d: %w", userID, takenBy(err, "email"))
	}
	return u, nil
}

// moveUser gives a member the address of a change, with a hash of the password
// that has its salt, and overtakes the sign-ups that wait for it: before the
// member, as a sign-up that is verified does. A change from before such hashes
// were kept leaves the member's as it is.
func moveUser(ctx context.Context, t *tx, c emailChange) (User, error) {
	_, err := userByEmail(ctx, t, c.emailKey)
	if err := free("email", err); err != nil {
		return User{}, err
	}
	_, err = t.ExecContext(ctx, `UPDATE signups SET state = 'superseded' WHERE email_key = $1 AND state = 'pending'`, c.emailKey)
	if err != nil {
		return User{}, fmt.Errorf("overtake sign-ups: %w", err)
	}
	u, err := scanUser(t.QueryRowContext(ctx,
		`UPDATE users SET email = $1, email_key = $2, password_hash = COALESCE(NULLIF($3, ''), password_hash)
		 WHERE id = $4 RETURNING `+userColumns, c.email, c.emailKey, c.hash, c.userID))
	if err != nil {
		return User{}, err
	}
	_, err = t.ExecContext(ctx, `UPDATE email_changes SET state = 'proven', password_hash = '' WHERE id = $1`, c.id)
	return u, err
}
