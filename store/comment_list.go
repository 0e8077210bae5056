package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// commentColumns is what scanComment reads. An answer whose comment is deleted
// answers nobody any more.
const commentColumns = `c.id, c.post_id, c.author_id, u.nickname, COALESCE(top.id, 0), c.body, c.created_at, c.edited_at
	FROM comments AS c
	JOIN posts AS p ON p.id = c.post_id AND p.deleted_at IS NULL
	JOIN users AS u ON u.id = c.author_id
	LEFT JOIN comments AS top ON top.id = c.parent_id AND top.deleted_at IS NULL`

func scanComment(scan func(...any) error) (Comment, error) {
	var c Comment
	var created int64
	var edited sql.NullInt64
	err := scan(&c.ID, &c.PostID, &c.AuthorID, &c.Author, &c.Parent, &c.Body, &created, &edited)
	c.CreatedAt, c.EditedAt = fromMillis(created), fromNullMillis(edited)
	return c, err
}

// CommentByID returns a comment. It returns ErrNotFound for one that is
// unknown or deleted, or whose post is.
func (s *Store) CommentByID(ctx context.Context, id int64) (Comment, error) {
	c, err := scanComment(s.readers.QueryRowContext(ctx,
		`SELECT `+commentColumns+` WHERE c.id = $1 AND c.deleted_at IS NULL`, id).Scan)
	if err != nil {
		return Comment{}, fmt.Errorf("comment %d: %w", id, notFound(err))
	}
	return c, nil
}

// Comments returns the comments under a post, oldest first; none under a post
// that is not there.
func (s *Store) Comments(ctx context.Context, postID int64) ([]Comment, error) {
	comments, err := s.listComments(ctx,
		`SELECT `+commentColumns+` WHERE c.post_id = $1 AND c.deleted_at IS NULL ORDER BY c.id`, postID)
	if err != nil {
		return nil, fmt.Errorf("comments of post %d: %w", postID, err)
	}
	return comments, nil
}

func (s *Store) listComments(ctx context.Context, query string, args ...any) (comments []Comment, err error) {
	ctx, done := s.db.brief(ctx)
	defer done()
	rows, err := s.readers.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		c, err := scanComment(rows.Scan)
		if err != nil {
			return nil, err
		}
		comments = append(comments, c)
	}
	return comments, rows.Err()
}
