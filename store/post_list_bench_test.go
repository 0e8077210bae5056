package store_test

import (
	"fmt"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// BenchmarkListPage is a page of the list of a small board and of one with a
// million posts, each of which somebody has read this week: the newest, those
// in the middle, down and up, the most popular and those behind them.
func BenchmarkListPage(b *testing.B) {
	for _, posts := range []int64{100, 1_000_000} {
		s, today := crowdedBoard(b, posts)
		ranking, err := s.FindPopular(b.Context(), today)
		if err != nil || len(ranking) < 100 {
			b.Fatal(len(ranking), err)
		}
		for _, c := range []struct {
			name string
			q    store.ListQuery
		}{
			{"newest", store.ListQuery{Sort: store.SortNew}},
			{"down", store.ListQuery{Sort: store.SortNew, Before: posts / 2}},
			{"up", store.ListQuery{Sort: store.SortNew, After: posts / 2}},
			{"popular", store.ListQuery{Sort: store.SortPopular}},
			{"popular down", store.ListQuery{Sort: store.SortPopular, Before: ranking[49]}},
			{"popular up", store.ListQuery{Sort: store.SortPopular, After: ranking[49]}},
		} {
			c.q.Limit = 20
			b.Run(fmt.Sprintf("%s of %d", c.name, posts), func(b *testing.B) {
				for b.Loop() {
					list, err := s.Posts(b.Context(), c.q)
					if err != nil || len(list.Posts) != 20 {
						b.Fatal(len(list.Posts), err)
					}
				}
			})
		}
		b.Run(fmt.Sprintf("ranking of %d", posts), func(b *testing.B) {
			for b.Loop() {
				if _, err := s.FindPopular(b.Context(), today); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// crowdedBoard is a board on which each post had readers on a day of this week,
// most of them few, and every fiftieth on each day.
func crowdedBoard(b *testing.B, posts int64) (s *store.Store, today int32) {
	b.Helper()
	s = storetest.New(b)
	author := storetest.Member(b, s)
	today = int32(time.Now().Unix() / 86400) //nolint:gosec // a day
	run := func(query string) {
		if err := s.Exec(b.Context(), query); err != nil {
			b.Fatal(err)
		}
	}
	const step = 50_000 // what one statement has time for
	for from := int64(0); from < posts; from += step {
		to := min(from+step, posts)
		run(fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			INSERT INTO posts (author_id, form_id, title, body, created_at) SELECT %d, 'form ' || i, 'Title ' || i, 'Body', i FROM n`, from+1, to, author.ID))
		run(fmt.Sprintf(`INSERT INTO post_days (post_id, day, views)
			SELECT id, %d - id %% 7, 1 + 1000000 / (id * 7919 %% 1000003 + 10) FROM posts WHERE id > %d`, today, from))
		run(fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 6)
			INSERT INTO post_days (post_id, day, views) SELECT id, %d - i, id %% 100 FROM posts JOIN n ON i <> id %% 7 WHERE id > %d AND id %% 50 = 0`, today, from))
	}
	run(`ANALYZE`)
	return s, today
}
