package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
)

func TestPagesOfResultsAreStable(t *testing.T) {
	l := newLibrary(t)
	var want []int64
	for range 6 {
		want = append(want, l.post("다른 제목", "가을"))
	}
	for range 5 {
		want = append(want, l.post("가을", "본문"))
	}
	slices.Reverse(want) // the newest first, titles before bodies
	var got []int64
	q := store.SearchQuery{Text: "가을", Limit: 4}
	var back store.SearchPlace
	for n := range 3 {
		page := l.search(q)
		if len(page.Hits) != []int{4, 4, 3}[n] || page.Older != (n < 2) || page.Newer != (n > 0) || page.Count < 11 || page.More {
			t.Errorf("page %d: %+v", n, page)
		}
		for _, hit := range page.Hits {
			got = append(got, hit.Post.ID)
			q.Before = hit.Place
		}
		back = page.Hits[0].Place
		l.post("가을", "새 글") // what comes meanwhile moves nothing
		l.comment(want[3], "가을")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	page := l.search(store.SearchQuery{Text: "가을", Limit: 4, After: back})
	if len(page.Hits) != 4 || page.Hits[0].Post.ID != want[4] || page.Hits[3].Post.ID != want[7] {
		t.Errorf("the page before: %+v", page.Hits)
	}
	// A place whose post is gone is still a place.
	if err := l.DeletePost(t.Context(), l.writer, back.PostID); err != nil {
		t.Fatal(err)
	}
	if page := l.search(store.SearchQuery{Text: "가을", Limit: 4, Before: back}); len(page.Hits) != 2 || page.Hits[0].Post.ID != want[9] {
		t.Errorf("after a deleted post: %+v", page.Hits)
	}
	if page := l.search(store.SearchQuery{Text: "가을", Limit: 4, Before: store.SearchPlace{Tier: 4, PostID: 1}}); len(page.Hits) != 0 || page.Older || !page.Newer {
		t.Errorf("past the end: %+v", page)
	}
}

func TestAPageThatIsJustFullIsTheLast(t *testing.T) {
	l := newLibrary(t)
	for range 4 {
		l.post("봄", "본문")
	}
	page := l.search(store.SearchQuery{Text: "봄", Limit: 2})
	page = l.search(store.SearchQuery{Text: "봄", Limit: 2, Before: page.Hits[1].Place})
	if len(page.Hits) != 2 || page.Older {
		t.Errorf("%+v", page)
	}
}

func TestASearchFindsNoMoreThanAnybodyReads(t *testing.T) {
	l := newLibrary(t)
	for i := range 203 {
		post := l.post(fmt.Sprint("여름 ", i), "바람")
		if i == 0 {
			l.comment(post, "겨울")
		}
	}
	page := l.search(store.SearchQuery{Text: "바람"})
	if page.Count != 200 || !page.More || !page.Older {
		t.Errorf("%d found, more: %v", page.Count, page.More)
	}
	if page := l.search(store.SearchQuery{Text: "겨울"}); page.Count != 1 || page.More {
		t.Errorf("%+v", page)
	}
}

func TestPlacesAreReadAsTheyAreWritten(t *testing.T) {
	for _, p := range []store.SearchPlace{{Tier: 1, PostID: 1}, {Tier: 4, PostID: 1<<63 - 1}} {
		if got, ok := store.ReadSearchPlace(p.String()); !ok || got != p {
			t.Errorf("%v: %v, %v", p, got, ok)
		}
	}
	for _, text := range []string{"", "-", "1", "1-", "-1", "0-1", "5-1", "1-0", "1--1", "01-1", "1-9223372036854775808", "1-1-1", "a-b", "+1-1", "1-1 "} {
		if p, ok := store.ReadSearchPlace(text); ok {
			t.Errorf("%q is read as %v", text, p)
		}
	}
}
