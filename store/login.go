package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
)

// Login is what somebody types to log in.
type Login struct {
	Email    string
	Password string
	Client   netip.Addr
	// Reset is the member whose password was set in this browser by the link of
	// a mail, 0 for none: strangers who guess cannot keep that member out.
	Reset int64
}

// LoggedIn is the result of a good login: a member, or the newest sign-up of
// an address that is not proven yet. Exactly one of the two is set.
type LoggedIn struct {
	User     User
	SignupID int64
}

// Authenticate checks an address and a password. The password of the newest
// sign-up of an address leads to that sign-up, whether the address has a member
// or not: else a sign-up with a stranger's address would tell. It returns
// ErrLogin for an unknown address, a wrong password and a disabled member
// alike, after the same number of hashes; *BusyError when no hash slot comes
// free; *TooSoonError, for the right password too, while a throttle holds: after
// ten failures of the address, or a hundred of the client, within 15 minutes.
// Where a link gave this browser the new password, the failures of others at
// the address do not count.
func (s *Store) Authenticate(ctx context.Context, l Login) (LoggedIn, error) {
	h, who, err := s.throttleOf(ctx, l)
	if err != nil {
		return LoggedIn{}, fmt.Errorf("log in: %w", err)
	}
	turns, err := s.takeTries(ctx, h, who, l.Client)
	if err != nil {
		return LoggedIn{}, fmt.Errorf("log in: %w", err)
	}
	in, err := s.authenticate(ctx, l)
	if !errors.Is(err, ErrLogin) {
		s.giveTriesBack(ctx, turns)
	}
	return in, err
}

// throttleOf is the throttle of the account that somebody wants to log in to.
func (s *Store) throttleOf(ctx context.Context, l Login) (throttle, []byte, error) {
	_, key, problem := cleanEmail(l.Email)
	if problem != "" {
		key = l.Email // no address, but counted all the same
	}
	if l.Reset == 0 {
		return loginThrottle(), s.whoAddress(key), nil
	}
	switch id, err := userByEmail(ctx, s.readers, key); {
	case err == nil && id == l.Reset:
		return resetLoginThrottle(), s.whoMember(id), nil
	case err != nil && !errors.Is(err, ErrNotFound):
		return throttle{}, nil, err
	}
	return loginThrottle(), s.whoAddress(key), nil
}

func (s *Store) authenticate(ctx context.Context, l Login) (LoggedIn, error) {
	if passwordProblem(l.Password, 1) != "" {
		l.Email, l.Password = "", "" // nobody has such a password
	}
	ways, hashes, err := s.waysIn(ctx, l.Email)
	if err != nil {
		return LoggedIn{}, fmt.Errorf("log in: %w", err)
	}
	encoded := make([]string, len(ways))
	for i, w := range ways {
		encoded[i] = w.hash
	}
	found, err := s.hasher.match(ctx, l.Password, hashes, encoded...)
	if err != nil {
		return LoggedIn{}, fmt.Errorf("log in: %w", err)
	}
	if found < 0 {
		return LoggedIn{}, ErrLogin
	}
	if way := ways[found]; way.User.ID != 0 {
		s.learn(ctx, way, l.Password)
	}
	return ways[found].LoggedIn, nil
}

// learn brings a hash up to today's parameters, and what is known of the
// password, now that it is at hand. A failure costs nothing: the next login
// tries again.
func (s *Store) learn(ctx context.Context, w way, password string) {
	u, hash := w.User, w.hash
	does := forAdmin(password, u.Email, u.Nickname, u.Name)
	if does == w.forAdmin && !outdated(hash) {
		return
	}
	_, key, _ := cleanEmail(u.Email)
	var err error
	if outdated(hash) {
		hash, err = s.hashFor(ctx, password, key)
	}
	if err == nil {
		err = s.write(ctx, func(ctx context.Context, t *tx) error {
			_, err := t.ExecContext(ctx, `UPDATE users SET password_hash = $1, admin_password = $2 WHERE id = $3 AND password_hash = $4`,
				hash, bit(does), u.ID, w.hash)
			return err
		})
	}
	if err != nil {
		s.log.WarnContext(ctx, "password not looked at", slog.Int64("user", u.ID), slog.Any("err", err))
	}
}

// way is one of the two things a password can lead to.
type way struct {
	LoggedIn
	hash     string
	forAdmin bool // the password is known to do for an administrator
}

// waysIn are the member of an address and its newest sign-up, as far as there
// are any, and how many hashes a try must cost at least.
func (s *Store) waysIn(ctx context.Context, email string) (ways []way, hashes int, err error) {
	_, key, problem := cleanEmail(email)
	if problem != "" {
		return nil, 1, nil
	}
	var member, signup way
	var disabled sql.NullInt64
	member.User, err = scanUser(s.readers.QueryRowContext(ctx,
		`SELECT `+userColumns+`, password_hash, admin_password, disabled_at FROM users WHERE email_key = $1`, key),
		&member.hash, &member.forAdmin, &disabled)
	switch {
	case err == nil && !disabled.Valid:
		ways = append(ways, member)
	case err != nil && !errors.Is(err, ErrNotFound):
		return nil, 0, err
	}
	err = s.readers.QueryRowContext(ctx,
		`SELECT id, password_hash FROM signups
		 WHERE email_key = $1 AND state <> 'verified' AND (ends_at IS NULL OR ends_at > $2)
		 ORDER BY id DESC LIMIT 1`, key, millis(s.now())).Scan(&signup.SignupID, &signup.hash)
	switch {
	case err == nil:
		ways = append(ways, signup)
	case !errors.Is(err, sql.ErrNoRows):
		return nil, 0, err
	}
	hashes, err = s.loginHashes(ctx, key)
	return ways, hashes, err
}
