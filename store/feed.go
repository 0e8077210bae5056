package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"
)

// FeedMax is how many posts a feed holds.
const FeedMax = 50

// Feed returns the newest posts with their texts and without their counts: what
// is equal to what was read before has not changed. Those who ask at the same
// moment share one read, and what it returned.
func (s *Store) Feed(ctx context.Context) ([]Post, error) {
	posts, err := s.feed.read(ctx, 0, s.readFeed)
	if err != nil {
		return nil, fmt.Errorf("read feed: %w", err)
	}
	return posts, nil
}

const feedSQL = `SELECT p.id, u.nickname, p.title, p.body, p.created_at, p.edited_at
	FROM posts AS p JOIN users AS u ON u.id = p.author_id
	WHERE p.deleted_at IS NULL ORDER BY p.id DESC LIMIT $1`

func (s *Store) readFeed(ctx context.Context, _ int64) (posts []Post, err error) {
	rows, err := s.readers.QueryContext(ctx, feedSQL, FeedMax)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var p Post
		var created int64
		var edited sql.NullInt64
		if err := rows.Scan(&p.ID, &p.Author, &p.Title, &p.Body, &created, &edited); err != nil {
			return nil, err
		}
		p.CreatedAt, p.EditedAt = fromMillis(created), fromNullMillis(edited)
		posts = append(posts, p)
	}
	return posts, rows.Err()
}

// IDRange is a part of the posts: those with ids from one to another, both
// included.
type IDRange struct{ From, To int64 }

// PostSet tells which posts there are in a range. As long as it is the same so
// are the posts: an id that is gone never comes back, and new ones are greater
// than those before, so that as many others have another sum.
type PostSet struct{ Count, Sum int64 }

const postSetSQL = `SELECT count(*), CAST(coalesce(sum(id), 0) AS BIGINT) FROM posts WHERE deleted_at IS NULL AND id >= $1 AND id <= $2`

// PostSet returns which posts there are in a range.
func (s *Store) PostSet(ctx context.Context, r IDRange) (set PostSet, err error) {
	err = s.readers.QueryRowContext(ctx, postSetSQL, r.From, r.To).Scan(&set.Count, &set.Sum)
	if err != nil {
		return PostSet{}, fmt.Errorf("which posts there are: %w", err)
	}
	return set, nil
}

// PostRanges returns the ranges of so many ids in which there are posts, at
// most a limit. Its cost is that of the ranges, however many posts they hold.
func (s *Store) PostRanges(ctx context.Context, size int64, limit int) (ranges []IDRange, err error) {
	for last := int64(0); len(ranges) < limit; {
		var id sql.NullInt64
		if err := s.readers.QueryRowContext(ctx, nextPostSQL, last).Scan(&id); err != nil {
			return nil, fmt.Errorf("ranges of posts: %w", err)
		}
		if !id.Valid {
			break
		}
		from := (id.Int64-1)/size*size + 1
		if from > math.MaxInt64-size {
			break
		}
		last = from + size - 1
		ranges = append(ranges, IDRange{from, last})
	}
	return ranges, nil
}

const nextPostSQL = `SELECT min(id) FROM posts WHERE deleted_at IS NULL AND id > $1`

// PostTime is when a post was last changed.
type PostTime struct {
	ID int64
	At time.Time
}

const postTimesSQL = `SELECT id, coalesce(edited_at, created_at) FROM posts
	WHERE deleted_at IS NULL AND id >= $1 AND id <= $2 ORDER BY id`

// PostTimes returns the posts of a range by their ids. It reads them all, so
// the range is to be one that fits into memory.
func (s *Store) PostTimes(ctx context.Context, r IDRange) (times []PostTime, err error) {
	rows, err := s.readers.QueryContext(ctx, postTimesSQL, r.From, r.To)
	if err != nil {
		return nil, fmt.Errorf("times of posts: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var p PostTime
		var at int64
		if err := rows.Scan(&p.ID, &at); err != nil {
			return nil, fmt.Errorf("times of posts: %w", err)
		}
		p.At = fromMillis(at)
		times = append(times, p)
	}
	return times, rows.Err()
}
