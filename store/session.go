package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Sessions keeps the sessions of browsers; tokens arrive hashed.
type Sessions struct {
	store *Store
}

// Sessions returns the part of the store that keeps sessions.
func (s *Store) Sessions() *Sessions { return &Sessions{store: s} }

// Session is what is kept of a browser.
type Session struct {
	Token     string // hashed
	UserID    int64  // of the member who is logged in, 0 for a guest
	Device    string // short words of the browser, such as "Firefox on Windows"
	Data      []byte
	ExpiresAt time.Time
}

// touchStep spares writes: an expiry is put off only by so much at once.
const touchStep = time.Hour

// read returns a session in whatever state it is, and whether there is one.
func (ss *Sessions) read(ctx context.Context, token string) (row Session, dead, found bool, err error) {
	var expires int64
	var user sql.NullInt64
	row.Token = token
	ctx, done := ss.store.db.brief(ctx)
	defer done()
	err = ss.store.readers.QueryRowContext(ctx,
		`SELECT user_id, device, data, expires_at, dead <> 0 FROM sessions WHERE token = $1`, token).
		Scan(&user, &row.Device, &row.Data, &expires, &dead)
	if errors.Is(err, sql.ErrNoRows) {
		return Session{}, false, false, nil
	}
	if err != nil {
		return Session{}, false, false, fmt.Errorf("read session: %w", err)
	}
	row.UserID, row.ExpiresAt = user.Int64, fromMillis(expires)
	return row, dead, true, nil
}

// FindCtx returns the data of a session and whether there is such a session
// that has neither ended nor expired.
func (ss *Sessions) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	row, dead, found, err := ss.read(ctx, token)
	if err != nil || !found || dead || !row.ExpiresAt.After(ss.store.now()) {
		return nil, false, err
	}
	return row.Data, true, nil
}

// Save stores a session, unless it was ended: a request that was under way
// meanwhile cannot bring it back. What would change next to nothing is not
// written.
func (ss *Sessions) Save(ctx context.Context, fresh Session) error {
	row, dead, found, err := ss.read(ctx, fresh.Token)
	if err != nil {
		return err
	}
	if found && (dead || fresh.isNearly(row)) {
		return nil
	}
	err = ss.store.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx,
			`INSERT INTO sessions (token, user_id, device, data, created_at, seen_at, expires_at)
			 VALUES ($1, $2, $3, $4, $5, $5, $6)
			 ON CONFLICT (token) DO UPDATE SET user_id = excluded.user_id, device = excluded.device,
			 data = excluded.data, seen_at = excluded.seen_at, expires_at = excluded.expires_at
			 WHERE sessions.dead = 0`,
			fresh.Token, nullID(fresh.UserID), fresh.Device, fresh.Data, millis(ss.store.now()), millis(fresh.ExpiresAt))
		return err
	})
	if err != nil {
		return fmt.Errorf("write session: %w", err)
	}
	return nil
}

func (s Session) isNearly(other Session) bool {
	return s.UserID == other.UserID && s.Device == other.Device && bytes.Equal(s.Data, other.Data) &&
		s.ExpiresAt.Sub(other.ExpiresAt).Abs() < touchStep
}

// nullID is how the number of nobody stands in the database.
func nullID(id int64) sql.NullInt64 { return sql.NullInt64{Int64: id, Valid: id != 0} }

// DeleteCtx ends a session. The row stays as a tombstone until the night work
// takes it, well after the last request that could still write it. A token
// without a row needs none: nobody was given it.
func (ss *Sessions) DeleteCtx(ctx context.Context, token string) error {
	err := ss.store.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx,
			`UPDATE sessions SET dead = 1, data = $1 WHERE token = $2`, []byte{}, token)
		return err
	})
	if err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}
