package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Said is a comment with the post it stands under.
type Said struct {
	Comment
	Title    string // of the post
	Comments int64  // of the post
}

// SaidList is one page of a member's comments, the newest first.
type SaidList struct {
	Said  []Said
	Older bool // the list goes on below
	Newer bool // the list goes on above
}

// The posts and comments of a member, beside a number.
const (
	olderPostsBySQL = listedSQL + `WHERE p.author_id = $1 AND p.deleted_at IS NULL AND p.id < $2 ORDER BY p.id DESC LIMIT $3`
	newerPostsBySQL = listedSQL + `WHERE p.author_id = $1 AND p.deleted_at IS NULL AND p.id > $2 ORDER BY p.id LIMIT $3`

	saidSQL = `SELECT c.id, c.post_id, c.body, c.created_at, p.title, p.comments
		FROM comments AS c JOIN posts AS p ON p.id = c.post_id AND p.deleted_at IS NULL `
	olderSaidSQL = saidSQL + `WHERE c.author_id = $1 AND c.deleted_at IS NULL AND c.id < $2 ORDER BY c.id DESC LIMIT $3`
	newerSaidSQL = saidSQL + `WHERE c.author_id = $1 AND c.deleted_at IS NULL AND c.id > $2 ORDER BY c.id LIMIT $3`
)

// PostsBy returns a page of a member's posts, the newest first; the order that
// is asked for makes no difference.
func (s *Store) PostsBy(ctx context.Context, authorID int64, q ListQuery) (PostList, error) {
	page, err := beside(q, func(down bool, id int64, limit int) ([]Post, error) {
		return s.listPosts(ctx, oneOf(down, olderPostsBySQL, newerPostsBySQL), authorID, id, limit)
	})
	if err != nil {
		return PostList{}, fmt.Errorf("posts of user %d: %w", authorID, err)
	}
	return PostList{Posts: page.items, Older: page.older, Newer: page.newer}, nil
}

// CommentsBy returns a page of a member's comments.
func (s *Store) CommentsBy(ctx context.Context, authorID int64, q ListQuery) (SaidList, error) {
	page, err := beside(q, func(down bool, id int64, limit int) ([]Said, error) {
		return s.listSaid(ctx, oneOf(down, olderSaidSQL, newerSaidSQL), authorID, id, limit)
	})
	if err != nil {
		return SaidList{}, fmt.Errorf("comments of user %d: %w", authorID, err)
	}
	return SaidList{Said: page.items, Older: page.older, Newer: page.newer}, nil
}

func oneOf(down bool, older, newer string) string {
	if down {
		return older
	}
	return newer
}

// keysetPage is a page of a list, from the top down.
type keysetPage[T any] struct {
	items        []T
	older, newer bool
}

// beside cuts the page out of a list that a query asks for. Read returns what
// stands next to a number, down the list or up from it.
func beside[T any](q ListQuery, read func(down bool, id int64, limit int) ([]T, error)) (page keysetPage[T], err error) {
	limit := min(max(q.Limit, 1), listMax)
	down, from := q.Before > 0 || q.After <= 0, q.After
	if down {
		from = q.Before
		if from <= 0 {
			from = math.MaxInt64
		}
	}
	items, err := read(down, from, limit+1)
	if err != nil {
		return page, err
	}
	on := len(items) > limit
	page.items = items[:min(limit, len(items))]
	if !down {
		slices.Reverse(page.items)
		back, err := read(true, from+1, 1)
		return keysetPage[T]{page.items, len(back) > 0, on}, err
	}
	page.older = on
	if from == math.MaxInt64 {
		return page, nil
	}
	back, err := read(false, from-1, 1)
	page.newer = len(back) > 0
	return page, err
}

func (s *Store) listSaid(ctx context.Context, query string, args ...any) (list []Said, err error) {
	rows, err := s.readers.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var c Said
		var created int64
		if err := rows.Scan(&c.ID, &c.PostID, &c.Body, &created, &c.Title, &c.Comments); err != nil {
			return nil, err
		}
		c.CreatedAt = fromMillis(created)
		list = append(list, c)
	}
	return list, rows.Err()
}
