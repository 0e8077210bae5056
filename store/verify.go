package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Proof is a click on the button of a link.
type Proof struct {
	Token string
	// SignupID is the pending sign-up of the browser's session, 0 without one.
	SignupID int64
	// Password of the sign-up, needed from any other browser.
	Password string
	// Nickname replaces one that was taken since the sign-up; else empty.
	Nickname string
}

// How long links and codes are good, from the recorded hand-over of the mail
// to the mail server, and how often they may be tried.
const (
	linkLife      = 24 * time.Hour
	codeLife      = 10 * time.Minute
	codeTries     = 5
	passwordTries = 10
)

// verifiedLife is how long a verified sign-up stays, emptied, so that a late
// click finds a friendly page.
const verifiedLife = 30 * 24 * time.Hour

// VerifyLink turns the sign-up of a link into a member; of many who press the
// button at once one wins and the others get ErrAlreadyVerified. Besides the
// errors of LookToken it returns ErrPasswordNeeded and ErrPasswordWrong from
// another browser, ErrLinkLocked after ten wrong passwords, *InvalidError when
// the nickname was taken meanwhile, *BusyError when no hash slot comes free.
func (s *Store) VerifyLink(ctx context.Context, p Proof) (User, error) {
	l, err := s.lookToken(ctx, s.readers, p.Token)
	if err != nil {
		return User{}, err
	}
	foreign := p.SignupID != l.signupID
	if foreign {
		if err := s.provePassword(ctx, l, p.Password); err != nil {
			return User{}, err
		}
	}
	var u User
	err = s.write(ctx, func(ctx context.Context, t *tx) error {
		if err := s.db.holdSignups(ctx, t, l.signupID); err != nil {
			return err
		}
		// Look again: a resend may have come between.
		l, err := s.lookToken(ctx, t, p.Token)
		if err != nil {
			return err
		}
		u, err = s.promote(ctx, t, l, p.Nickname)
		return err
	})
	if foreign && err != nil {
		s.forgiveTry(ctx, l) // the password was right
	}
	if err != nil {
		return User{}, fmt.Errorf("verify link: %w", err)
	}
	return u, nil
}

// provePassword checks the password of the sign-up itself. The try is counted
// before it is compared, so that many at once get no more than ten.
func (s *Store) provePassword(ctx context.Context, l link, password string) error {
	if password == "" {
		return ErrPasswordNeeded
	}
	counted, err := s.countTry(ctx, l)
	if err != nil {
		return err
	}
	if !counted {
		return ErrLinkLocked
	}
	hash := l.person.hash
	if passwordProblem(password, 1) != "" {
		hash, password = "", ""
	}
	matches, err := s.hasher.matches(ctx, hash, password)
	if err != nil {
		s.forgiveTry(ctx, l)
		return fmt.Errorf("verify link: %w", err)
	}
	if !matches {
		return ErrPasswordWrong
	}
	return nil
}

func (s *Store) countTry(ctx context.Context, l link) (bool, error) {
	var counted bool
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		n, err := rowsChanged(t.ExecContext(ctx,
			`UPDATE signup_links SET password_tries = password_tries + 1
			 WHERE signup_id = $1 AND generation = $2 AND password_tries < $3`, l.signupID, l.generation, passwordTries))
		counted = n == 1
		return err
	})
	if err != nil {
		return false, fmt.Errorf("count password try: %w", err)
	}
	return counted, nil
}

// forgiveTry takes back a try that was no wrong password, also of somebody who
// has gone away: otherwise ten lost connections would lock the link.
func (s *Store) forgiveTry(ctx context.Context, l link) {
	err := s.write(context.WithoutCancel(ctx), func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx,
			`UPDATE signup_links SET password_tries = password_tries - 1
			 WHERE signup_id = $1 AND generation = $2 AND password_tries > 0`, l.signupID, l.generation)
		return err
	})
	if err != nil {
		s.log.WarnContext(ctx, "password try not given back", slog.Int64("signup", l.signupID), slog.Any("err", err))
	}
}

// promote makes a member of a sign-up whose address is proven, and overtakes
// all others that wait for the same address. It returns ErrAlreadyVerified
// when somebody proved it first, *InvalidError for a nickname that is taken.
func (s *Store) promote(ctx context.Context, t *tx, l link, nickname string) (User, error) {
	if nickname == "" {
		nickname = l.person.nickname
	}
	clean, key, problem := cleanNickname(nickname)
	if problem != "" {
		return User{}, &InvalidError{Fields: map[string]Problem{"nickname": problem}}
	}
	p := l.person
	p.nickname, p.nicknameKey = clean, key
	switch _, err := userByEmail(ctx, t, p.emailKey); {
	case err == nil:
		return User{}, ErrAlreadyVerified
	case !errors.Is(err, ErrNotFound):
		return User{}, fmt.Errorf("promote sign-up: %w", err)
	}
	n, err := rowsChanged(t.ExecContext(ctx,
		`UPDATE signups SET state = 'verified', name = '', nickname = '', password_hash = '', admin_password = 0, ends_at = $1
		 WHERE id = $2 AND state = 'pending'`, millis(s.now().Add(verifiedLife)), l.signupID))
	if err != nil {
		return User{}, fmt.Errorf("promote sign-up: %w", err)
	}
	if n == 0 {
		return User{}, ErrAlreadyVerified
	}
	_, err = t.ExecContext(ctx, `UPDATE signups SET state = 'superseded' WHERE email_key = $1 AND state = 'pending'`, p.emailKey)
	if err != nil {
		return User{}, fmt.Errorf("overtake sign-ups: %w", err)
	}
	u, err := s.insertUser(ctx, t, p, Member, l.lang)
	if err != nil {
		return User{}, err
	}
	_, err = t.ExecContext(ctx, `UPDATE signups SET user_id = $1 WHERE id = $2`, u.ID, l.signupID)
	if err != nil {
		return User{}, fmt.Errorf("note member of sign-up: %w", err)
	}
	return u, nil
}
