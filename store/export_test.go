package store

import (
	"context"
	"database/sql"
)

// The statements of the list, for a look at how they are answered.
const (
	OlderPostsSQL  = olderPostsSQL
	NewerPostsSQL  = newerPostsSQL
	RankedPostsSQL = rankedPostsSQL
)

// Readers lets tests look at the rows themselves.
func (s *Store) Readers() *sql.DB { return s.readers }

// Exec lets tests make rows that no method makes.
func (s *Store) Exec(ctx context.Context, query string, args ...any) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, query, args...)
		return err
	})
}

// ClaimSQL is the statement of a claim, for a look at how it is answered.
func ClaimSQL(kinds int) string { return claimSQL(kinds) }

// HoldHashSlots lets nobody hash a password until release is called.
func (s *Store) HoldHashSlots() (release func()) {
	for range cap(s.hasher.slots) {
		s.hasher.slots <- struct{}{}
	}
	return func() {
		for range cap(s.hasher.slots) {
			s.hasher.leave()
		}
	}
}
