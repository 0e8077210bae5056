package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Post is a post as a list or its own page shows it.
type Post struct {
	ID        int64
	AuthorID  int64
	Author    string // nickname
	Title     string
	Body      string // Markdown, byte for byte as written; empty in lists
	Views     int64
	Likes     int64
	Comments  int64
	CreatedAt time.Time
	EditedAt  time.Time // zero when never edited
}

// NewPost is what a member submits; editing uses the same fields.
type NewPost struct {
	Title  string
	Body   string
	FormID string // one-time, from the form; ignored by EditPost
}

// Lengths of what members write, in characters.
const (
	titleMax  = 200
	bodyMax   = 50_000
	formIDMax = 64
)

// problems returns *InvalidError for the fields that have one; nil when none has.
func problems(fields map[string]Problem) error {
	wrong := map[string]Problem{}
	for field, p := range fields {
		if p != "" {
			wrong[field] = p
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return &InvalidError{Fields: wrong}
}

// clean returns title and body as they are stored, and what is wrong with them.
func (n NewPost) clean() (NewPost, map[string]Problem) {
	fields := map[string]Problem{}
	n.Title, fields["title"] = cleanLine(n.Title, titleMax)
	n.Body, fields["body"] = cleanText(n.Body, bodyMax)
	return n, fields
}

// CreatePost stores a post and returns its id. It returns *InvalidError, or
// *FormReusedError when the author has submitted this form before.
func (s *Store) CreatePost(ctx context.Context, author User, n NewPost) (int64, error) {
	n, fields := n.clean()
	n.FormID, fields["form_id"] = cleanLine(n.FormID, formIDMax)
	if err := problems(fields); err != nil {
		return 0, err
	}
	var id int64
	entry := s.postEntry(n)
	err := s.write(ctx, func(ctx context.Context, t *tx) (err error) {
		if id, err = insertPost(ctx, t, author.ID, n, s.now()); err != nil {
			return err
		}
		if err := s.dropDraft(ctx, t, author.ID, DraftPlace{Form: DraftPost}); err != nil {
			return err
		}
		return s.index(ctx, t, id, entry)
	})
	if err != nil {
		return 0, fmt.Errorf("create post: %w", err)
	}
	return id, nil
}

// insertPost lets the unique form id decide which of two submissions comes
// first; the other learns of the post that the first one made.
func insertPost(ctx context.Context, t *tx, author int64, n NewPost, now time.Time) (id int64, err error) {
	err = t.QueryRowContext(ctx,
		`INSERT INTO posts (author_id, form_id, title, body, created_at) VALUES ($1, $2, $3, $4, $5)
		 ON CONFLICT (author_id, form_id) DO NOTHING RETURNING id`,
		author, n.FormID, n.Title, n.Body, millis(now)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, reusedPostForm(ctx, t, author, n)
	}
	return id, err
}

func reusedPostForm(ctx context.Context, t *tx, author int64, n NewPost) error {
	var title, body string
	var deleted sql.NullInt64
	reused := &FormReusedError{}
	err := t.QueryRowContext(ctx,
		`SELECT id, title, body, deleted_at FROM posts WHERE author_id = $1 AND form_id = $2`,
		author, n.FormID).Scan(&reused.ID, &title, &body, &deleted)
	if err != nil {
		return err
	}
	// A deleted post has no edit form that another text could go to.
	reused.Same = deleted.Valid || title == n.Title && body == n.Body
	return reused
}

// PostByID returns a post. It returns ErrNotFound for an unknown or deleted one.
func (s *Store) PostByID(ctx context.Context, id int64) (Post, error) {
	var p Post
	var created int64
	var edited sql.NullInt64
	ctx, done := s.db.brief(ctx)
	defer done()
	err := s.readers.QueryRowContext(ctx,
		`SELECT p.id, p.author_id, u.nickname, p.title, p.body, p.views, p.likes, p.comments, p.created_at, p.edited_at
		 FROM posts AS p JOIN users AS u ON u.id = p.author_id
		 WHERE p.id = $1 AND p.deleted_at IS NULL`, id).
		Scan(&p.ID, &p.AuthorID, &p.Author, &p.Title, &p.Body, &p.Views, &p.Likes, &p.Comments, &created, &edited)
	if err != nil {
		return Post{}, fmt.Errorf("post %d: %w", id, notFound(err))
	}
	p.CreatedAt, p.EditedAt = fromMillis(created), fromNullMillis(edited)
	return p, nil
}

// EditPost gives a post another title and body. The same ones again change
// nothing. It returns *InvalidError, ErrForbidden when the editor is neither
// the author nor a moderator, and ErrNotFound.
func (s *Store) EditPost(ctx context.Context, editor User, id int64, n NewPost) error {
	n, fields := n.clean()
	entry := s.postEntry(n)
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		if err := mayChangePost(ctx, t, editor, id); err != nil {
			return err
		}
		if err := problems(fields); err != nil {
			return err
		}
		if err := s.dropDraft(ctx, t, editor.ID, DraftPlace{DraftPostEdit, id}); err != nil {
			return err
		}
		changed, err := rowsChanged(t.ExecContext(ctx,
			`UPDATE posts SET title = $1, body = $2, edited_at = $3
			 WHERE id = $4 AND deleted_at IS NULL AND (title <> $1 OR body <> $2)`,
			n.Title, n.Body, millis(s.now()), id))
		if err != nil || changed == 0 {
			return err
		}
		return s.index(ctx, t, id, entry)
	})
	if err != nil {
		return fmt.Errorf("edit post %d: %w", id, err)
	}
	return nil
}

// DeletePost takes a post away. It returns ErrForbidden when the editor is
// neither the author nor a moderator, and ErrNotFound, also the second time.
func (s *Store) DeletePost(ctx context.Context, editor User, id int64) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		if err := mayChangePost(ctx, t, editor, id); err != nil {
			return err
		}
		err := found(t.ExecContext(ctx,
			`UPDATE posts SET deleted_at = $1 WHERE id = $2 AND deleted_at IS NULL`, millis(s.now()), id))
		if err != nil {
			return err
		}
		return s.forgetPost(ctx, t, id)
	})
	if err != nil {
		return fmt.Errorf("delete post %d: %w", id, err)
	}
	return nil
}

// mayChangePost returns ErrNotFound or ErrForbidden when u may not edit or
// delete the post.
func mayChangePost(ctx context.Context, t *tx, u User, id int64) error {
	var author int64
	err := t.QueryRowContext(ctx, `SELECT author_id FROM posts WHERE id = $1 AND deleted_at IS NULL`, id).Scan(&author)
	return mayChange(u, author, err)
}

// mayChange decides on what author wrote, given the error of looking it up.
func mayChange(u User, author int64, err error) error {
	switch {
	case err != nil:
		return notFound(err)
	case !u.MayChange(author):
		return ErrForbidden
	}
	return nil
}

// found turns a statement that changed no row into ErrNotFound.
func found(result sql.Result, err error) error {
	if n, err := rowsChanged(result, err); err != nil || n > 0 {
		return err
	}
	return ErrNotFound
}
