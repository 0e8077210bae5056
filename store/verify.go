package store

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
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

// link is one mailed generation of a sign-up and the sign-up it belongs to.
type link struct {
	signupID      int64
	generation    int64 // of this link
	emailKey      string
	nonce         []byte
	sentAt        time.Time // zero before the hand-over
	codeTries     int
	passwordTries int

	current int64 // generation of the newest link
	state   string
	endsAt  time.Time
	email   string
	person  person
	lang    string
}

func (l link) proof() proof {
	return proof{purpose: purposeVerify, id: l.signupID, generation: l.generation, nonce: l.nonce, emailKey: l.emailKey}
}

func (l link) over(now time.Time, life time.Duration) bool {
	return !l.sentAt.IsZero() && !now.Before(l.sentAt.Add(life))
}

// linkByGeneration returns ErrNotFound for an unknown one. Generation 0 is the
// newest.
func linkByGeneration(ctx context.Context, q querier, signupID, generation int64) (link, error) {
	l := link{signupID: signupID}
	var sent, ends sql.NullInt64
	err := q.QueryRowContext(ctx,
		`SELECT l.generation, l.email_key, l.nonce, l.sent_at, l.code_tries, l.password_tries,
		        u.generation, u.state, u.ends_at, u.email, u.email_key, u.name, u.nickname, u.password_hash, u.lang
		 FROM signups AS u JOIN signup_links AS l ON l.signup_id = u.id
		 WHERE u.id = $1 AND l.generation = CASE WHEN $2 = 0 THEN u.generation ELSE $2 END`, signupID, generation).
		Scan(&l.generation, &l.emailKey, &l.nonce, &sent, &l.codeTries, &l.passwordTries,
			&l.current, &l.state, &ends, &l.email, &l.person.emailKey, &l.person.name, &l.person.nickname, &l.person.hash, &l.lang)
	if errors.Is(err, sql.ErrNoRows) {
		return link{}, ErrNotFound
	}
	if err != nil {
		return link{}, fmt.Errorf("link %d of sign-up %d: %w", generation, signupID, err)
	}
	l.sentAt, l.endsAt, l.person.email = fromNullMillis(sent), fromNullMillis(ends), l.email
	return l, nil
}

// LookToken returns the sign-up that a link would verify, and changes nothing.
// It returns ErrTokenForged, ErrTokenExpired, ErrTokenReplaced or
// ErrAlreadyVerified for a link that verifies nothing (any more).
func (s *Store) LookToken(ctx context.Context, token string) (Signup, error) {
	l, err := s.lookToken(ctx, s.readers, token)
	return Signup{ID: l.signupID, Email: l.email, Nickname: l.person.nickname}, err
}

func (s *Store) lookToken(ctx context.Context, q querier, token string) (link, error) {
	claimed, ok := parseToken(token)
	if !ok || claimed.purpose != purposeVerify || claimed.generation == 0 {
		return link{}, ErrTokenForged
	}
	l, err := linkByGeneration(ctx, q, claimed.id, claimed.generation)
	if errors.Is(err, ErrNotFound) {
		return link{}, ErrTokenForged
	}
	if err != nil {
		return link{}, err
	}
	if subtle.ConstantTimeCompare([]byte(token), []byte(s.key.token(l.proof()))) != 1 {
		return link{}, ErrTokenForged
	}
	return l, l.usable(s.now())
}

// usable says why a genuine link verifies nothing any more, nil when it does.
func (l link) usable(now time.Time) error {
	switch {
	case l.state == "verified", l.state == "superseded" && l.generation == l.current:
		return ErrAlreadyVerified
	case l.generation != l.current:
		return ErrTokenReplaced
	case l.over(now, linkLife), !l.endsAt.IsZero() && !now.Before(l.endsAt):
		return ErrTokenExpired
	}
	return nil
}

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
	if passwordProblem(password) != "" {
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

// forgiveTry takes back a try that was no wrong password.
func (s *Store) forgiveTry(ctx context.Context, l link) {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx,
			`UPDATE signup_links SET password_tries = password_tries - 1
			 WHERE signup_id = $1 AND generation = $2 AND password_tries > 0`, l.signupID, l.generation)
		return err
	})
	if err != nil {
		s.log.WarnContext(ctx, "password try not given back", "signup", l.signupID, "err", err)
	}
}

