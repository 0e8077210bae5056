package store

import (
	"context"
	"fmt"
)

// Thread is a post with what stands under it.
type Thread struct {
	Post     Post
	Comments []Comment // oldest first; shared with other readers
}

// Thread returns a post with its comments. Those who ask for the same post at
// the same moment share one read. It returns ErrNotFound for a post that is
// unknown or deleted.
func (s *Store) Thread(ctx context.Context, postID int64) (Thread, error) {
	t, err := s.threads.read(ctx, postID, s.readThread)
	if err != nil {
		return Thread{}, fmt.Errorf("thread %d: %w", postID, err)
	}
	return t, nil
}

func (s *Store) readThread(ctx context.Context, postID int64) (t Thread, err error) {
	if t.Post, err = s.PostByID(ctx, postID); err != nil || t.Post.Comments == 0 {
		return t, err
	}
	t.Comments, err = s.Comments(ctx, postID)
	return t, err
}
