package views

import (
	"strings"
	"testing"

	"madang/store"
)

// foundResult is a result with all that can be said of one.
func foundResult(text string) store.SearchResult {
	post := store.Post{ID: 7, AuthorID: 5, Author: text, Title: text, Views: 3, CreatedAt: now}
	pieces := []store.Piece{{Text: text}, {Text: text, Hit: true}}
	return store.SearchResult{
		Hits: []store.SearchHit{
			{Place: store.SearchPlace{Tier: 1, PostID: 7}, Post: post, Title: pieces, Excerpt: pieces},
			{Place: store.SearchPlace{Tier: 4, PostID: 8}, Post: post, Title: pieces, Excerpt: pieces, Comment: store.Comment{ID: 9, Author: text}},
		},
		Count: 200, More: true, Newer: true, Widened: true, Unfinished: true, Filling: true,
	}
}

func TestASearchSaysWhatItDidNotDo(t *testing.T) {
	for _, lang := range []Lang{Korean, English} {
		doc := document(t, Search(SearchPage{Page: testPage(lang, "x"), Text: "x", Found: foundResult("x")}))
		status := doc.Find(".result").Text()
		for _, key := range []string{"search.widened", "search.unfinished", "search.filling", "search.narrow"} {
			if !strings.Contains(status, lang.Word(key)) {
				t.Errorf("%s: %q is not said in %q", lang, key, status)
			}
		}
		if got := doc.Find("a[rel=prev]").AttrOr("href", ""); got != "/board/search?after=1-7&q=x" {
			t.Errorf("the page before is at %q", got)
		}
		if doc.Find("a[rel=next]").Length() > 0 {
			t.Error("the list goes on")
		}
	}
}
