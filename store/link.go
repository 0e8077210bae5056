package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// link is one mailed generation of a sign-up and the sign-up it belongs to.
type link struct {
	signupID   int64
	generation int64 // of this link
	emailKey   string
	nonce      []byte
	sentAt     time.Time // zero before the hand-over
	tries      int       // of passwords, the wrong ones and those under way

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

// ended reports whether the sign-up is over.
func (l link) ended(now time.Time) bool { return !l.endsAt.IsZero() && !now.Before(l.endsAt) }

// linkSQL is what scanLink reads, of a sign-up and a generation to be named.
const linkSQL = `SELECT u.id, l.generation, l.email_key, l.nonce, l.sent_at, l.password_tries,
	u.generation, u.state, u.ends_at, u.email, u.email_key, u.name, u.nickname, u.password_hash, u.admin_password, u.lang
	FROM signups AS u JOIN signup_links AS l ON l.signup_id = u.id
	WHERE u.id = $1 AND l.generation = `

// linkByGeneration returns ErrNotFound for an unknown one.
func linkByGeneration(ctx context.Context, q querier, signupID, generation int64) (link, error) {
	l, err := scanLink(q.QueryRowContext(ctx, linkSQL+`$2`, signupID, generation))
	if err != nil {
		return link{}, fmt.Errorf("link %d of sign-up %d: %w", generation, signupID, err)
	}
	return l, nil
}

// newestLink returns ErrNotFound for an unknown sign-up.
func newestLink(ctx context.Context, q querier, signupID int64) (link, error) {
	l, err := scanLink(q.QueryRowContext(ctx, linkSQL+`u.generation`, signupID))
	if err != nil {
		return link{}, fmt.Errorf("newest link of sign-up %d: %w", signupID, err)
	}
	return l, nil
}

func scanLink(row *sql.Row) (link, error) {
	var l link
	var sent, ends sql.NullInt64
	err := row.Scan(&l.signupID, &l.generation, &l.emailKey, &l.nonce, &sent, &l.tries,
		&l.current, &l.state, &ends, &l.email, &l.person.emailKey, &l.person.name, &l.person.nickname, &l.person.hash, &l.person.forAdmin, &l.lang)
	if err != nil {
		return link{}, notFound(err)
	}
	l.sentAt, l.endsAt, l.person.email = fromNullMillis(sent), fromNullMillis(ends), l.email
	return l, nil
}

// LookToken returns the sign-up that a link would verify, and changes nothing.
// It returns ErrTokenForged, ErrTokenExpired, ErrTokenReplaced or
// ErrAlreadyVerified for a link that verifies nothing (any more).
func (s *Store) LookToken(ctx context.Context, token string) (Signup, error) {
	l, err := s.lookToken(ctx, s.readers, token)
	return Signup{ID: l.signupID, Email: l.email, Nickname: l.person.nickname, Locked: l.tries >= passwordTries}, err
}

func (s *Store) lookToken(ctx context.Context, q querier, token string) (link, error) {
	claimed, ok := parseToken(token, purposeVerify)
	if !ok {
		return link{}, ErrTokenForged
	}
	l, err := linkByGeneration(ctx, q, claimed.id, claimed.generation)
	if errors.Is(err, ErrNotFound) {
		return link{}, ErrTokenForged
	}
	if err != nil {
		return link{}, err
	}
	if !s.key.made(token, l.proof()) {
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
	case l.over(now, linkLife), l.ended(now):
		return ErrTokenExpired
	}
	return nil
}
