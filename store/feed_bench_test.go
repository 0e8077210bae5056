package store_test

import (
	"testing"

	"madang/store"
	"madang/store/storetest"
)

// BenchmarkFeedAndSitemap is what the feed, a sitemap of 20,000 posts and the
// index of sitemaps read of a board with a million posts.
func BenchmarkFeedAndSitemap(b *testing.B) {
	s := storetest.New(b)
	err := s.Exec(b.Context(), `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
		INSERT INTO posts (author_id, form_id, title, body, created_at) SELECT $1, 'form ' || i, 'Title ' || i, 'Body', i FROM n`,
		storetest.Member(b, s).ID)
	if err != nil {
		b.Fatal(err)
	}
	part := store.IDRange{From: 480_001, To: 500_000}
	for name, read := range map[string]func() (int64, error){
		"feed": func() (int64, error) { posts, err := s.Feed(b.Context()); return int64(len(posts)) - 50, err },
		"set":  func() (int64, error) { set, err := s.PostSet(b.Context(), part); return set.Count - 20_000, err },
		"times": func() (int64, error) {
			posts, err := s.PostTimes(b.Context(), part)
			return int64(len(posts)) - 20_000, err
		},
		"index": func() (int64, error) {
			ranges, err := s.PostRanges(b.Context(), 20_000, 50_000)
			return int64(len(ranges)) - 50, err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if off, err := read(); err != nil || off != 0 {
					b.Fatal(off, err)
				}
			}
		})
	}
}
