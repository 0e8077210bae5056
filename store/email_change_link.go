package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// emailChangeLife bounds how long a change may wait for its mail to go out;
// emailChangeRest is how long it stays, so that a late click finds a friendly
// page.
const (
	emailChangeLife = 7 * 24 * time.Hour
	emailChangeRest = 30 * 24 * time.Hour
)

// emailChange is a change of a member's address, which is proven by a link.
type emailChange struct {
	id, userID       int64
	email, emailKey  string
	hash             string // of the password, with the salt of the address
	oldEmail, oldKey string
	credentials      int64 // of the member when it was asked for
	nonce            []byte
	state            string
	createdAt        time.Time
	sentAt           time.Time // zero before the hand-over

	user User // as of now
	left bool // disabled or deleted
}

func (c emailChange) proof() proof {
	return proof{purpose: purposeEmail, id: c.id, generation: c.credentials, nonce: c.nonce, emailKey: c.emailKey}
}

// usable says why a genuine link proves nothing any more, nil when it does.
func (c emailChange) usable(now time.Time) error {
	over := !now.Before(c.createdAt.Add(emailChangeLife)) || !c.sentAt.IsZero() && !now.Before(c.sentAt.Add(linkLife))
	switch {
	case c.state == "proven":
		return ErrAlreadyVerified
	case c.left, c.user.Credentials != c.credentials:
		return ErrTokenOvertaken
	case c.state == "replaced":
		return ErrTokenReplaced
	case over:
		return ErrTokenExpired
	}
	return nil
}

// open reports whether a change still waits for its proof.
func (c emailChange) open(now time.Time) bool { return c.usable(now) == nil }

// emailChangeByID returns ErrNotFound for an unknown one.
func emailChangeByID(ctx context.Context, q querier, id int64) (emailChange, error) {
	var c emailChange
	var created int64
	var sent sql.NullInt64
	var err error
	c.user, err = scanUser(q.QueryRowContext(ctx,
		`SELECT u.*, c.id, c.email, c.email_key, c.password_hash, c.old_email, c.old_key, c.credentials, c.nonce, c.state, c.created_at, c.sent_at
		 FROM email_changes AS c JOIN (SELECT `+userColumns+`, disabled_at IS NOT NULL OR deleted_at IS NOT NULL FROM users) AS u
		 ON u.id = c.user_id WHERE c.id = $1`, id),
		&c.left, &c.id, &c.email, &c.emailKey, &c.hash, &c.oldEmail, &c.oldKey, &c.credentials, &c.nonce, &c.state, &created, &sent)
	if err != nil {
		return emailChange{}, fmt.Errorf("change of address %d: %w", id, err)
	}
	c.userID, c.createdAt, c.sentAt = c.user.ID, fromMillis(created), fromNullMillis(sent)
	return c, nil
}

// LookEmail returns the address that a link would prove for a member, and
// changes nothing. It returns ErrForbidden for the link of another member, and
// ErrTokenForged, ErrTokenExpired, ErrTokenReplaced, ErrTokenOvertaken or
// ErrAlreadyVerified for one that proves nothing (any more).
func (s *Store) LookEmail(ctx context.Context, userID int64, token string) (string, error) {
	c, err := s.lookEmail(ctx, s.readers, userID, token)
	return c.email, err
}

func (s *Store) lookEmail(ctx context.Context, q querier, userID int64, token string) (emailChange, error) {
	claimed, ok := parseToken(token, purposeEmail)
	if !ok {
		return emailChange{}, ErrTokenForged
	}
	c, err := emailChangeByID(ctx, q, claimed.id)
	if errors.Is(err, ErrNotFound) {
		return emailChange{}, ErrTokenForged
	}
	if err != nil {
		return emailChange{}, err
	}
	switch {
	case !s.key.made(token, c.proof()):
		return emailChange{}, ErrTokenForged
	case c.userID != userID:
		return emailChange{}, ErrForbidden
	}
	return c, c.usable(s.now())
}

// PendingEmail is the address that a member wants to change to and has still
// to prove, "" when there is none.
func (s *Store) PendingEmail(ctx context.Context, u User) (string, error) {
	var id int64
	err := s.readers.QueryRowContext(ctx,
		`SELECT id FROM email_changes WHERE user_id = $1 AND state = 'pending' ORDER BY id DESC LIMIT 1`, u.ID).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("pending address of user %d: %w", u.ID, err)
	}
	c, err := emailChangeByID(ctx, s.readers, id)
	switch {
	case errors.Is(err, ErrNotFound):
		return "", nil
	case err != nil:
		return "", err
	case !c.open(s.now()):
		return "", nil
	}
	return c.email, nil
}

// overChanges empties the changes that nobody proved in time of what they keep
// of the password.
func (s *Store) overChanges() expired {
	return expired{"email_changes", millis(s.now()), fmt.Sprintf(`UPDATE email_changes SET password_hash = '' WHERE id IN
		(SELECT id FROM email_changes WHERE password_hash <> '' AND (created_at + %d <= $1 OR sent_at + %d <= $1) ORDER BY id LIMIT $2)`,
		emailChangeLife.Milliseconds(), linkLife.Milliseconds())}
}
