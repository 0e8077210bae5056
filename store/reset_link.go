package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// resetLife is how long a link to a new password is good once it was mailed,
// resetRest how long it stays afterwards, so that a late click finds a friendly
// page.
const (
	resetLife = time.Hour
	resetRest = 30 * 24 * time.Hour
)

// reset is a link to a new password and the member it is for.
type reset struct {
	id          int64
	emailKey    string // the link was mailed to
	credentials int64  // of the member then
	nonce       []byte
	endsAt      time.Time // zero while the mail waits
	usedAt      time.Time
	newer       bool // the member asked again since
	back        bool // the member left the address since, and came back to it

	user     User // as of now
	userKey  string
	disabled bool
}

func (r reset) proof() proof {
	return proof{purpose: purposeReset, id: r.id, generation: r.credentials, nonce: r.nonce, emailKey: r.emailKey}
}

// usable says why a genuine link gives no new password any more, nil when it does.
func (r reset) usable(now time.Time) error {
	switch {
	case !r.usedAt.IsZero():
		return ErrTokenUsed
	case r.user.Credentials != r.credentials, r.userKey != r.emailKey, r.back, r.disabled:
		return ErrTokenOvertaken
	case r.newer:
		return ErrTokenReplaced
	case !r.endsAt.IsZero() && !now.Before(r.endsAt):
		return ErrTokenExpired
	}
	return nil
}

// resetByID returns ErrNotFound for one that is nobody's.
func resetByID(ctx context.Context, q querier, id int64) (reset, error) {
	var r reset
	var ends, used, disabled sql.NullInt64
	var err error
	r.user, err = scanUser(q.QueryRowContext(ctx,
		`SELECT u.*, r.id, r.email_key, r.credentials, r.nonce, r.ends_at, r.used_at,
		 EXISTS (SELECT 1 FROM resets AS n WHERE n.user_id = r.user_id AND n.id > r.id),
		 EXISTS (SELECT 1 FROM email_changes AS c WHERE c.user_id = r.user_id AND c.email_key = r.email_key
		 AND c.state = 'proven' AND c.created_at > r.created_at)
		 FROM resets AS r JOIN (SELECT `+userColumns+`, email_key, disabled_at FROM users) AS u ON u.id = r.user_id
		 WHERE r.id = $1`, id),
		&r.userKey, &disabled, &r.id, &r.emailKey, &r.credentials, &r.nonce, &ends, &used, &r.newer, &r.back)
	if err != nil {
		return reset{}, fmt.Errorf("reset %d: %w", id, err)
	}
	r.endsAt, r.usedAt, r.disabled = fromNullMillis(ends), fromNullMillis(used), disabled.Valid
	return r, nil
}

// LookReset returns the member whom a link gives a new password, and changes
// nothing. It returns ErrTokenForged, ErrTokenExpired, ErrTokenReplaced,
// ErrTokenUsed or ErrTokenOvertaken for a link that gives none (any more).
func (s *Store) LookReset(ctx context.Context, token string) (User, error) {
	r, err := s.lookReset(ctx, s.readers, token)
	return r.user, err
}

func (s *Store) lookReset(ctx context.Context, q querier, token string) (reset, error) {
	claimed, ok := parseToken(token, purposeReset)
	if !ok {
		return reset{}, ErrTokenForged
	}
	r, err := resetByID(ctx, q, claimed.id)
	if errors.Is(err, ErrNotFound) {
		return reset{}, ErrTokenForged
	}
	if err != nil {
		return reset{}, err
	}
	if !s.key.made(token, r.proof()) {
		return reset{}, ErrTokenForged
	}
	return r, r.usable(s.now())
}
