package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Comment is a comment under a post.
type Comment struct {
	ID        int64
	PostID    int64
	AuthorID  int64
	Author    string // nickname
	Parent    int64  // the comment answered, 0 for none
	Body      string // as written
	CreatedAt time.Time
	EditedAt  time.Time // zero when never edited
}

// NewComment is what a member submits under a post.
type NewComment struct {
	PostID int64
	Parent int64
	Body   string
	FormID string // one-time, from the form
}

// commentMax is the length of a comment in characters.
const commentMax = 5_000

// CreateComment stores a comment and returns its id. An answer to an answer
// goes under the comment that began the thread. It returns *InvalidError, also
// when the parent is not there under this post; *FormReusedError when the
// author has submitted this form before; ErrNotFound when the post is gone.
func (s *Store) CreateComment(ctx context.Context, author User, n NewComment) (int64, error) {
	fields := map[string]Problem{}
	n.Body, fields["body"] = cleanText(n.Body, commentMax)
	n.FormID, fields["form_id"] = cleanLine(n.FormID, formIDMax)
	if err := problems(fields); err != nil {
		return 0, err
	}
	var id int64
	entry := s.commentEntry(n.Body)
	err := s.write(ctx, func(ctx context.Context, t *tx) (err error) {
		if id, err = addComment(ctx, t, author.ID, n, s.now()); err != nil {
			return err
		}
		if err := s.dropDraft(ctx, t, author.ID, DraftPlace{DraftComment, n.PostID}); err != nil {
			return err
		}
		return s.index(ctx, t, id, entry)
	})
	if err != nil {
		return 0, fmt.Errorf("create comment: %w", err)
	}
	return id, nil
}

// addComment counts first, because that finds and locks the post; what fails
// afterwards takes the whole transaction with it.
func addComment(ctx context.Context, t *tx, author int64, n NewComment, now time.Time) (int64, error) {
	if err := countComments(ctx, t, n.PostID, 1); err != nil {
		return 0, err
	}
	return insertComment(ctx, t, author, n, now)
}

func countComments(ctx context.Context, t *tx, postID int64, by int) error {
	return found(t.ExecContext(ctx,
		`UPDATE posts SET comments = comments + $1 WHERE id = $2 AND deleted_at IS NULL`, by, postID))
}

func insertComment(ctx context.Context, t *tx, author int64, n NewComment, now time.Time) (id int64, err error) {
	parent, err := threadOf(ctx, t, n)
	if err != nil {
		return 0, err
	}
	err = t.QueryRowContext(ctx,
		`INSERT INTO comments (post_id, author_id, parent_id, form_id, body, created_at)
		 VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (author_id, form_id) DO NOTHING RETURNING id`,
		n.PostID, author, parent, n.FormID, n.Body, millis(now)).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, reusedCommentForm(ctx, t, author, n)
	}
	return id, err
}

// threadOf is the comment that a new one hangs under: the one answered, or the
// one which that answers.
func threadOf(ctx context.Context, t *tx, n NewComment) (thread sql.NullInt64, err error) {
	if n.Parent == 0 {
		return thread, nil
	}
	err = t.QueryRowContext(ctx, `SELECT COALESCE(parent_id, id) FROM comments
		WHERE id = $1 AND post_id = $2 AND deleted_at IS NULL`, n.Parent, n.PostID).Scan(&thread)
	if errors.Is(err, sql.ErrNoRows) {
		return thread, &InvalidError{Fields: map[string]Problem{"parent": Missing}}
	}
	return thread, err
}

func reusedCommentForm(ctx context.Context, t *tx, author int64, n NewComment) error {
	var post int64
	var body string
	var deleted sql.NullInt64
	reused := &FormReusedError{}
	err := t.QueryRowContext(ctx,
		`SELECT id, post_id, body, deleted_at FROM comments WHERE author_id = $1 AND form_id = $2`,
		author, n.FormID).Scan(&reused.ID, &post, &body, &deleted)
	if err != nil {
		return err
	}
	reused.Same = deleted.Valid || post == n.PostID && body == n.Body
	return reused
}

// EditComment gives a comment another body. The same one again changes
// nothing. It returns *InvalidError, ErrForbidden when the editor is neither
// the author nor a moderator, and ErrNotFound.
func (s *Store) EditComment(ctx context.Context, editor User, id int64, body string) error {
	body, problem := cleanText(body, commentMax)
	entry := s.commentEntry(body)
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		if _, err := mayChangeComment(ctx, t, editor, id); err != nil {
			return err
		}
		if err := problems(map[string]Problem{"body": problem}); err != nil {
			return err
		}
		if err := s.dropDraft(ctx, t, editor.ID, DraftPlace{DraftCommentEdit, id}); err != nil {
			return err
		}
		if err := s.holdPost(ctx, t, id); err != nil {
			return err
		}
		changed, err := rowsChanged(t.ExecContext(ctx,
			`UPDATE comments SET body = $1, edited_at = $2 WHERE id = $3 AND deleted_at IS NULL AND body <> $1`,
			body, millis(s.now()), id))
		if err != nil || changed == 0 {
			return err
		}
		return s.index(ctx, t, id, entry)
	})
	if err != nil {
		return fmt.Errorf("edit comment %d: %w", id, err)
	}
	return nil
}

// DeleteComment takes a comment away; answers to it stay and begin threads of
// their own. It returns ErrForbidden when the editor is neither the author nor a
// moderator, and ErrNotFound, also the second time.
func (s *Store) DeleteComment(ctx context.Context, editor User, id int64) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		post, err := mayChangeComment(ctx, t, editor, id)
		if err != nil {
			return err
		}
		if err := takeComment(ctx, t, post, id, millis(s.now())); err != nil {
			return err
		}
		return s.forgetComment(ctx, t, id)
	})
	if err != nil {
		return fmt.Errorf("delete comment %d: %w", id, err)
	}
	return nil
}

// takeComment counts first, as addComment does: whoever answers at the same
// moment waits for the post, and then finds the comment gone.
func takeComment(ctx context.Context, t *tx, post, id, now int64) error {
	if err := countComments(ctx, t, post, -1); err != nil {
		return err
	}
	err := found(t.ExecContext(ctx, `UPDATE comments SET deleted_at = $1 WHERE id = $2 AND deleted_at IS NULL`, now, id))
	if err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, `UPDATE comments SET parent_id = NULL WHERE post_id = $1 AND parent_id = $2`, post, id)
	return err
}

// mayChangeComment returns the post of the comment, or ErrNotFound or
// ErrForbidden when u may not edit or delete it.
func mayChangeComment(ctx context.Context, t *tx, u User, id int64) (post int64, err error) {
	var author int64
	err = t.QueryRowContext(ctx,
		`SELECT c.post_id, c.author_id FROM comments AS c JOIN posts AS p ON p.id = c.post_id
		 WHERE c.id = $1 AND c.deleted_at IS NULL AND p.deleted_at IS NULL`, id).Scan(&post, &author)
	return post, mayChange(u, author, err)
}
