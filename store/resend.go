package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/netip"
	"time"
)

// Resend asks for another mail.
type Resend struct {
	// SignupID is the pending sign-up of the browser's session, 0 without one.
	SignupID int64
	// Email, when it is not the address of that sign-up, asks from outside.
	Email  string
	Client netip.Addr
}

// Resend sends another mail. In the session of a sign-up a new link and code
// replace the old ones. From outside the newest sign-up of the address gets
// them, a member is told that there is an account, an unknown address gets
// nothing; the three cannot be told apart. It reports whether the mail is that
// of the session's own sign-up. It returns *InvalidError for an address that is
// none, *TooSoonError when a limit is used up; from outside the gap between two
// mails is no error, and there is no mail.
func (s *Store) Resend(ctx context.Context, r Resend) (own bool, err error) {
	w, err := s.ownSignup(ctx, r)
	if err != nil {
		return false, fmt.Errorf("resend: %w", err)
	}
	own = w.id != 0
	key := w.emailKey
	if !own {
		var problem Problem
		if _, key, problem = cleanEmail(r.Email); problem != "" {
			return false, &InvalidError{Fields: map[string]Problem{"email": problem}}
		}
	}
	err = s.write(ctx, func(ctx context.Context, t *tx) error {
		if _, err := s.takeTurn(ctx, t, resendLimit(), s.whoClient(r.Client)); err != nil {
			return err
		}
		if own {
			return s.resendOwn(ctx, t, w.id)
		}
		return s.resendOutside(ctx, t, key)
	})
	if err != nil {
		return false, fmt.Errorf("resend: %w", err)
	}
	return own, nil
}

// waiting is a sign-up that a new mail may go to.
type waiting struct {
	id         int64
	generation int64
	emailKey   string
}

// ownSignup is the sign-up of the session when the request is about it; its id
// is 0 when it is not.
func (s *Store) ownSignup(ctx context.Context, r Resend) (waiting, error) {
	if r.SignupID == 0 {
		return waiting{}, nil
	}
	w, err := s.waitingByID(ctx, s.readers, r.SignupID)
	if errors.Is(err, ErrNotFound) {
		return waiting{}, nil
	}
	if err != nil {
		return waiting{}, err
	}
	if _, key, _ := cleanEmail(r.Email); r.Email != "" && key != w.emailKey {
		return waiting{}, nil
	}
	return w, nil
}

func (s *Store) waitingByID(ctx context.Context, q querier, id int64) (waiting, error) {
	return scanWaiting(q.QueryRowContext(ctx,
		`SELECT id, generation, email_key FROM signups
		 WHERE id = $1 AND state <> 'verified' AND (ends_at IS NULL OR ends_at > $2)`, id, millis(s.now())))
}

func scanWaiting(row *sql.Row) (waiting, error) {
	var w waiting
	err := row.Scan(&w.id, &w.generation, &w.emailKey)
	if errors.Is(err, sql.ErrNoRows) {
		return waiting{}, ErrNotFound
	}
	return w, err
}

func (s *Store) resendOwn(ctx context.Context, t *tx, id int64) error {
	w, err := s.waitingByID(ctx, t, id)
	if err != nil {
		return err
	}
	mail, err := s.takeTurn(ctx, t, mailLimit(), s.whoAddress(w.emailKey))
	if err != nil {
		return err
	}
	if wait := mail.at.Sub(s.now()); wait > 0 {
		return &TooSoonError{Wait: wait}
	}
	return s.renewLink(ctx, t, w, mail)
}

// renewable is how long after it was made a sign-up may get another mail. Else
// whoever asks for one each day would keep a stranger's details for ever, and
// the salt they came with beyond correctedLife.
const renewable = 7 * 24 * time.Hour

// renewLink replaces the link and the code of a sign-up by the next generation.
// It returns ErrNotFound when the sign-up was verified or ended meanwhile, or is too
// old.
func (s *Store) renewLink(ctx context.Context, t *tx, w waiting, mail turn) error {
	l := link{signupID: w.id, emailKey: w.emailKey}
	err := t.QueryRowContext(ctx,
		`UPDATE signups SET generation = generation + 1
		 WHERE id = $1 AND state <> 'verified' AND (ends_at IS NULL OR ends_at > $2) AND created_at > $3 RETURNING generation`,
		w.id, millis(s.now()), millis(s.now().Add(-renewable))).Scan(&l.generation)
	if err != nil {
		return fmt.Errorf("renew link: %w", notFound(err))
	}
	return s.enqueueVerifyMail(ctx, t, l, mail)
}

func (s *Store) resendOutside(ctx context.Context, t *tx, emailKey string) error {
	mail, ok, err := s.outsideTurn(ctx, t, emailKey)
	if err != nil || !ok {
		return err
	}
	userID, err := userByEmail(ctx, t, emailKey)
	if errors.Is(err, ErrNotFound) {
		err = s.renewNewestLink(ctx, t, emailKey, mail)
		if err == nil {
			return nil
		}
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	p := mailPayload{UserID: userID, TurnID: mail.id, MessageID: newMessageID()}
	if userID == 0 {
		return s.decoy(ctx, t, KindAccountMail, mail.at, p)
	}
	_, err = s.enqueue(ctx, t, KindAccountMail, mail.at, p)
	return err
}

// renewNewestLink is renewLink for the newest sign-up that waits for an
// address. It returns ErrNotFound when there is none.
func (s *Store) renewNewestLink(ctx context.Context, t *tx, emailKey string, mail turn) error {
	w, err := scanWaiting(t.QueryRowContext(ctx,
		`SELECT id, generation, email_key FROM signups
		 WHERE email_key = $1 AND state = 'pending' AND (ends_at IS NULL OR ends_at > $2)
		 ORDER BY id DESC LIMIT 1`, emailKey, millis(s.now())))
	if err != nil {
		return err
	}
	return s.renewLink(ctx, t, w, mail)
}
