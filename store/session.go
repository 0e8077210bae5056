package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Sessions keeps the sessions of browsers. Its methods are those that the
// session manager of package web asks of a store; tokens arrive hashed.
type Sessions struct {
	store *Store
}

// Sessions returns the part of the store that keeps sessions.
func (s *Store) Sessions() *Sessions { return &Sessions{store: s} }

// touchStep spares writes: an expiry is put off only by so much at once.
const touchStep = time.Hour

// sessionRow is a row of sessions.
type sessionRow struct {
	data    []byte
	expires time.Time
	dead    bool
}

// read returns a row in whatever state it is, and whether there is one.
func (ss *Sessions) read(ctx context.Context, token string) (sessionRow, bool, error) {
	var row sessionRow
	var expires, dead int64
	ctx, done := ss.store.db.brief(ctx)
	defer done()
	err := ss.store.readers.QueryRowContext(ctx,
		`SELECT data, expires_at, dead FROM sessions WHERE token = $1`, token).Scan(&row.data, &expires, &dead)
	if errors.Is(err, sql.ErrNoRows) {
		return sessionRow{}, false, nil
	}
	if err != nil {
		return sessionRow{}, false, fmt.Errorf("read session: %w", err)
	}
	row.expires, row.dead = fromMillis(expires), dead != 0
	return row, true, nil
}

// FindCtx returns the data of a session and whether there is such a session
// that has neither ended nor expired.
func (ss *Sessions) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	row, found, err := ss.read(ctx, token)
	if err != nil || !found || row.dead || !row.expires.After(ss.store.now()) {
		return nil, false, err
	}
	return row.data, true, nil
}

// CommitCtx stores a session, unless it was ended: a request that was under
// way meanwhile cannot bring it back. What would change next to nothing is not
// written.
func (ss *Sessions) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	row, found, err := ss.read(ctx, token)
	if err != nil {
		return err
	}
	if found && (row.dead || bytes.Equal(row.data, data) && expiry.Sub(row.expires).Abs() < touchStep) {
		return nil
	}
	err = ss.store.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx,
			`INSERT INTO sessions (token, data, expires_at) VALUES ($1, $2, $3)
			 ON CONFLICT (token) DO UPDATE SET data = excluded.data, expires_at = excluded.expires_at
			 WHERE sessions.dead = 0`, token, data, millis(expiry))
		return err
	})
	if err != nil {
		return fmt.Errorf("write session: %w", err)
	}
	return nil
}

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

// Find is FindCtx without a context.
func (ss *Sessions) Find(token string) ([]byte, bool, error) {
	return ss.FindCtx(context.Background(), token)
}

// Commit is CommitCtx without a context.
func (ss *Sessions) Commit(token string, data []byte, expiry time.Time) error {
	return ss.CommitCtx(context.Background(), token, data, expiry)
}

// Delete is DeleteCtx without a context.
func (ss *Sessions) Delete(token string) error {
	return ss.DeleteCtx(context.Background(), token)
}
