package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/netip"
)

// Forgotten asks for a link to a new password.
type Forgotten struct {
	Email  string
	Client netip.Addr
}

// AskReset mails a link to a new password to the member of an address. Whoever
// has not proven the address yet gets the mail of the newest sign-up again; for
// a disabled member the same is recorded, and the worker finds nothing to send;
// for nobody it is recorded and taken back: the cases cannot be told apart.
// Asking changes nothing for the member. It returns *InvalidError for an address that is none,
// *TooSoonError when a limit is used up; within the gap between two mails there
// is no error and no mail.
func (s *Store) AskReset(ctx context.Context, f Forgotten) error {
	_, key, problem := cleanEmail(f.Email)
	if problem != "" {
		return &InvalidError{Fields: map[string]Problem{"email": problem}}
	}
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		if _, err := s.takeTurn(ctx, t, resendLimit(), s.whoClient(f.Client)); err != nil {
			return err
		}
		mail, ok, err := s.outsideTurn(ctx, t, key)
		if err != nil || !ok {
			return err
		}
		return s.askReset(ctx, t, key, mail)
	})
	if err != nil {
		return fmt.Errorf("ask for a new password: %w", err)
	}
	return nil
}

func (s *Store) askReset(ctx context.Context, t *tx, emailKey string, mail turn) error {
	var userID sql.NullInt64
	var credentials int64
	err := t.QueryRowContext(ctx, `SELECT id, credentials FROM users WHERE email_key = $1`, emailKey).
		Scan(&userID, &credentials)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if !userID.Valid {
		err := s.renewNewestLink(ctx, t, emailKey, mail)
		if !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	var id int64
	err = t.QueryRowContext(ctx,
		`INSERT INTO resets (email_key, user_id, credentials, nonce, created_at) VALUES ($1, $2, $3, $4, $5) RETURNING id`,
		emailKey, userID, credentials, newNonce(), millis(s.now())).Scan(&id)
	if err != nil {
		return fmt.Errorf("insert reset: %w", err)
	}
	p := mailPayload{ResetID: id, TurnID: mail.id, MessageID: newMessageID()}
	if !userID.Valid {
		return s.decoyReset(ctx, t, mail, p)
	}
	_, err = s.enqueue(ctx, t, KindResetMail, mail.at, p)
	return err
}

// decoyReset leaves nothing of a link that is nobody's.
func (s *Store) decoyReset(ctx context.Context, t *tx, mail turn, p mailPayload) error {
	if _, err := t.ExecContext(ctx, `DELETE FROM resets WHERE id = $1`, p.ResetID); err != nil {
		return fmt.Errorf("take decoy back: %w", err)
	}
	return s.decoy(ctx, t, KindResetMail, mail.at, p)
}

// NewPassword is what somebody types on the page behind the link.
type NewPassword struct {
	Token    string
	Password string
}

// ResetPassword sets the password of the member whom a link was mailed to, once:
// all sessions and all other links end. Besides the errors of LookReset it
// returns *InvalidError for a password that cannot be taken and *BusyError when
// no hash slot comes free.
func (s *Store) ResetPassword(ctx context.Context, n NewPassword) (User, error) {
	// Whoever has a link may send it often at once: one password is hashed for it.
	leave, err := s.gates.pass(ctx, s.key.mac("who resets", []byte(n.Token))[:16])
	if err != nil {
		return User{}, fmt.Errorf("reset password: %w", err)
	}
	defer leave()
	r, err := s.lookReset(ctx, s.readers, n.Token)
	if err != nil {
		return User{}, err
	}
	problem := newPasswordProblem(n.Password, r.user.Role, r.user.Email, r.user.Nickname, r.user.Name)
	if problem != "" {
		return User{}, &InvalidError{Fields: map[string]Problem{"password": problem}}
	}
	fresh, err := s.choose(ctx, r.user, r.emailKey, n.Password)
	if err != nil {
		return User{}, fmt.Errorf("reset password: %w", err)
	}
	var u User
	err = s.write(ctx, func(ctx context.Context, t *tx) (err error) {
		u, err = s.useReset(ctx, t, n.Token, fresh)
		return err
	})
	if err != nil {
		return User{}, fmt.Errorf("reset password: %w", err)
	}
	return u, nil
}

// useReset looks again: meanwhile somebody may have used the link.
func (s *Store) useReset(ctx context.Context, t *tx, token string, fresh chosen) (User, error) {
	r, err := s.lookReset(ctx, t, token)
	if err != nil {
		return User{}, err
	}
	u, err := s.setPassword(ctx, t, r.user, fresh)
	if errors.Is(err, ErrNotFound) { // somebody came first, in this very moment
		_, err := s.lookReset(ctx, t, token)
		return User{}, cmp.Or(err, ErrTokenOvertaken)
	}
	if err != nil {
		return User{}, err
	}
	_, err = t.ExecContext(ctx, `UPDATE resets SET used_at = $1 WHERE id = $2`, millis(s.now()), r.id)
	if err != nil {
		return User{}, fmt.Errorf("note use of link: %w", err)
	}
	return u, nil
}
