package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func TestFeedHoldsTheNewestPostsWithTheirTexts(t *testing.T) {
	clock := storetest.NewClock(time.Now())
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	author, leaver := storetest.Member(t, s), storetest.Member(t, s)
	var want []int64
	for range store.FeedMax + 2 {
		want = append([]int64{storetest.Post(t, s, author)}, want...)
	}
	left := storetest.Post(t, s, leaver)
	if err := s.Exec(t.Context(), `UPDATE users SET nickname = '' WHERE id = $1`, leaver.ID); err != nil {
		t.Fatal(err)
	}
	gone := want[3]
	if err := s.DeletePost(t.Context(), author, gone); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute)
	if err := s.EditPost(t.Context(), author, want[0], store.NewPost{Title: "Other", Body: "Words"}); err != nil {
		t.Fatal(err)
	}
	posts, err := s.Feed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want = append([]int64{left}, append(append([]int64{}, want[:3]...), want[4:]...)...)[:store.FeedMax]
	if diff := cmp.Diff(want, ids(store.PostList{Posts: posts})); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
	if p := posts[1]; p.Title != "Other" || p.Body != "Words" || p.Author != author.Nickname || !p.EditedAt.After(p.CreatedAt) {
		t.Errorf("an edited post: %+v", p)
	}
	if posts[0].Author != "" || posts[0].Views+posts[0].Likes+posts[0].Comments != 0 {
		t.Errorf("a post of somebody who left: %+v", posts[0])
	}
}

func TestPostSetTellsEachDeletionAndEachPost(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	seen := map[store.PostSet]bool{}
	note := func() {
		t.Helper()
		set, err := s.PostSet(t.Context(), store.IDRange{From: 1, To: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if seen[set] {
			t.Errorf("%+v was seen before", set)
		}
		seen[set] = true
	}
	note()
	for range 5 {
		kept, gone := storetest.Post(t, s, author), storetest.Post(t, s, author)
		note()
		if err := s.DeletePost(t.Context(), author, gone); err != nil {
			t.Fatal(err, kept)
		}
		note()
	}
}

func TestPostRangesLeaveOutWhatIsEmpty(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	for _, id := range []int64{10, 11, 35, 36, 70, 90} {
		err := s.Exec(t.Context(), `INSERT INTO posts (id, author_id, form_id, title, body, created_at)
			VALUES ($1, $2, $3, 'Title', 'Body', $1)`, id, author.ID, fmt.Sprint(id))
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.DeletePost(t.Context(), author, 70); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int][]store.IDRange{
		9: {{1, 10}, {11, 20}, {31, 40}, {81, 90}}, 2: {{1, 10}, {11, 20}},
	} {
		got, err := s.PostRanges(t.Context(), 10, limit)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("ranges (-want +got): %v\n%s", err, diff)
		}
	}
	times, err := s.PostTimes(t.Context(), store.IDRange{From: 31, To: 80})
	want := []store.PostTime{{35, time.UnixMilli(35).UTC()}, {36, time.UnixMilli(36).UTC()}}
	if diff := cmp.Diff(want, times, cmp.Comparer(time.Time.Equal)); err != nil || diff != "" {
		t.Errorf("times (-want +got): %v\n%s", err, diff)
	}
}

func TestFeedAndSitemapReadNoMoreThanTheyShow(t *testing.T) {
	s := storetest.New(t)
	if s.OnPostgres() {
		t.Skip("an empty table is read whole")
	}
	for name, query := range map[string]string{
		"feed": store.FeedSQL, "set": store.PostSetSQL, "next": store.NextPostSQL, "times": store.PostTimesSQL,
	} {
		args := []any{1, 100}[:strings.Count(query, "$")]
		plan := explain(t, s, query, args...)
		bounded := strings.Contains(plan, "SEARCH posts") || name == "feed" && strings.Contains(plan, "USING INDEX posts_live")
		if !bounded || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s: %s", name, plan)
		}
	}
}
