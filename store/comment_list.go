package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// commentColumns is what scanComment reads.
const commentColumns = `c.id, c.post_id, c.author_id, u.nickname, COALESCE(c.parent_id, 0), c.body, c.created_at, c.edited_at
	FROM comments AS c JOIN users AS u ON u.id = c.author_id`

// The order of comments under a post: by thread, then by number. The words must
// be those of their index.
const (
	commentsFromSQL = `SELECT ` + commentColumns + ` WHERE c.post_id = $1 AND c.deleted_at IS NULL
		AND (COALESCE(c.parent_id, c.id), c.id) >= ($2, $3) ORDER BY COALESCE(c.parent_id, c.id), c.id LIMIT $4`
	commentsBeforeSQL = `SELECT id FROM (SELECT COALESCE(c.parent_id, c.id) AS thread, c.id FROM comments AS c
		WHERE c.post_id = $1 AND c.deleted_at IS NULL AND (COALESCE(c.parent_id, c.id), c.id) < ($2, $3)
		ORDER BY COALESCE(c.parent_id, c.id) DESC, c.id DESC LIMIT $4) AS before ORDER BY thread, id LIMIT 1`
)

// commentPlace is where a comment stands under its post. The zero value is
// before all of them.
type commentPlace struct{ thread, id int64 }

// commentPlace returns sql.ErrNoRows for a comment that is not there.
func (s *Store) commentPlace(ctx context.Context, postID, id int64) (commentPlace, error) {
	at := commentPlace{id: id}
	ctx, done := s.db.brief(ctx)
	defer done()
	err := s.readers.QueryRowContext(ctx, `SELECT COALESCE(parent_id, id) FROM comments
		WHERE id = $1 AND post_id = $2 AND deleted_at IS NULL`, id, postID).Scan(&at.thread)
	return at, err
}

// pageBefore is the comment with which the page before a place begins, 0 for
// none.
func (s *Store) pageBefore(ctx context.Context, postID int64, at commentPlace) (first int64, err error) {
	ctx, done := s.db.brief(ctx)
	defer done()
	err = s.readers.QueryRowContext(ctx, commentsBeforeSQL, postID, at.thread, at.id, ThreadMax).Scan(&first)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return first, err
}

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
		`SELECT `+commentColumns+` JOIN posts AS p ON p.id = c.post_id AND p.deleted_at IS NULL
		 WHERE c.id = $1 AND c.deleted_at IS NULL`, id).Scan)
	if err != nil {
		return Comment{}, fmt.Errorf("comment %d: %w", id, notFound(err))
	}
	return c, nil
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
