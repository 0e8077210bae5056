package store

import (
	"context"
	"fmt"
	"time"
)

// Profile is what everybody may know of a member.
type Profile struct {
	ID        int64
	Nickname  string
	CreatedAt time.Time
}

// Profile returns the member with a nickname, in whatever case and form it is
// typed. One who is kept out is still there: so is what they wrote. It returns
// ErrNotFound when there is nobody, or not any more.
func (s *Store) Profile(ctx context.Context, nickname string) (Profile, error) {
	_, key, problem := cleanNickname(nickname)
	if problem != "" {
		return Profile{}, fmt.Errorf("profile: %w", ErrNotFound)
	}
	var p Profile
	var created int64
	ctx, done := s.db.brief(ctx)
	defer done()
	err := s.readers.QueryRowContext(ctx,
		`SELECT id, nickname, created_at FROM users WHERE nickname_key = $1`+notDeleted, key).
		Scan(&p.ID, &p.Nickname, &created)
	if err != nil {
		return Profile{}, fmt.Errorf("profile: %w", notFound(err))
	}
	p.CreatedAt = fromMillis(created)
	return p, nil
}
