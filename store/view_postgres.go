package store

import (
	"context"
	"fmt"
)

// insertBatchSQL takes a whole batch in one piece, whatever its size, and cuts
// it up by where the viewers of each post and day lie. It returns how many were
// there the first time. The rows come in the order of their key, as they do in
// every batch, so that two batches do not wait for each other.
const insertBatchSQL = `WITH part AS (SELECT * FROM unnest(CAST($1 AS BIGINT[]), CAST($2 AS BIGINT[]), CAST($3 AS INTEGER[]), CAST($4 AS INTEGER[]))
		AS p (post_id, day, first, last)),
	added AS (INSERT INTO viewers (day, post_id, viewer)
		SELECT part.day, part.post_id, substring(CAST($5 AS BYTEA) FROM at FOR 16)
		FROM part JOIN posts ON posts.id = part.post_id, generate_series(part.first, part.last, 16) AS at
		ORDER BY 1, 2, 3
		ON CONFLICT DO NOTHING RETURNING day, post_id)
	SELECT post_id, day, COUNT(*) FROM added GROUP BY post_id, day ORDER BY post_id, day`

// Posts are locked in the order of their ids before any is changed.
const addPostViewsSQL = `WITH new AS (SELECT post_id, SUM(views) AS views
		FROM unnest(CAST($1 AS BIGINT[]), CAST($2 AS BIGINT[])) AS n (post_id, views) GROUP BY post_id),
	held AS MATERIALIZED (SELECT id FROM posts WHERE id IN (SELECT post_id FROM new) ORDER BY id FOR NO KEY UPDATE)
	UPDATE posts SET views = posts.views + new.views FROM held JOIN new ON new.post_id = held.id WHERE posts.id = held.id`

const addDayViewsSQL = `INSERT INTO post_days (post_id, day, views)
	SELECT * FROM unnest(CAST($1 AS BIGINT[]), CAST($2 AS BIGINT[]), CAST($3 AS BIGINT[])) AS n (post_id, day, views)
	ORDER BY 1, 2
	ON CONFLICT (post_id, day) DO UPDATE SET views = post_days.views + excluded.views`

// parts is where the viewers of each post and day lie in a packed batch, and
// afterwards how many of them were new.
type parts struct {
	posts, days, added []int64
	first, last        []int32 // the first byte, counted from 1, of the first and the last viewer
}

// countViews counts a batch in three statements, one when nobody in it is new.
// Events of a post that does not exist count nowhere.
func (p *postgres) countViews(ctx context.Context, t *tx, packed []byte) error {
	batch, err := findParts(packed)
	if err != nil {
		return err
	}
	added, err := insertBatch(ctx, t, batch, packed)
	if err != nil || len(added.posts) == 0 {
		return err
	}
	if _, err := t.ExecContext(ctx, addPostViewsSQL, added.posts, added.added); err != nil {
		return fmt.Errorf("count views of posts: %w", err)
	}
	if _, err := t.ExecContext(ctx, addDayViewsSQL, added.posts, added.days, added.added); err != nil {
		return fmt.Errorf("count views of days: %w", err)
	}
	return nil
}

func findParts(packed []byte) (parts, error) {
	var found parts
	for rest := packed; len(rest) > 0; {
		part, after, err := cutViews(rest)
		if err != nil {
			return parts{}, err
		}
		end := len(packed) - len(after)
		found.posts = append(found.posts, part.postID)
		found.days = append(found.days, int64(part.day))
		found.first = append(found.first, int32(end-len(part.viewers)+1)) //nolint:gosec // a batch is small
		found.last = append(found.last, int32(end-viewerSize+1))          //nolint:gosec // a batch is small
		rest = after
	}
	return found, nil
}

func insertBatch(ctx context.Context, t *tx, batch parts, packed []byte) (added parts, err error) {
	rows, err := t.QueryContext(ctx, insertBatchSQL, batch.posts, batch.days, batch.first, batch.last, packed)
	if err != nil {
		return parts{}, fmt.Errorf("insert viewers: %w", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var post, day, n int64
		if err := rows.Scan(&post, &day, &n); err != nil {
			return parts{}, fmt.Errorf("insert viewers: %w", err)
		}
		added.posts, added.days, added.added = append(added.posts, post), append(added.days, day), append(added.added, n)
	}
	return added, rows.Err()
}
