package store_test

import (
	"fmt"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

// BenchmarkListPage is a page of the list, the newest and one in the middle,
// of a small board and of one with a million posts.
func BenchmarkListPage(b *testing.B) {
	for _, posts := range []int64{100, 1_000_000} {
		s := storetest.New(b)
		author := storetest.Member(b, s)
		err := s.Exec(b.Context(), `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
			INSERT INTO posts (author_id, form_id, title, body, created_at) SELECT $2, 'form ' || i, 'Title ' || i, 'Body', i FROM n`,
			posts, author.ID)
		if err != nil {
			b.Fatal(err)
		}
		for name, before := range map[string]int64{"newest": 0, "middle": posts / 2} {
			b.Run(fmt.Sprintf("%s of %d", name, posts), func(b *testing.B) {
				for b.Loop() {
					list, err := s.Posts(b.Context(), store.ListQuery{Sort: store.SortNew, Limit: 20, Before: before})
					if err != nil || len(list.Posts) != 20 {
						b.Fatal(len(list.Posts), err)
					}
				}
			})
		}
	}
}
