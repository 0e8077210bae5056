package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"madang/store"
	"madang/store/storetest"
)

func searchFor(text string) string { return "/search?" + url.Values{"q": {text}}.Encode() }

// write makes a post.
func (b *board) write(author store.User, title, body string) int64 {
	b.t.Helper()
	id, err := b.store.CreatePost(b.t.Context(), author, store.NewPost{Title: title, Body: body, FormID: newID()})
	if err != nil {
		b.t.Fatal(err)
	}
	return id
}

// foundPosts are the numbers of the posts on a page of results.
func (a *answer) foundPosts() []string {
	return a.doc().Find("article[data-post-id]").Map(func(_ int, s *goquery.Selection) string {
		return s.AttrOr("data-post-id", "")
	})
}

func TestSearchShowsWhereTheWordsAre(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	post := b.write(author, "대한민국 <b>", "본문은 **민국**이다. <script>alert(1)</script>")
	other := b.write(author, "다른 글", "없음")
	comment, err := b.store.CreateComment(t.Context(), author, store.NewComment{PostID: other, Body: "여기 민국 & 만세", FormID: newID()})
	if err != nil {
		t.Fatal(err)
	}
	page := b.guest().get(searchFor("민국")).wants(http.StatusOK)
	if got := fmt.Sprint(page.foundPosts()); got != fmt.Sprint([]int64{post, other}) {
		t.Errorf("found %s", got)
	}
	doc := page.doc()
	if got := doc.Find("article h2").First().Text(); strings.TrimSpace(got) != "대한민국 <b>" {
		t.Errorf("title %q", got)
	}
	marks := doc.Find("mark").Map(func(_ int, s *goquery.Selection) string { return s.Text() })
	if fmt.Sprint(marks) != "[민국 민국 민국]" {
		t.Errorf("marked %v", marks)
	}
	if got := doc.Find("article .excerpt").First().Text(); !strings.Contains(got, "본문은 민국이다. <script>alert(1)</script>") {
		t.Errorf("excerpt %q", got)
	}
	if got := doc.Find("article h2 a").Last().AttrOr("href", ""); got != fmt.Sprintf("/posts/%d#comment-%d", other, comment) {
		t.Errorf("leads to %q", got)
	}
	if got := doc.Find("article .excerpt").Last().Text(); !strings.Contains(got, author.Nickname) || !strings.Contains(got, "여기 민국 & 만세") {
		t.Errorf("the comment %q", got)
	}
	if got := doc.Find("#q").AttrOr("value", ""); got != "민국" {
		t.Errorf("the field holds %q", got)
	}
}

func TestNoRobotListsResults(t *testing.T) {
	c := newBoard(t).guest()
	for _, path := range []string{"/search", searchFor("x")} {
		if got := c.get(path).wants(http.StatusOK).header.Get("X-Robots-Tag"); !strings.Contains(got, "noindex") {
			t.Errorf("%s: X-Robots-Tag %q", path, got)
		}
	}
}

func TestAnyTextGivesAPageOfResults(t *testing.T) {
	b := newBoard(t)
	b.write(storetest.Member(t, b.store), "NEAR the OR", "AND NOT a")
	for _, come := range []*client{b.guest(), b.as(storetest.Admin(t, b.store))} {
		for _, text := range append(hostile(), "", " ", "😀", `"a" NEAR "b"`, "title:a", "a:* & !b", `'a' | 'b'`, strings.Repeat("-a ", 100), "a\nb") {
			page := come.get(searchFor(text)).wants(http.StatusOK)
			if page.doc().Find("form[role=search] input[name=q]").Length() != 1 {
				t.Errorf("%.40q: no form", text)
			}
			if page.doc().Find("main script, main b:not(.excerpt b)").Length() > 0 {
				t.Errorf("%.40q became HTML", text)
			}
		}
	}
	b.guest().get("/search?q=a&q=b&x=%zz").wants(http.StatusOK)
	for _, query := range []string{"q=a&before=1", "q=a&after=x", "q=a&before=", "q=a&before=1-0", "before=9-1"} {
		b.guest().get("/search?" + query).wants(http.StatusBadRequest)
	}
}

