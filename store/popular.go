package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

const (
	// popularDays and popularMax bound the ranking.
	popularDays = 7
	popularMax  = 200
	// bestOfDay is how many posts of a day are looked at, and rankedMax how many
	// are ranked: enough when some of them are deleted.
	bestOfDay = 500
	rankedMax = 1000
	// A ranking is good for so many times as long as it took to find, and is
	// still given for so many times while another one is looked for: a busy
	// board spends a twentieth of a core on it, and nobody waits. One that is
	// found at once is found anew for everybody.
	popularGood  = 20
	popularStale = 400
	popularQuick = 5 * time.Millisecond
)

// scoreSQL is what a day of a post is worth: a reader counts once a day, a like
// as much as five readers. The words must be those of the index of days.
const scoreSQL = `views + 5 * likes`

// rankedPostsSQL is the ranking of the days up to $1. It adds up the posts that
// are among the best of a day, so that its cost does not grow with the board: a
// post that is missed has five hundred before it on each day.
func rankedPostsSQL() string {
	days := make([]string, popularDays)
	for i := range days {
		days[i] = fmt.Sprintf(`SELECT * FROM (SELECT post_id FROM post_days WHERE day = $1 - %d
			ORDER BY %s DESC, post_id DESC LIMIT %d) AS day`, i, scoreSQL, bestOfDay)
	}
	// The sum of each is asked for by itself, so that no database reads the whole
	// week to join it.
	return fmt.Sprintf(`WITH best AS MATERIALIZED (SELECT DISTINCT post_id FROM (%s) AS days),
		scores AS MATERIALIZED (SELECT post_id, (SELECT SUM(%s) FROM post_days AS d
				WHERE d.post_id = b.post_id AND d.day > $1 - %d AND d.day <= $1) AS score
			FROM best AS b ORDER BY score DESC, post_id DESC LIMIT %d)
		SELECT r.post_id FROM scores AS r JOIN posts AS p ON p.id = r.post_id
		WHERE r.score > 0 AND p.deleted_at IS NULL ORDER BY r.score DESC, r.post_id DESC LIMIT $2`,
		strings.Join(days, ` UNION ALL `), scoreSQL, popularDays, rankedMax)
}

// findPopular returns the ids of the popular posts, the first of them first.
func (s *Store) findPopular(ctx context.Context, day int32) (ids []int64, err error) {
	rows, err := s.readers.QueryContext(ctx, rankedPostsSQL(), day, popularMax)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// popular remembers the popular posts: to find them takes as long as many pages.
// Its zero value remembers none.
type popular struct {
	mu    sync.Mutex
	last  popularFound
	under *popularLook // nil when nobody looks
	looks sync.WaitGroup
}

// popularFound is the outcome of a look. Its ids are never written to.
type popularFound struct {
	ids  []int64
	day  int32
	took time.Duration
	at   time.Time
}

// popularLook is a look that has not come to its end.
type popularLook struct {
	done  chan struct{}
	found popularFound
	err   error
}

// within reports whether a ranking is still good after so many times as long
// as it took.
func (f popularFound) within(times time.Duration, day int32) bool {
	return f.took >= popularQuick && f.day == day && time.Since(f.at) < times*f.took
}

// read returns the ranking of a day, the last one while another is looked for.
func (r *popular) read(ctx context.Context, day int32, find func(context.Context, int32) ([]int64, error)) ([]int64, error) {
	r.mu.Lock()
	last, look := r.last, r.under
	if last.within(popularGood, day) {
		r.mu.Unlock()
		return last.ids, nil
	}
	if look == nil {
		look = &popularLook{done: make(chan struct{})}
		r.under = look
		r.looks.Go(func() { r.look(context.WithoutCancel(ctx), look, day, find) })
	}
	r.mu.Unlock()
	if last.within(popularStale, day) {
		return last.ids, nil
	}
	select {
	case <-look.done:
		return look.found.ids, look.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// popularTime bounds a look that nobody may be waiting for any more.
const popularTime = 10 * time.Second

func (r *popular) look(ctx context.Context, look *popularLook, day int32, find func(context.Context, int32) ([]int64, error)) {
	ctx, cancel := context.WithTimeout(ctx, popularTime)
	defer cancel()
	begun := time.Now()
	ids, err := find(ctx, day)
	look.found, look.err = popularFound{ids: ids, day: day, took: time.Since(begun), at: time.Now()}, err
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.under = nil; err == nil {
		r.last = look.found
	}
	close(look.done)
}

// wait returns when nobody looks any more.
func (r *popular) wait() { r.looks.Wait() }
