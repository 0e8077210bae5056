package store

import (
	"context"
	"errors"
	"fmt"
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

// postsBySQL is the posts of a member next to a number.
func postsBySQL(d direction) string {
	return listedSQL + `WHERE p.author_id = $1 AND p.deleted_at IS NULL AND p.id ` + d.beyond + ` $2 ORDER BY p.id ` + d.order + ` LIMIT $3`
}

// saidSQL is the comments of a member next to a number.
func saidSQL(d direction) string {
	return `SELECT c.id, c.post_id, c.body, c.created_at, p.title, p.comments
		FROM comments AS c JOIN posts AS p ON p.id = c.post_id AND p.deleted_at IS NULL
		WHERE c.author_id = $1 AND c.deleted_at IS NULL AND c.id ` + d.beyond + ` $2 ORDER BY c.id ` + d.order + ` LIMIT $3`
}

// PostsBy returns a page of a member's posts, the newest first; the order that
// is asked for makes no difference.
func (s *Store) PostsBy(ctx context.Context, authorID int64, q ListQuery) (PostList, error) {
	list, err := postPage(cutPage(q.Before, q.After, q.limit(), func(d direction, beyond int64, limit int) ([]Post, error) {
		return s.listPosts(ctx, postsBySQL(d), authorID, beyond, limit)
	}))
	if err != nil {
		return PostList{}, fmt.Errorf("posts of user %d: %w", authorID, err)
	}
	return list, nil
}

// CommentsBy returns a page of a member's comments.
func (s *Store) CommentsBy(ctx context.Context, authorID int64, q ListQuery) (SaidList, error) {
	p, err := cutPage(q.Before, q.After, q.limit(), func(d direction, beyond int64, limit int) ([]Said, error) {
		return s.listSaid(ctx, saidSQL(d), authorID, beyond, limit)
	})
	if err != nil {
		return SaidList{}, fmt.Errorf("comments of user %d: %w", authorID, err)
	}
	return SaidList{Said: p.rows, Older: p.older, Newer: p.newer}, nil
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
