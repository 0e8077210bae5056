package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// saltFor is the salt that the next password of an address is to have. A login
// tries the member and the newest sign-up of its address with one hash, so both
// must have one salt, and must have it before either is proven: a second hash
// would tell that somebody has become the member. An address comes to hold
// several hashes
//
//   - by several sign-ups, of which each may be proven first,
//   - by sign-ups for the address of a member,
//   - by members who change to it: ChangeEmail hashes for it in advance,
//   - by sign-ups that are corrected to it, which bring a salt from elsewhere.
//
// The salt of an address is derived from it, so that none of them has to be
// there first, and two who come at once share it. Where the member's is another
// one, from a correction or from before, it is theirs that goes on; where the
// member has gone, that of who came meanwhile. See correctedLife for the rest.
func (s *Store) saltFor(ctx context.Context, emailKey string) ([]byte, error) {
	rows, err := s.readers.QueryContext(ctx, hashesOfSQL, emailKey, millis(s.now()))
	if err != nil {
		return nil, fmt.Errorf("salt of an address: %w", err)
	}
	like, err := firstOfToday(rows)
	switch {
	case err != nil:
		return nil, fmt.Errorf("salt of an address: %w", err)
	case like != "":
		return parsePHC(like).salt, nil
	}
	return s.key.mac("password salt", []byte(emailKey))[:argonSalt], nil
}

// hashFor hashes a password that belongs to an address from now on.
func (s *Store) hashFor(ctx context.Context, password, emailKey string) (string, error) {
	salt, err := s.saltFor(ctx, emailKey)
	if err != nil {
		return "", err
	}
	return s.hasher.hash(ctx, password, salt)
}

// hashesOfSQL are the hashes of an address: the member's, that of the newest
// sign-up, that of the newest change to it.
const hashesOfSQL = `SELECT password_hash FROM (
	SELECT 1 AS place, password_hash FROM users WHERE email_key = $1
	UNION ALL SELECT 2, password_hash FROM (SELECT password_hash FROM signups
		WHERE email_key = $1 AND state <> 'verified' AND (ends_at IS NULL OR ends_at > $2) ORDER BY id DESC LIMIT 1) AS s
	UNION ALL SELECT 3, password_hash FROM (SELECT password_hash FROM email_changes
		WHERE email_key = $1 AND password_hash <> '' ORDER BY id DESC LIMIT 1) AS c
	) AS held ORDER BY place`

// firstOfToday is the first hash that is not outdated, "" for none.
func firstOfToday(rows *sql.Rows) (first string, err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var hash string
		if err := rows.Scan(&hash); err != nil {
			return "", err
		}
		if !outdated(hash) {
			return hash, nil
		}
	}
	return "", rows.Err()
}

// correctedLife is how long a login with an address costs two hashes after a
// sign-up was corrected to it: until no sign-up of another salt is left there,
// whichever of them was proven. A sign-up that comes while it lasts is outlived
// too: see renewable.
const correctedLife = 30 * 24 * time.Hour

// noteCorrected makes logins with an address cost two hashes for a while.
func (s *Store) noteCorrected(ctx context.Context, t *tx, emailKey string) error {
	_, err := t.ExecContext(ctx,
		`INSERT INTO corrected_addresses (who, ends_at) VALUES ($1, $2) ON CONFLICT (who) DO UPDATE SET ends_at = excluded.ends_at`,
		s.whoAddress(emailKey), millis(s.now().Add(correctedLife)))
	if err != nil {
		return fmt.Errorf("note correction: %w", err)
	}
	return nil
}

// loginHashes is how many hashes a login with an address costs. It depends on
// nothing that a proof changes.
func (s *Store) loginHashes(ctx context.Context, emailKey string) (int, error) {
	var corrected bool
	err := s.readers.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM corrected_addresses WHERE who = $1 AND ends_at > $2)`,
		s.whoAddress(emailKey), millis(s.now())).Scan(&corrected)
	if err != nil {
		return 0, fmt.Errorf("corrections to an address: %w", err)
	}
	if corrected {
		return 2, nil
	}
	return 1, nil
}
