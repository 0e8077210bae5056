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
}

// LoggedIn is the result of a good login: a member, or the newest sign-up of
// an address that is not proven yet. Exactly one of the two is set.
type LoggedIn struct {
	User     User
	SignupID int64
}

// Authenticate checks an address and a password. An address that is not
// proven yet answers with its newest sign-up. It returns ErrLogin for an
// unknown address, a wrong password and a disabled member alike, each after
// exactly one hash; *BusyError when no hash slot comes free.
func (s *Store) Authenticate(ctx context.Context, l Login) (LoggedIn, error) {
	in, hash, err := s.candidate(ctx, l.Email)
	if err != nil {
		return LoggedIn{}, fmt.Errorf("log in: %w", err)
	}
	if passwordProblem(l.Password, 1) != "" {
		hash = "" // nobody has such a password
		l.Password = ""
	}
	matches, err := s.hasher.matches(ctx, hash, l.Password)
	if err != nil {
		return LoggedIn{}, fmt.Errorf("log in: %w", err)
	}
	if !matches {
		return LoggedIn{}, ErrLogin
	}
	if in.User.ID != 0 && outdated(hash) {
		s.renewHash(ctx, in.User.ID, hash, l.Password)
	}
	return in, nil
}

// renewHash brings a hash up to today's parameters, now that the password is
// at hand. A failure costs nothing: the next login tries again.
func (s *Store) renewHash(ctx context.Context, userID int64, old, password string) {
	fresh, err := s.hasher.hash(ctx, password)
	if err == nil {
		err = s.write(ctx, func(ctx context.Context, t *tx) error {
			_, err := t.ExecContext(ctx, `UPDATE users SET password_hash = $1 WHERE id = $2 AND password_hash = $3`, fresh, userID, old)
			return err
		})
	}
	if err != nil {
		s.log.WarnContext(ctx, "password hash not renewed", slog.Int64("user", userID), slog.Any("err", err))
	}
}

// candidate is who an address would log in as, and the hash to compare with;
// for nobody the hash is empty.
func (s *Store) candidate(ctx context.Context, email string) (in LoggedIn, hash string, err error) {
	_, key, problem := cleanEmail(email)
	if problem != "" {
		return LoggedIn{}, "", nil
	}
	var disabled sql.NullInt64
	in.User, err = scanUser(s.readers.QueryRowContext(ctx,
		`SELECT `+userColumns+`, password_hash, disabled_at FROM users WHERE email_key = $1`, key), &hash, &disabled)
	switch {
	case err == nil && disabled.Valid:
		return LoggedIn{}, "", nil
	case err == nil:
		return in, hash, nil
	case !errors.Is(err, ErrNotFound):
		return LoggedIn{}, "", err
	}
	err = s.readers.QueryRowContext(ctx,
		`SELECT id, password_hash FROM signups
		 WHERE email_key = $1 AND state = 'pending' AND (ends_at IS NULL OR ends_at > $2)
		 ORDER BY id DESC LIMIT 1`, key, millis(s.now())).Scan(&in.SignupID, &hash)
	if errors.Is(err, sql.ErrNoRows) {
		return LoggedIn{}, "", nil
	}
	return in, hash, err
}
