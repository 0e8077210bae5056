package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/netip"
	"time"
)

// NewSignup is what somebody types to join.
type NewSignup struct {
	Email    string
	Name     string
	Nickname string
	Password string
	Lang     string // language of the mail: "ko" or "en"
	Client   netip.Addr
	// FormID is that of the form, "" when there was none. A form that is sent
	// twice is one sign-up.
	FormID string
}

// Delivery is how far the mail of a sign-up has come.
type Delivery string

// The states of a mail as the pending page shows them.
const (
	Queued  Delivery = "queued"
	Sending Delivery = "sending"
	Sent    Delivery = "sent" // taken by the mail server
	Failed  Delivery = "failed"
)

// Signup is a pending sign-up as its own browser sees it.
type Signup struct {
	ID       int64
	Email    string
	Nickname string
	Delivery Delivery
	// ResendAt is when the next mail may be asked for; zero when it may be now.
	ResendAt time.Time
	// Locked is true of a link that too many wrong passwords were tried on: it
	// verifies in its own browser alone. Only LookToken tells.
	Locked bool
}

// signupLife is how long a sign-up lives once its mail has ended.
const signupLife = 24 * time.Hour

// SignUp records a pending sign-up together with the job of its mail and
// returns its id. An address that has an account goes the very same way; the
// worker chooses the mail when it sends. It returns *InvalidError,
// *TooSoonError when a limit in time is used up, *BusyError when no hash slot
// comes free.
func (s *Store) SignUp(ctx context.Context, n NewSignup) (int64, error) {
	p, err := s.newPerson(ctx, details{n.Email, n.Name, n.Nickname, n.Password, Member})
	if err != nil {
		return 0, fmt.Errorf("sign up: %w", err)
	}
	leave, err := s.passSignup(ctx, p, n)
	if err != nil {
		return 0, fmt.Errorf("sign up: %w", err)
	}
	defer leave()
	if p.hash, err = s.hashFor(ctx, n.Password, p.emailKey); err != nil {
		return 0, fmt.Errorf("sign up: %w", err)
	}
	var id int64
	err = s.write(ctx, func(ctx context.Context, t *tx) (err error) {
		if id, err = s.sameSignup(ctx, t, p, n.FormID); !errors.Is(err, ErrNotFound) {
			return err
		}
		if _, err := s.takeTurn(ctx, t, signupLimit(), s.whoClient(n.Client)); err != nil {
			return err
		}
		mail, err := s.takeTurn(ctx, t, mailLimit(), s.whoAddress(p.emailKey))
		if err != nil {
			return err
		}
		if id, err = s.insertSignup(ctx, t, p, n); err != nil {
			return err
		}
		return s.enqueueVerifyMail(ctx, t, link{signupID: id, generation: 1, emailKey: p.emailKey}, mail)
	})
	if err != nil {
		return 0, fmt.Errorf("sign up: %w", err)
	}
	return id, nil
}

func (s *Store) insertSignup(ctx context.Context, t *tx, p person, n NewSignup) (int64, error) {
	var id int64
	err := t.QueryRowContext(ctx,
		`INSERT INTO signups (email, email_key, name, nickname, password_hash, lang, form_id, created_at, admin_password)
		 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id`,
		p.email, p.emailKey, p.name, p.nickname, p.hash, n.Lang, n.FormID, millis(s.now()), bit(p.forAdmin)).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("insert sign-up: %w", err)
	}
	return id, nil
}

// enqueueVerifyMail gives a sign-up its next link and the job that mails it,
// due when the address's turn has come.
func (s *Store) enqueueVerifyMail(ctx context.Context, t *tx, l link, mail turn) error {
	l.nonce = newNonce()
	_, err := t.ExecContext(ctx,
		`INSERT INTO signup_links (signup_id, generation, email_key, nonce) VALUES ($1, $2, $3, $4)`,
		l.signupID, l.generation, l.emailKey, l.nonce)
	if err != nil {
		return fmt.Errorf("insert link: %w", err)
	}
	job, err := s.enqueue(ctx, t, KindVerifyMail, mail.at, mailPayload{
		SignupID: l.signupID, Generation: l.generation, TurnID: mail.id, MessageID: newMessageID(),
	})
	if err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, `UPDATE signups SET job_id = $1, ends_at = NULL WHERE id = $2`, job, l.signupID)
	if err != nil {
		return fmt.Errorf("note job of sign-up: %w", err)
	}
	return nil
}

// SignupByID returns a sign-up whose address is still to be proven. One that
// another sign-up of the same address overtook looks as before: its mail that
// died and found nothing left to say when it was tried again has not been sent.
// It returns ErrNotFound when it was verified or has ended.
func (s *Store) SignupByID(ctx context.Context, id int64) (Signup, error) {
	var u Signup
	var key, state string
	err := s.readers.QueryRowContext(ctx,
		`SELECT u.id, u.email, u.email_key, u.nickname,
		 CASE WHEN j.state = 'done' AND j.forgiven > 0 AND l.sent_at IS NULL THEN 'dead' ELSE COALESCE(j.state, 'dead') END
		 FROM signups AS u LEFT JOIN jobs AS j ON j.id = u.job_id
		 LEFT JOIN signup_links AS l ON l.signup_id = u.id AND l.generation = u.generation
		 WHERE u.id = $1 AND u.state <> 'verified' AND (u.ends_at IS NULL OR u.ends_at > $2)`,
		id, millis(s.now())).Scan(&u.ID, &u.Email, &key, &u.Nickname, &state)
	if errors.Is(err, sql.ErrNoRows) {
		return Signup{}, ErrNotFound
	}
	if err != nil {
		return Signup{}, fmt.Errorf("sign-up %d: %w", id, err)
	}
	u.Delivery = deliveryOf(state)
	if u.ResendAt, err = s.resendAt(ctx, key); err != nil {
		return Signup{}, fmt.Errorf("sign-up %d: %w", id, err)
	}
	return u, nil
}

func deliveryOf(jobState string) Delivery {
	switch jobState {
	case Running:
		return Sending
	case Done:
		return Sent
	case Dead:
		return Failed
	}
	return Queued
}

// resendAt is when the gap after the last mail to an address ends.
func (s *Store) resendAt(ctx context.Context, emailKey string) (time.Time, error) {
	if s.noLimits {
		return time.Time{}, nil
	}
	now := s.now()
	at, err := nextTurn(ctx, s.readers, mailLimit(), s.whoAddress(emailKey), now)
	if err != nil || !at.After(now) {
		return time.Time{}, err
	}
	return at, nil
}
