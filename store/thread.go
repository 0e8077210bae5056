package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Thread is a post with a page of what stands under it.
type Thread struct {
	Post Post
	// Comments are those of a page: each that answers none, and below it those
	// that answer it, both oldest first. A page that begins among answers begins
	// with what they answer. Shared with other readers.
	Comments []Comment
	Earlier  int64 // the comment with which the page before begins, 0 for none
	Later    int64 // the comment with which the page after begins, 0 for none
	// Mentions are the nicknames of members whom the texts mention, as they are
	// spelled now. Shared with other readers.
	Mentions []string
}

// ThreadMax is how many comments stand on a page.
const ThreadMax = 200

// Thread returns a post with its first comments. Those who ask for the same post
// at the same moment share one read. It returns ErrNotFound for a post that is
// unknown or deleted.
func (s *Store) Thread(ctx context.Context, postID int64) (Thread, error) {
	t, err := s.threads.read(ctx, postID, s.readThread)
	if err != nil {
		return Thread{}, fmt.Errorf("thread %d: %w", postID, err)
	}
	return t, nil
}

// ThreadFrom returns a post with the comments from one on. When that is not
// there, or not any more, it is as Thread.
func (s *Store) ThreadFrom(ctx context.Context, postID, commentID int64) (Thread, error) {
	t, err := s.readThreadFrom(ctx, postID, commentID)
	if errors.Is(err, sql.ErrNoRows) {
		return s.Thread(ctx, postID)
	}
	if err != nil {
		return Thread{}, fmt.Errorf("thread %d from comment %d: %w", postID, commentID, err)
	}
	return t, nil
}

func (s *Store) readThread(ctx context.Context, postID int64) (t Thread, err error) {
	if t.Post, err = s.PostByID(ctx, postID); err != nil {
		return t, err
	}
	if t.Post.Comments > 0 {
		if err := s.fillComments(ctx, &t, commentPlace{}); err != nil {
			return t, err
		}
	}
	return t, s.readMentions(ctx, &t)
}

func (s *Store) readThreadFrom(ctx context.Context, postID, commentID int64) (t Thread, err error) {
	if t.Post, err = s.PostByID(ctx, postID); err != nil {
		return t, err
	}
	at, err := s.commentPlace(ctx, postID, commentID)
	if err != nil {
		return t, err
	}
	if t.Earlier, err = s.pageBefore(ctx, postID, at); err != nil {
		return t, err
	}
	if err := s.fillComments(ctx, &t, at); err != nil {
		return t, err
	}
	if err := s.readHead(ctx, &t); err != nil {
		return t, err
	}
	return t, s.readMentions(ctx, &t)
}

// fillComments reads one comment more than stands on a page, with which the
// next page begins.
func (s *Store) fillComments(ctx context.Context, t *Thread, from commentPlace) (err error) {
	t.Comments, err = s.listComments(ctx, commentsFromSQL, t.Post.ID, from.thread, from.id, ThreadMax+1)
	if len(t.Comments) > ThreadMax {
		t.Later = t.Comments[ThreadMax].ID
		t.Comments = t.Comments[:ThreadMax:ThreadMax]
	}
	return err
}

// readHead puts what the first comments of a page answer above them.
func (s *Store) readHead(ctx context.Context, t *Thread) error {
	if len(t.Comments) == 0 || t.Comments[0].Parent == 0 {
		return nil
	}
	head, err := s.CommentByID(ctx, t.Comments[0].Parent)
	if errors.Is(err, ErrNotFound) {
		return nil // deleted since the comments were read
	}
	t.Comments = slices.Insert(t.Comments, 0, head)
	return err
}

func (s *Store) readMentions(ctx context.Context, t *Thread) (err error) {
	var texts []string
	if strings.Contains(t.Post.Body, "@") {
		texts = append(texts, t.Post.Body)
	}
	for _, c := range t.Comments {
		if strings.Contains(c.Body, "@") {
			texts = append(texts, c.Body)
		}
	}
	t.Mentions, err = s.Mentioned(ctx, texts...)
	return err
}
