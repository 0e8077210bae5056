package store

import (
	"context"
	"errors"
)

// insertViewersSQL takes the viewers of a post and day in one piece and cuts it
// up itself. Rows of parameters cost 35 times as much: SQLite walks the list of
// all names for each of them.
const insertViewersSQL = `WITH RECURSIVE piece (at) AS (
		SELECT 1 UNION ALL SELECT at + 16 FROM piece WHERE at < $1)
	INSERT INTO viewers (day, post_id, viewer) SELECT $2, $3, substr($4, at, 16) FROM piece WHERE true
	ON CONFLICT DO NOTHING`

// countViews counts the posts of a batch one after the other.
func (d *sqliteDB) countViews(ctx context.Context, t *tx, packed []byte) error {
	for len(packed) > 0 {
		part, rest, err := cutViews(packed)
		if err != nil {
			return err
		}
		if err := countPost(ctx, t, part); err != nil {
			return err
		}
		packed = rest
	}
	return nil
}

// countPost touches the counters of a post only: an author's edit is never
// overwritten. Events of a post that no longer exists count nowhere.
func countPost(ctx context.Context, t *tx, v postViews) error {
	added, err := insertViewers(ctx, t, v)
	if err != nil || added == 0 {
		return err
	}
	err = found(t.ExecContext(ctx, `UPDATE posts SET views = views + $1 WHERE id = $2`, added, v.postID))
	if errors.Is(err, ErrNotFound) {
		_, err = t.ExecContext(ctx, `DELETE FROM viewers WHERE day = $1 AND post_id = $2`, v.day, v.postID)
		return err
	}
	if err != nil {
		return err
	}
	_, err = t.ExecContext(ctx,
		`INSERT INTO post_days (post_id, day, views) VALUES ($1, $2, $3)
		 ON CONFLICT (post_id, day) DO UPDATE SET views = post_days.views + excluded.views`, v.postID, v.day, added)
	return err
}

// insertViewers returns how many viewers were the first time there that day.
func insertViewers(ctx context.Context, t *tx, v postViews) (int64, error) {
	last := len(v.viewers) - viewerSize + 1
	return rowsChanged(t.ExecContext(ctx, insertViewersSQL, last, v.day, v.postID, v.viewers))
}
