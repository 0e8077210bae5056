package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"time"
)

// Role is what a member may do.
type Role string

// The roles, from the least to the most rights.
const (
	Member    Role = "member"
	Moderator Role = "moderator"
	Admin     Role = "admin"
)

// User is a member whose address is proven. A sign-up is no user.
type User struct {
	ID        int64
	Email     string // as typed
	Nickname  string
	Name      string // seen by admins only
	Role      Role
	Lang      string // "ko" or "en"
	CreatedAt time.Time
}

// Moderates reports whether the user may change what others wrote.
func (u User) Moderates() bool { return u.Role == Moderator || u.Role == Admin }

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

// NewAdmin holds the details of an administrator made by the command line.
type NewAdmin struct {
	Email    string
	Nickname string
	Name     string
	Password string
}

// userColumns are scanned by scanUser.
const userColumns = `id, email, nickname, name, role, lang, created_at`

func scanUser(row interface{ Scan(...any) error }, more ...any) (User, error) {
	var u User
	var created int64
	err := row.Scan(append([]any{&u.ID, &u.Email, &u.Nickname, &u.Name, &u.Role, &u.Lang, &created}, more...)...)
	if errors.Is(err, sql.ErrNoRows) {
		return User{}, ErrNotFound
	}
	u.CreatedAt = fromMillis(created)
	return u, err
}

// UserByID returns a member. It returns ErrNotFound for a disabled one too.
func (s *Store) UserByID(ctx context.Context, id int64) (User, error) {
	u, err := scanUser(s.readers.QueryRowContext(ctx,
		`SELECT `+userColumns+` FROM users WHERE id = $1 AND disabled_at IS NULL`, id))
	if err != nil {
		return User{}, fmt.Errorf("user %d: %w", id, err)
	}
	return u, nil
}

// SetLang sets the language of a member's pages and mails.
func (s *Store) SetLang(ctx context.Context, userID int64, lang string) error {
	return s.updateUser(ctx, userID, "lang", lang)
}

// SetRole sets what a member may do.
func (s *Store) SetRole(ctx context.Context, userID int64, role Role) error {
	return s.updateUser(ctx, userID, "role", string(role))
}

// updateUser sets one column, whose name is never user input.
func (s *Store) updateUser(ctx context.Context, userID int64, column, value string) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		result, err := t.ExecContext(ctx, `UPDATE users SET `+column+` = $1 WHERE id = $2`, value, userID) //nolint:gosec // a constant column
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(ErrNotFound, err)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("set %s of user %d: %w", column, userID, err)
	}
	return nil
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

// CreateAdmin makes a verified administrator. It returns *InvalidError, also
// for an address or a nickname that is taken.
func (s *Store) CreateAdmin(ctx context.Context, n NewAdmin) (User, error) {
	p, err := s.newPerson(ctx, details{n.Email, n.Name, n.Nickname, n.Password, adminPasswordMin})
	if err != nil {
		return User{}, fmt.Errorf("create admin: %w", err)
	}
	var u User
	err = s.write(ctx, func(ctx context.Context, t *tx) error {
		if _, err := userByEmail(ctx, t, p.emailKey); err == nil {
			return &InvalidError{Fields: map[string]Problem{"email": Taken}}
		}
		u, err = s.insertUser(ctx, t, p, Admin, "en")
		return err
	})
	if err != nil {
		return User{}, fmt.Errorf("create admin: %w", err)
	}
	return u, nil
}

// insertUser makes a member. It returns *InvalidError when the nickname
// belongs to somebody else by now.
func (s *Store) insertUser(ctx context.Context, t *tx, p person, role Role, lang string) (User, error) {
	u, err := scanUser(t.QueryRowContext(ctx,
		`INSERT INTO users (email, email_key, nickname, nickname_key, name, password_hash, role, lang, created_at)
		 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		 ON CONFLICT DO NOTHING
		 RETURNING `+userColumns,
		p.email, p.emailKey, p.nickname, p.nicknameKey, p.name, p.hash, string(role), lang, millis(s.now())))
	if errors.Is(err, ErrNotFound) {
		return User{}, &InvalidError{Fields: map[string]Problem{"nickname": Taken}}
	}
	if err != nil {
		return User{}, fmt.Errorf("insert user: %w", err)
	}
	return u, nil
}

// querier is a transaction or the readers.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// userByEmail returns the id of the member with an address, ErrNotFound for none.
func userByEmail(ctx context.Context, q querier, emailKey string) (int64, error) {
	return idBy(ctx, q, `SELECT id FROM users WHERE email_key = $1`, emailKey)
}

func userByNickname(ctx context.Context, q querier, nicknameKey string) (int64, error) {
	return idBy(ctx, q, `SELECT id FROM users WHERE nickname_key = $1`, nicknameKey)
}

func idBy(ctx context.Context, q querier, query, arg string) (int64, error) {
	var id int64
	err := q.QueryRowContext(ctx, query, arg).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, ErrNotFound
	}
	return id, err
}