// VerifyCode turns a sign-up into a member by the code of its newest mail. The
// nickname is given after a clash only. It returns ErrNotFound when the
// sign-up was verified or has ended, ErrCodeFormat, ErrCodeWrong, ErrCodeDead,
// or *InvalidError when the nickname was taken meanwhile, which counts no try.
func (s *Store) VerifyCode(ctx context.Context, signupID int64, typed, nickname string) (User, error) {
	code, ok := cleanCode(typed)
	if !ok {
		return User{}, ErrCodeFormat
	}
	var u User
	var wrong error // a wrong code is an answer, not a failure: its try must be committed
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		var err error
		u, wrong, err = s.tryCode(ctx, t, signupID, code, nickname)
		return err
	})
	if err := errors.Join(err, wrong); err != nil {
		return User{}, fmt.Errorf("verify code: %w", err)
	}
	return u, nil
}

func (s *Store) tryCode(ctx context.Context, t *tx, signupID int64, code, nickname string) (u User, wrong, err error) {
	l, err := linkByGeneration(ctx, t, signupID, 0)
	if err != nil {
		return User{}, nil, err
	}
	now := s.now()
	if l.state == "verified" || !l.endsAt.IsZero() && !now.Before(l.endsAt) {
		return User{}, nil, ErrNotFound
	}
	if l.over(now, codeLife) {
		return User{}, ErrCodeDead, nil
	}
	left, err := countCodeTry(ctx, t, l)
	if err != nil {
		return User{}, nil, err
	}
	if left < 0 {
		return User{}, ErrCodeDead, nil
	}
	if l.state == "pending" && subtle.ConstantTimeCompare([]byte(code), []byte(s.key.code(l.proof()))) == 1 {
		u, err = s.promote(ctx, t, l, nickname)
		if !errors.Is(err, ErrAlreadyVerified) {
			return u, nil, err
		}
	}
	if left == 0 {
		return User{}, ErrCodeDead, nil
	}
	return User{}, ErrCodeWrong, nil
}

// countCodeTry counts a try before anything is compared and returns how many
// are left after it, -1 when there was none to count.
func countCodeTry(ctx context.Context, t *tx, l link) (int, error) {
	var used int
	err := t.QueryRowContext(ctx,
		`UPDATE signup_links SET code_tries = code_tries + 1
		 WHERE signup_id = $1 AND generation = $2 AND code_tries < $3 RETURNING code_tries`,
		l.signupID, l.generation, codeTries).Scan(&used)
	if errors.Is(err, sql.ErrNoRows) {
		return -1, nil
	}
	if err != nil {
		return 0, fmt.Errorf("count code try: %w", err)
	}
	return codeTries - used, nil
}

// promote makes a member of a sign-up whose address is proven, and overtakes
// all others that wait for the same address. It returns ErrAlreadyVerified
// when somebody proved it first, *InvalidError for a nickname that is taken.
func (s *Store) promote(ctx context.Context, t *tx, l link, nickname string) (User, error) {
	if nickname == "" {
		nickname = l.person.nickname
	}
	p, problem := l.person, Problem("")
	if p.nickname, p.nicknameKey, problem = cleanNickname(nickname); problem != "" {
		return User{}, &InvalidError{Fields: map[string]Problem{"nickname": problem}}
	}
	if _, err := userByEmail(ctx, t, p.emailKey); !errors.Is(err, ErrNotFound) {
		return User{}, errors.Join(ErrAlreadyVerified, err)
	}
	n, err := rowsChanged(t.ExecContext(ctx,
		`UPDATE signups SET state = 'verified', name = '', nickname = '', password_hash = '', ends_at = $1
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
	return s.insertUser(ctx, t, p, Member, l.lang)
}

// rowsChanged is the number of rows of an Exec.
func rowsChanged(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
