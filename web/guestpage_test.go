package web

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/views"
)

func guestPost() views.PostPage {
	return views.PostPage{
		Page: views.Page{
			Site: views.Site{Name: "Madang", BaseURL: "http://127.0.0.1"}, Lang: views.English,
			Path: "/posts/1", Now: time.Date(2026, 5, 1, 12, 0, 0, 300, time.UTC),
		},
		Post:    store.Post{ID: 1, Title: "Title", Body: "Body", Author: "kim", Comments: 1},
		Counted: true,
		Comments: []store.Comment{{
			ID: 7, PostID: 1, Author: "lee", Body: "Comment, @lee", CreatedAt: time.Date(2026, 5, 1, 11, 59, 59, 0, time.UTC),
		}},
	}
}

func rendered(t *testing.T, g *guestPages, page views.PostPage) string {
	t.Helper()
	var buf bytes.Buffer
	body, err := g.render(t.Context(), &buf, page)
	if err != nil {
		t.Fatal(err)
	}
	return string(body.plain)
}

// Each field of what a page is made of has a case here or in the other tests,
// so that none is forgotten when a page comes to show more.
func TestGuestPageIsGivenAgainForTheSameContentsOnly(t *testing.T) {
	known := map[string]bool{
		"Page": true, "Post": true, "Liked": true, "Counted": true, "Comments": true, "Form": true,
		"Earlier": true, "Later": true, "Mentions": true, "Seen": true,
		"Writing": true, // is seen by members alone
		"Site":    true, "Lang": true, "User": true, "Path": true, "Notice": true, "Now": true, "Problems": true, "about": true,
	}
	for _, of := range []reflect.Type{reflect.TypeFor[views.PostPage](), reflect.TypeFor[views.Page]()} {
		for field := range of.Fields() {
			if !known[field.Name] {
				t.Errorf("pages have a new field %s: guestPages must know what to do with it", field.Name)
			}
		}
	}
	for name, change := range map[string]func(*views.PostPage){
		"title":          func(p *views.PostPage) { p.Post.Title = "Another" },
		"body":           func(p *views.PostPage) { p.Post.Body = "Another" },
		"views":          func(p *views.PostPage) { p.Post.Views++ },
		"edited":         func(p *views.PostPage) { p.Post.EditedAt = p.Now.Add(-time.Hour) },
		"comment":        func(p *views.PostPage) { p.Comments[0].Body = "Another" },
		"comment gone":   func(p *views.PostPage) { p.Comments = nil },
		"comment edited": func(p *views.PostPage) { p.Comments[0].EditedAt = p.Now.Add(-time.Hour) },
		"earlier page":   func(p *views.PostPage) { p.Earlier = 3 },
		"later page":     func(p *views.PostPage) { p.Later = 9 },
		"mention":        func(p *views.PostPage) { p.Mentions = []string{"lee"} },
		"language":       func(p *views.PostPage) { p.Lang = views.Korean },
		"path":           func(p *views.PostPage) { p.Path = "/posts/1?from=feed" },
		"a minute later": func(p *views.PostPage) { p.Now = p.Now.Add(time.Minute) },
		"member":         func(p *views.PostPage) { p.User = store.User{ID: 2, Nickname: "park"} },
		"author":         func(p *views.PostPage) { p.User = store.User{ID: 2}; p.Post.AuthorID = 2 },
		"uncounted":      func(p *views.PostPage) { p.Counted = false },
		"notice":         func(p *views.PostPage) { p.Notice = views.Notice{Key: "nav.login"} },
	} {
		g := newGuestPages(1 << 20)
		first := rendered(t, g, guestPost())
		if again := rendered(t, g, guestPost()); again != first {
			t.Errorf("%s: the same page came out differently", name)
		}
		page, whole := guestPost(), guestPost()
		change(&page)
		change(&whole)
		if got, want := rendered(t, g, page), rendered(t, newGuestPages(0), whole); got != want || got == first {
			t.Errorf("%s: the page is not the new one", name)
		}
	}
}

func TestGuestPagesAreBounded(t *testing.T) {
	g := newGuestPages(100 << 10)
	for i := range 200 {
		page := guestPost()
		page.Path = fmt.Sprintf("/posts/1?n=%d", i)
		rendered(t, g, page)
		if g.size > g.limit || g.size < 0 || len(g.pages) == 0 {
			t.Fatalf("%d bytes in %d pages after %d", g.size, len(g.pages), i+1)
		}
	}
	before := len(g.pages)
	page := guestPost()
	page.Post.Body = strings.Repeat("long ", 100<<10)
	if html := rendered(t, g, page); !strings.Contains(html, "long long") {
		t.Error("a page that is too long to be kept was not rendered")
	}
	if len(g.pages) > before {
		t.Error("a page that is too long was kept")
	}
}
