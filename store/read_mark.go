package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Reading is what a post was to a member before they opened it.
type Reading struct {
	Liked bool
	// Seen is the newest comment there was when the member opened the post the
	// last time, and Day when that was; both are 0 when they did not, or forgot.
	Seen int64
	Day  int32
	// Newest is the newest comment there is, 0 for none.
	Newest int64
}

// Known reports whether the member has opened the post before.
func (r Reading) Known() bool { return r.Day != 0 }

// Unread is what is new to a member about a post of a list.
type Unread struct {
	Post     bool // it was never opened
	Comments int  // since it was opened, at most UnreadMax
}

const (
	// UnreadMax is how far new comments are counted.
	UnreadMax = 100
	// readMarkDays is how long it is remembered what a member has opened. A post
	// that is older is new to nobody.
	readMarkDays = 30
)

// Reading returns what a post is to a member. Whoever asks before reading the
// post marks nothing as read that is not in it.
func (s *Store) Reading(ctx context.Context, userID, postID int64) (Reading, error) {
	var r Reading
	var seen, day, newest sql.NullInt64
	ctx, done := s.db.brief(ctx)
	defer done()
	err := s.readers.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM likes WHERE post_id = $1 AND user_id = $2), m.comment_id, m.day,
		 (SELECT MAX(id) FROM comments WHERE post_id = $1)
		 FROM (SELECT 1 AS one) AS o LEFT JOIN read_marks AS m ON m.user_id = $2 AND m.post_id = $1`,
		postID, userID).Scan(&r.Liked, &seen, &day, &newest)
	if err != nil {
		return Reading{}, fmt.Errorf("reading of post %d: %w", postID, err)
	}
	r.Seen, r.Day, r.Newest = seen.Int64, int32(day.Int64), newest.Int64 //nolint:gosec // a day
	return r, nil
}

// MarkRead notes that a member has opened a post, with the comments there were.
// Where nothing is new nothing is written. A post that does not exist has no
// mark.
func (s *Store) MarkRead(ctx context.Context, userID, postID int64, r Reading) error {
	today := s.day(s.now())
	if r.Day == today && r.Seen >= r.Newest {
		return nil
	}
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx,
			`INSERT INTO read_marks (user_id, post_id, comment_id, day) SELECT $1, id, $2, $3 FROM posts WHERE id = $4
			 ON CONFLICT (user_id, post_id) DO UPDATE SET day = excluded.day,
			 comment_id = CASE WHEN read_marks.comment_id < excluded.comment_id THEN excluded.comment_id ELSE read_marks.comment_id END`,
			userID, r.Newest, today, postID)
		return err
	})
	if err != nil {
		return fmt.Errorf("mark post %d as read: %w", postID, err)
	}
	return nil
}

// unreadSQL counts no further than it has to, by the index of a post's comments.
const unreadSQL = `SELECT m.post_id, (SELECT COUNT(*) FROM (SELECT 1 FROM comments AS c
		WHERE c.post_id = m.post_id AND c.id > m.comment_id AND c.deleted_at IS NULL LIMIT $1) AS fresh)
	FROM read_marks AS m WHERE m.user_id = $2 AND m.post_id IN `

// Unread returns what is new to a member about the posts of a list, by their
// ids. Posts from before the member joined are not.
func (s *Store) Unread(ctx context.Context, user User, posts []Post) (map[int64]Unread, error) {
	if len(posts) == 0 {
		return nil, nil
	}
	opened, err := s.openedPosts(ctx, user.ID, posts)
	if err != nil {
		return nil, fmt.Errorf("unread of user %d: %w", user.ID, err)
	}
	since := s.now().Add(-readMarkDays * 24 * time.Hour)
	if user.CreatedAt.After(since) {
		since = user.CreatedAt
	}
	unread := map[int64]Unread{}
	for _, p := range posts {
		comments, ok := opened[p.ID]
		u := Unread{Comments: comments, Post: !ok && p.AuthorID != user.ID && p.CreatedAt.After(since)}
		if u != (Unread{}) {
			unread[p.ID] = u
		}
	}
	return unread, nil
}

// openedPosts returns for each post that was opened how many comments are new.
func (s *Store) openedPosts(ctx context.Context, userID int64, posts []Post) (opened map[int64]int, err error) {
	ids := make([]int64, 0, len(posts))
	for _, p := range posts {
		ids = append(ids, p.ID)
	}
	ctx, done := s.db.brief(ctx)
	defer done()
	list, args := inList(3, ids)
	rows, err := s.readers.QueryContext(ctx, unreadSQL+list, append([]any{UnreadMax, userID}, args...)...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	opened = map[int64]int{}
	for rows.Next() {
		var id int64
		var comments int
		if err := rows.Scan(&id, &comments); err != nil {
			return nil, err
		}
		opened[id] = comments
	}
	return opened, rows.Err()
}