func TestEveryPageHasAWayToSearch(t *testing.T) {
	b := newBoard(t)
	post := postPath(storetest.Post(t, b.store, storetest.Member(t, b.store)))
	c := b.as(storetest.Member(t, b.store))
	for _, path := range []string{"/", post, "/posts/new", "/account", "/no/such/page"} {
		doc := c.get(path).doc()
		form := doc.Find("header form[role=search]")
		if form.AttrOr("action", "") != "/search" || form.Find("input[name=q]").AttrOr("aria-label", "") == "" || doc.Find("header a[href='/search']").Text() == "" {
			t.Errorf("%s has none", path)
		}
	}
	if n := c.get("/search").doc().Find("[role=search]").Length(); n != 1 {
		t.Errorf("%d forms on the page of the search", n)
	}
}

func TestResultsArePaged(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	for i := range 2*pageSize + 1 {
		b.write(author, fmt.Sprint("가을 ", i), "본문")
	}
	c, seen := b.guest(), map[string]bool{}
	path := searchFor("가을")
	var first string
	for _, want := range []int{pageSize, pageSize, 1} {
		page := c.get(path).wants(http.StatusOK)
		for _, id := range page.foundPosts() {
			seen[id] = true
		}
		if n := len(page.foundPosts()); n != want {
			t.Errorf("%s: %d results, want %d", path, n, want)
		}
		b.write(author, "가을 중", "사이에") // moves nothing
		path = page.doc().Find("a[rel=next]").AttrOr("href", "")
		if first == "" {
			first = path
		}
	}
	if len(seen) != 2*pageSize+1 || path != "" {
		t.Errorf("%d seen, and on to %q", len(seen), path)
	}
	back := c.get(first).doc().Find("a[rel=prev]").AttrOr("href", "")
	if n := len(c.get(back).wants(http.StatusOK).foundPosts()); n != pageSize {
		t.Errorf("%d on the page before", n)
	}
}

func TestWhatIsDeletedIsNotFoundAnyMore(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	post := b.write(author, "비밀스러운 글", "본문")
	c := b.as(author)
	if len(c.get(searchFor("밀스")).foundPosts()) != 1 {
		t.Error("not found")
	}
	c.post(postPath(post)+"/delete", nil).wants(http.StatusSeeOther)
	if page := c.get(searchFor("밀스")).wants(http.StatusOK); len(page.foundPosts()) != 0 || strings.Contains(page.body, "비밀스러운") {
		t.Error("still found")
	}
}

func TestSearchesWaitForEachOther(t *testing.T) {
	g := newSearchGate(time.Minute)
	one, two, three := netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("2001:db8::2"), netip.MustParseAddr("192.0.2.1")
	leave, err := g.enter(t.Context(), one)
	if err != nil {
		t.Fatal(err)
	}
	entered := make(chan func())
	go func() { // of the same network
		leave, err := g.enter(context.WithoutCancel(t.Context()), two)
		if err != nil {
			t.Error(err)
		}
		entered <- leave
	}()
	other, err := g.enter(t.Context(), three)
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-entered:
		t.Error("two searches of one client at once")
	default:
	}
	leave()
	(<-entered)()
	other()
	if len(g.clients) != 0 || len(g.slots) != 0 {
		t.Errorf("%d clients and %d searches are left", len(g.clients), len(g.slots))
	}
}

func TestASearchThatFindsNoTurnIsRefused(t *testing.T) {
	b := newBoard(t)
	b.server.searches = newSearchGate(time.Millisecond)
	for range cap(b.server.searches.slots) {
		b.server.searches.slots <- struct{}{}
	}
	page := b.guest().get(searchFor("a")).wants(http.StatusServiceUnavailable)
	if page.header.Get("Retry-After") == "" {
		t.Error("nobody says when to come again")
	}
	b.guest().get("/").wants(http.StatusOK)
	b.guest().get("/search").wants(http.StatusOK)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.server.searches.enter(gone, netip.Addr{}); !errors.Is(err, context.Canceled) {
		t.Errorf("who left is told %v", err)
	}
	if len(b.server.searches.clients) != 0 {
		t.Error("a client is kept")
	}
}
