package store

import (
	"context"
	"fmt"
	"net/netip"
)

// Correction gives a pending sign-up another address.
type Correction struct {
	SignupID int64
	Email    string
	Client   netip.Addr
}

// CorrectEmail gives a pending sign-up another address; the old link and code
// die. It returns *InvalidError, *TooSoonError, or ErrNotFound when the
// sign-up was verified or has ended.
func (s *Store) CorrectEmail(ctx context.Context, c Correction) error {
	email, key, problem := cleanEmail(c.Email)
	if problem != "" {
		return &InvalidError{Fields: map[string]Problem{"email": problem}}
	}
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		if _, err := s.takeTurn(ctx, t, resendLimit(), s.whoClient(c.Client)); err != nil {
			return err
		}
		w, err := s.waitingByID(ctx, t, c.SignupID)
		if err != nil {
			return err
		}
		mail, err := s.takeTurn(ctx, t, mailLimit(), s.whoAddress(key))
		if err != nil {
			return err
		}
		// Overtaken under the old address, it waits again under the new one.
		err = found(t.ExecContext(ctx, `UPDATE signups SET email = $1, email_key = $2, state = 'pending'
			WHERE id = $3 AND state <> 'verified' AND (ends_at IS NULL OR ends_at > $4)`, email, key, w.id, millis(s.now())))
		if err != nil {
			return err
		}
		if key != w.emailKey {
			if err := s.noteCorrected(ctx, t, key); err != nil {
				return err
			}
		}
		w.emailKey = key
		return s.renewLink(ctx, t, w, mail)
	})
	if err != nil {
		return fmt.Errorf("correct address: %w", err)
	}
	return nil
}
