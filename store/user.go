package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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
	// Credentials is one more after each change of the password, and whenever
	// else all that was given out to the member is to end. A session that was
	// opened under another number is none any more.
	Credentials int64
}

// Moderates reports whether the user may change what others wrote.
func (u User) Moderates() bool { return u.Role == Moderator || u.Role == Admin }

// MayChange reports whether the user may edit or delete what the author wrote.
// A guest, whose ID is 0, may change nothing.
func (u User) MayChange(author int64) bool {
	return u.ID != 0 && (u.ID == author || u.Moderates())
}

// notDeleted leaves out the emptied rows of members who left.
const notDeleted = ` AND deleted_at IS NULL`

// userColumns are scanned by scanUser.
const userColumns = `id, email, nickname, name, role, lang, created_at, credentials`

func scanUser(row interface{ Scan(...any) error }, more ...any) (User, error) {
	var u User
	var created int64
	err := row.Scan(append([]any{&u.ID, &u.Email, &u.Nickname, &u.Name, &u.Role, &u.Lang, &created, &u.Credentials}, more...)...)
	if err != nil {
		return User{}, notFound(err)
	}
	u.CreatedAt = fromMillis(created)
	return u, nil
}

// UserByID returns a member. It returns ErrNotFound for one who is disabled or
// has left, too.
func (s *Store) UserByID(ctx context.Context, id int64) (User, error) {
	u, err := scanUser(s.readers.QueryRowContext(ctx,
		`SELECT `+userColumns+` FROM users WHERE id = $1 AND disabled_at IS NULL`+notDeleted, id))
	if err != nil {
		return User{}, fmt.Errorf("user %d: %w", id, err)
	}
	return u, nil
}

// SetLang sets the language of a member's pages and mails.
func (s *Store) SetLang(ctx context.Context, userID int64, lang string) error {
	return s.updateUser(ctx, userID, "lang", lang)
}

// SetRole sets what a member may do, and asks nothing; see ChangeRole.
func (s *Store) SetRole(ctx context.Context, userID int64, role Role) error {
	return s.updateUser(ctx, userID, "role", string(role))
}

// updateUser sets one column, whose name is never user input.
func (s *Store) updateUser(ctx context.Context, userID int64, column, value string) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		return found(t.ExecContext(ctx, `UPDATE users SET `+column+` = $1 WHERE id = $2`, value, userID)) //nolint:gosec // a constant column
	})
	if err != nil {
		return fmt.Errorf("set %s of user %d: %w", column, userID, err)
	}
	return nil
}

// insertUser makes a member. It returns *InvalidError when the address or the
// nickname belongs to somebody else by now.
func (s *Store) insertUser(ctx context.Context, t *tx, p person, role Role, lang string) (User, error) {
	u, err := scanUser(t.QueryRowContext(ctx,
		`INSERT INTO users (email, email_key, nickname, nickname_key, name, password_hash, role, lang, created_at, admin_password)
		 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		 ON CONFLICT DO NOTHING
		 RETURNING `+userColumns,
		p.email, p.emailKey, p.nickname, p.nicknameKey, p.name, p.hash, string(role), lang, millis(s.now()), bit(p.forAdmin)))
	if errors.Is(err, ErrNotFound) {
		return User{}, taken(ctx, t, p.emailKey)
	}
	if err != nil {
		return User{}, fmt.Errorf("insert user: %w", err)
	}
	return u, nil
}

// taken says which of the two that are unique kept a member from being made.
func taken(ctx context.Context, t *tx, emailKey string) error {
	_, err := userByEmail(ctx, t, emailKey)
	if err := free("email", err); err != nil {
		return err
	}
	return &InvalidError{Fields: map[string]Problem{"nickname": Taken}}
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
	return id, notFound(err)
}
