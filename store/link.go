package store

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// link is one mailed generation of a sign-up and the sign-up it belongs to.
type link struct {
	signupID      int64
	generation    int64 // of this link
	emailKey      string
	nonce         []byte
	sentAt        time.Time // zero before the hand-over
	codeTries     int
	passwordTries int

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

// linkByGeneration returns ErrNotFound for an unknown one. Generation 0 is the
// newest.
func linkByGeneration(ctx context.Context, q querier, signupID, generation int64) (link, error) {
	l := link{signupID: signupID}
	var sent, ends sql.NullInt64
	err := q.QueryRowContext(ctx,
		`SELECT l.generation, l.email_key, l.nonce, l.sent_at, l.code_tries, l.password_tries,
		        u.generation, u.state, u.ends_at, u.email, u.email_key, u.name, u.nickname, u.password_hash, u.lang
		 FROM signups AS u JOIN signup_links AS l ON l.signup_id = u.id
		 WHERE u.id = $1 AND l.generation = CASE WHEN $2 = 0 THEN u.generation ELSE $2 END`, signupID, generation).
		Scan(&l.generation, &l.emailKey, &l.nonce, &sent, &l.codeTries, &l.passwordTries,
			&l.current, &l.state, &ends, &l.email, &l.person.emailKey, &l.person.name, &l.person.nickname, &l.person.hash, &l.lang)
	if errors.Is(err, sql.ErrNoRows) {
		return link{}, ErrNotFound
	}
	if err != nil {
		return link{}, fmt.Errorf("link %d of sign-up %d: %w", generation, signupID, err)
	}
	l.sentAt, l.endsAt, l.person.email = fromNullMillis(sent), fromNullMillis(ends), l.email
	return l, nil
}

// LookToken returns the sign-up that a link would verify, and changes nothing.
// It returns ErrTokenForged, ErrTokenExpired, ErrTokenReplaced or
// ErrAlreadyVerified for a link that verifies nothing (any more).
func (s *Store) LookToken(ctx context.Context, token string) (Signup, error) {
	l, err := s.lookToken(ctx, s.readers, token)
	return Signup{ID: l.signupID, Email: l.email, Nickname: l.person.nickname}, err
}

func (s *Store) lookToken(ctx context.Context, q querier, token string) (link, error) {
	claimed, ok := parseToken(token)
	if !ok || claimed.purpose != purposeVerify || claimed.generation == 0 {
		return link{}, ErrTokenForged
	}
	l, err := linkByGeneration(ctx, q, claimed.id, claimed.generation)
	if errors.Is(err, ErrNotFound) {
		return link{}, ErrTokenForged
	}
	if err != nil {
		return link{}, err
	}
	if subtle.ConstantTimeCompare([]byte(token), []byte(s.key.token(l.proof()))) != 1 {
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
	case l.over(now, linkLife), !l.endsAt.IsZero() && !now.Before(l.endsAt):
		return ErrTokenExpired
	}
	return nil
}
