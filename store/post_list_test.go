package store_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func ids(list store.PostList) []int64 {
	found := []int64{}
	for _, p := range list.Posts {
		found = append(found, p.ID)
	}
	return found
}

func list(t *testing.T, s *store.Store, q store.ListQuery) store.PostList {
	t.Helper()
	page, err := s.Posts(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// walk follows the links to older pages from the top, and back up again.
func walk(t *testing.T, s *store.Store, q store.ListQuery) (down, up [][]int64) {
	t.Helper()
	page := list(t, s, q)
	if page.Newer {
		t.Error("something above the top")
	}
	down = append(down, ids(page))
	for page.Older {
		q.Before, q.After = page.Posts[len(page.Posts)-1].ID, 0
		page = list(t, s, q)
		if len(page.Posts) == 0 || !page.Newer {
			t.Fatalf("page before %d: %v, newer %v", q.Before, ids(page), page.Newer)
		}
		down = append(down, ids(page))
	}
	for page.Newer {
		q.Before, q.After = 0, page.Posts[0].ID
		page = list(t, s, q)
		if len(page.Posts) == 0 || !page.Older {
			t.Fatalf("page after %d: %v, older %v", q.After, ids(page), page.Older)
		}
		up = append(up, ids(page))
	}
	return down, up
}

func TestListIsWalkedBothWays(t *testing.T) {
	for _, c := range []struct {
		posts    int
		down, up [][]int64
	}{
		{0, [][]int64{{}}, nil},
		{2, [][]int64{{2, 1}}, nil},
		{3, [][]int64{{3, 2, 1}}, nil},
		{4, [][]int64{{4, 3, 2}, {1}}, [][]int64{{4, 3, 2}}},
		{6, [][]int64{{6, 5, 4}, {3, 2, 1}}, [][]int64{{6, 5, 4}}},
		{8, [][]int64{{8, 7, 6}, {5, 4, 3}, {2, 1}}, [][]int64{{5, 4, 3}, {8, 7, 6}}},
	} {
		t.Run(fmt.Sprint(c.posts), func(t *testing.T) {
			s := storetest.New(t)
			author := storetest.Member(t, s)
			for range c.posts {
				storetest.Post(t, s, author)
			}
			for _, sort := range []store.Sort{store.SortNew, store.SortPopular} {
				for id := range c.posts { // of equal rank: the newest first
					if err := s.Like(t.Context(), author, int64(id+1)); err != nil {
						t.Fatal(err)
					}
				}
				down, up := walk(t, s, store.ListQuery{Sort: sort, Limit: 3})
				if diff := cmp.Diff(c.down, down); diff != "" {
					t.Errorf("%s, down (-want +got):\n%s", sort, diff)
				}
				if diff := cmp.Diff(c.up, up); diff != "" {
					t.Errorf("%s, up (-want +got):\n%s", sort, diff)
				}
			}
		})
	}
}

func TestListShowsWhatAPostIsWithoutItsBody(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	id := storetest.Post(t, s, author)
	want := post(t, s, id)
	want.Body = ""
	if diff := cmp.Diff([]store.Post{want}, list(t, s, store.ListQuery{Limit: 10}).Posts); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
}

func TestListSkipsDeletedPosts(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	for range 6 {
		storetest.Post(t, s, author)
	}
	for _, id := range []int64{1, 4, 6} {
		if err := s.DeletePost(t.Context(), author, id); err != nil {
			t.Fatal(err)
		}
	}
	down, up := walk(t, s, store.ListQuery{Limit: 2})
	if diff := cmp.Diff([][]int64{{5, 3}, {2}}, down); diff != "" {
		t.Errorf("down (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([][]int64{{5, 3}}, up); diff != "" {
		t.Errorf("up (-want +got):\n%s", diff)
	}
	if page := list(t, s, store.ListQuery{Before: 2, Limit: 2}); len(page.Posts) != 0 || page.Older || !page.Newer {
		t.Errorf("below the last: %+v", page)
	}
	for _, after := range []int64{5, math.MaxInt64} {
		if page := list(t, s, store.ListQuery{After: after, Limit: 2}); len(page.Posts) != 0 || !page.Older || page.Newer {
			t.Errorf("above the first, after %d: %+v", after, page)
		}
	}
}

func TestPageStaysWhileOthersPost(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	for range 4 {
		storetest.Post(t, s, author)
	}
	first := list(t, s, store.ListQuery{Limit: 2})
	storetest.Post(t, s, author)
	second := list(t, s, store.ListQuery{Before: first.Posts[1].ID, Limit: 2})
	if diff := cmp.Diff([]int64{2, 1}, ids(second)); diff != "" {
		t.Errorf("second page (-want +got):\n%s", diff)
	}
}

func TestPopularRanksTheLastDays(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now, NoLimits: true})
	author, other := storetest.Member(t, s), storetest.Member(t, s)
	for range 6 {
		storetest.Post(t, s, author)
	}
	today := clock.Now().Unix() / 86400
	for _, row := range []struct{ post, day, views int64 }{
		{1, today - 7, 1000}, // too long ago
		{2, today - 6, 6},    // the oldest day that counts
		{3, today, 4},
		{3, today - 1, 4},
		{5, today, 90},
	} {
		err := s.Exec(t.Context(), `INSERT INTO post_days (post_id, day, views) VALUES ($1, $2, $3)`, row.post, row.day, row.views)
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, u := range []store.User{author, other} {
		if err := s.Like(t.Context(), u, 4); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.DeletePost(t.Context(), author, 5); err != nil {
		t.Fatal(err)
	}
	q := store.ListQuery{Sort: store.SortPopular, Limit: 10}
	if diff := cmp.Diff([]int64{4, 3, 2}, ids(list(t, s, q))); diff != "" {
		t.Errorf("ranking (-want +got):\n%s", diff)
	}
	q.Before = 1
	if page := list(t, s, q); len(page.Posts) != 0 || page.Older || page.Newer {
		t.Errorf("beside a post without rank: %+v", page)
	}
}

func TestPopularEndsAtTwoHundred(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	err := s.Exec(t.Context(),
		`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
		 INSERT INTO posts (author_id, form_id, title, body, created_at) SELECT $1, i, 'title', 'body', 0 FROM n`, author.ID)
	if err != nil {
		t.Fatal(err)
	}
	err = s.Exec(t.Context(), `INSERT INTO post_days (post_id, day, views) SELECT id, $1, id FROM posts`, time.Now().Unix()/86400)
	if err != nil {
		t.Fatal(err)
	}
	down, _ := walk(t, s, store.ListQuery{Sort: store.SortPopular, Limit: 100})
	if len(down) != 2 || len(down[1]) != 100 || down[1][99] != 51 {
		t.Errorf("%d pages, want the first two hundred on two", len(down))
	}
}

func TestListNeitherScansNorSorts(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	err := s.Exec(t.Context(), `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
		INSERT INTO posts (author_id, form_id, title, body, created_at, deleted_at)
		SELECT $1, CAST(i AS TEXT), 't', 'b', 0, CASE WHEN i % 3 = 0 THEN 1 END FROM n`, author.ID)
	if err != nil {
		t.Fatal(err)
	}
	exec(t, s, `INSERT INTO post_days (post_id, day, views) SELECT id, id / 10, 1 FROM posts`)
	exec(t, s, `ANALYZE`)
	for _, query := range []string{store.OlderPostsSQL(), store.NewerPostsSQL()} {
		plan := explain(t, s, query, 1000, 21)
		if !strings.Contains(plan, "posts_live") {
			t.Errorf("the index of live posts is not used:\n%s", plan)
		}
		if readsAll(plan, "p") || readsAll(plan, "posts") || strings.Contains(plan, "TEMP B-TREE") || strings.Contains(plan, "Sort") {
			t.Errorf("more is read than the page:\n%s", plan)
		}
	}
	plan := explain(t, s, store.RankedPostsSQL(), 490, 200)
	if n := strings.Count(plan, "post_days_best"); n != 7 || readsAll(plan, "post_days") || readsAll(plan, "d\n") || readsAll(plan, "p\n") {
		t.Errorf("the ranking looks at more than the best of seven days:\n%s", plan)
	}
}
