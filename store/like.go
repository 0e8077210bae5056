package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Like records that a member likes a post; once more changes nothing. It
// returns ErrNotFound for an unknown or deleted post.
func (s *Store) Like(ctx context.Context, user User, postID int64) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		if err := livePost(ctx, t, postID); err != nil {
			return err
		}
		return s.addLike(ctx, t, user.ID, postID, s.now())
	})
	if err != nil {
		return fmt.Errorf("like post %d: %w", postID, err)
	}
	return nil
}

func (s *Store) addLike(ctx context.Context, t *tx, userID, postID int64, at time.Time) error {
	day := s.day(at)
	n, err := rowsChanged(t.ExecContext(ctx,
		`INSERT INTO likes (post_id, user_id, day, created_at) VALUES ($1, $2, $3, $4)
		 ON CONFLICT (post_id, user_id) DO NOTHING`, postID, userID, day, millis(at)))
	if err != nil || n == 0 {
		return err
	}
	return countLikes(ctx, t, postID, day, 1)
}

// Unlike takes a member's like back; without one nothing changes. It returns
// ErrNotFound for an unknown or deleted post.
func (s *Store) Unlike(ctx context.Context, user User, postID int64) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		if err := livePost(ctx, t, postID); err != nil {
			return err
		}
		var day int32
		err := t.QueryRowContext(ctx,
			`DELETE FROM likes WHERE post_id = $1 AND user_id = $2 RETURNING day`, postID, user.ID).Scan(&day)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		// Taken from the day it was given on, so that no day falls below zero.
		return countLikes(ctx, t, postID, day, -1)
	})
	if err != nil {
		return fmt.Errorf("unlike post %d: %w", postID, err)
	}
	return nil
}

// Liked reports whether a member likes a post.
func (s *Store) Liked(ctx context.Context, userID, postID int64) (bool, error) {
	var liked bool
	err := s.readers.QueryRowContext(ctx,
		`SELECT EXISTS (SELECT 1 FROM likes WHERE post_id = $1 AND user_id = $2)`, postID, userID).Scan(&liked)
	if err != nil {
		return false, fmt.Errorf("liked post %d: %w", postID, err)
	}
	return liked, nil
}

// countLikes moves the counters of a post. It is called only where a row of
// likes came or went, which keeps them equal to the number of rows.
func countLikes(ctx context.Context, t *tx, postID int64, day int32, by int) error {
	if _, err := t.ExecContext(ctx, `UPDATE posts SET likes = likes + $1 WHERE id = $2`, by, postID); err != nil {
		return err
	}
	_, err := t.ExecContext(ctx,
		`INSERT INTO post_days (post_id, day, likes) VALUES ($1, $2, $3)
		 ON CONFLICT (post_id, day) DO UPDATE SET likes = post_days.likes + excluded.likes`, postID, day, by)
	return err
}

// livePost returns ErrNotFound for an unknown or deleted post.
func livePost(ctx context.Context, t *tx, postID int64) error {
	var id int64
	err := t.QueryRowContext(ctx, `SELECT id FROM posts WHERE id = $1 AND deleted_at IS NULL`, postID).Scan(&id)
	return notFound(err)
}
