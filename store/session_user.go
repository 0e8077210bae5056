package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// OpenSession is a session as its member sees it in the list of theirs.
type OpenSession struct {
	ID        int64
	Device    string // short words of the browser, "" when it is not known
	CreatedAt time.Time
	SeenAt    time.Time
	Current   bool // the one that asks
}

// sessionsMax bounds the list of a member's sessions.
const sessionsMax = 100

// endSessions ends the sessions of a member but the one with the token except,
// which is hashed; "" spares none. As in DeleteCtx the rows stay as
// tombstones: a request that is under way brings none of them back.
func endSessions(ctx context.Context, t *tx, userID int64, except string) error {
	_, err := t.ExecContext(ctx,
		`UPDATE sessions SET dead = 1, data = $1 WHERE user_id = $2 AND dead = 0 AND token <> $3`,
		[]byte{}, userID, except)
	if err != nil {
		return fmt.Errorf("end sessions of user %d: %w", userID, err)
	}
	return nil
}

// OfUser lists the sessions a member has open, the one used last first. Current
// is the hashed token of the session that asks.
func (ss *Sessions) OfUser(ctx context.Context, userID int64, current string) (list []OpenSession, err error) {
	rows, err := ss.store.readers.QueryContext(ctx,
		`SELECT id, device, created_at, seen_at, token = $1 FROM sessions
		 WHERE user_id = $2 AND dead = 0 AND expires_at > $3 ORDER BY seen_at DESC, id DESC LIMIT $4`,
		current, userID, millis(ss.store.now()), sessionsMax)
	if err != nil {
		return nil, fmt.Errorf("sessions of user %d: %w", userID, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var one OpenSession
		var created, seen int64
		if err := rows.Scan(&one.ID, &one.Device, &created, &seen, &one.Current); err != nil {
			return nil, fmt.Errorf("sessions of user %d: %w", userID, err)
		}
		one.CreatedAt, one.SeenAt = fromMillis(created), fromMillis(seen)
		list = append(list, one)
	}
	return list, rows.Err()
}

// End ends one session of a member by its number. It returns ErrNotFound for
// one that is somebody else's, or is not open any more.
func (ss *Sessions) End(ctx context.Context, userID, id int64) error {
	err := ss.store.write(ctx, func(ctx context.Context, t *tx) error {
		return found(t.ExecContext(ctx,
			`UPDATE sessions SET dead = 1, data = $1 WHERE id = $2 AND user_id = $3 AND dead = 0`, []byte{}, id, userID))
	})
	if err != nil {
		return fmt.Errorf("end session %d of user %d: %w", id, userID, err)
	}
	return nil
}

// EndOthers ends all sessions of a member but the one with the hashed token
// except.
func (ss *Sessions) EndOthers(ctx context.Context, userID int64, except string) error {
	return ss.store.write(ctx, func(ctx context.Context, t *tx) error {
		return endSessions(ctx, t, userID, except)
	})
}
