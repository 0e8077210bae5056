package web

import (
	"encoding/xml"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// atomDoc is what a reader takes from a feed.
type atomDoc struct {
	XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string   `xml:"id"`
	Entries []struct {
		ID     string `xml:"id"`
		Title  string `xml:"title"`
		Author string `xml:"author>name"`
	} `xml:"entry"`
}

func (a *answer) xml(into any) {
	a.t.Helper()
	if err := xml.Unmarshal([]byte(a.body), into); err != nil {
		a.t.Fatalf("%s: %v in\n%s", a.what, err, a.body)
	}
}

func (a *answer) atom() (feed atomDoc) {
	a.t.Helper()
	a.wants(http.StatusOK).xml(&feed)
	return feed
}

// wantsHeaders checks some headers of an answer.
func (a *answer) wantsHeaders(headers map[string]string) {
	a.t.Helper()
	for name, want := range headers {
		if got := strings.Join(a.header.Values(name), " | "); got != want {
			a.t.Errorf("%s: %s: %q, want %q", a.what, name, got, want)
		}
	}
}

func TestFeedShowsWhatIsThere(t *testing.T) {
	b := newBoard(t, under("/board"))
	author, leaver := storetest.Member(t, b.store), storetest.Member(t, b.store)
	gone, kept, left := storetest.Post(t, b.store, author), storetest.Post(t, b.store, author), storetest.Post(t, b.store, leaver)
	c := b.guest()
	if n := len(c.get("/feed.atom").atom().Entries); n != 3 {
		t.Fatalf("%d posts", n)
	}
	if err := b.store.DeletePost(t.Context(), author, gone); err != nil {
		t.Fatal(err)
	}
	if err := b.store.DeleteAccount(t.Context(), store.Reentry{UserID: leaver.ID, Current: storetest.Password}); err != nil {
		t.Fatal(err)
	}
	feed := c.get("/feed.atom").atom()
	if feed.ID != b.url+"/" || len(feed.Entries) != 2 {
		t.Fatalf("feed %+v", feed)
	}
	if e := feed.Entries[0]; e.ID != fmt.Sprintf("%s/posts/%d", b.url, left) || e.Author != "deleted member" {
		t.Errorf("entry %+v", e)
	}
	if e := feed.Entries[1]; e.ID != fmt.Sprintf("%s/posts/%d", b.url, kept) || e.Author != author.Nickname {
		t.Errorf("entry %+v", e)
	}
	if e := c.get("/feed.atom", "Accept-Language", "ko").atom().Entries[0]; e.Author != "탈퇴한 회원" {
		t.Errorf("entry in Korean %+v", e)
	}
}

func TestPolledAddressesHaveNoSession(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	storetest.Post(t, b.store, u)
	c := b.as(u)
	b.clock.Advance(2 * seenStep) // a page would put the end of the session off
	for path, kind := range map[string]string{"/feed.atom": atom, "/sitemap.xml": xmlText, "/robots.txt": plainText} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			a := c.send(method, path, nil).wants(http.StatusOK)
			a.wantsHeaders(map[string]string{"Content-Type": kind, "X-Content-Type-Options": "nosniff", "Set-Cookie": ""})
			if !strings.HasPrefix(a.header.Get("Cache-Control"), "public, ") || (a.body == "") != (method == http.MethodHead) {
				t.Errorf("%s: %q, %d bytes", a.what, a.header.Get("Cache-Control"), len(a.body))
			}
		}
		c.post(path, nil).wants(http.StatusMethodNotAllowed)
	}
}

func TestPolledAddressesSayThatNothingChanged(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	for _, path := range []string{"/feed.atom", "/sitemap.xml"} {
		gone := storetest.Post(t, b.store, author)
		b.clock.Advance(time.Minute)
		c := b.guest()
		first := c.get(path).wants(http.StatusOK)
		etag, modified := first.header.Get("ETag"), first.header.Get("Last-Modified")
		b.clock.Advance(time.Minute)
		for _, same := range [][]string{
			{"If-None-Match", etag},
			{"If-None-Match", `"other", ` + strings.TrimPrefix(etag, "W/")},
			{"If-None-Match", "*"},
			{"If-Modified-Since", modified},
			{"If-None-Match", etag, "If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"},
		} {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				a := c.send(method, path, nil, same...).wants(http.StatusNotModified)
				a.wantsHeaders(map[string]string{"ETag": etag, "Last-Modified": modified, "Content-Type": "", "Set-Cookie": ""})
			}
		}
		for _, other := range [][]string{
			{"If-None-Match", `W/"other"`},
			{"If-None-Match", `"other"`, "If-Modified-Since", modified},
			{"If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT"},
			{"If-Modified-Since", "yesterday"},
		} {
			c.get(path, other...).wants(http.StatusOK)
		}
		if err := b.store.DeletePost(t.Context(), author, gone); err != nil {
			t.Fatal(err)
		}
		c.get(path, "If-None-Match", etag).wants(http.StatusOK)
		c.get(path, "If-Modified-Since", modified).wants(http.StatusOK)
	}
}

func TestTimeOfADocumentCountsOnlyWhereItTellsOneFromTheOther(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 400, time.UTC)
	var none *document
	first := none.renewed([]byte("a"), now)
	if again := first.renewed([]byte("a"), now.Add(time.Hour)); again != first {
		t.Error("the same text made another document")
	}
	second := first.renewed([]byte("b"), now.Add(time.Millisecond))
	third := second.renewed([]byte("c"), now.Add(time.Minute))
	since := http.Header{"If-Modified-Since": {now.Format(http.TimeFormat)}}
	if !first.known(since) || second.known(since) || third.known(since) {
		t.Error("a client that has the first is told wrong things")
	}
}

func TestFeedIsMadeOnceForAll(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	id := storetest.Post(t, b.store, author)
	b.guest().get("/feed.atom").wants(http.StatusOK)
	kept := b.server.feeds.kept["en"].doc
	if err := b.store.Like(t.Context(), storetest.Member(t, b.store), id); err != nil {
		t.Fatal(err)
	}
	b.guest().get("/feed.atom").wants(http.StatusOK)
	if b.server.feeds.kept["en"].doc != kept {
		t.Error("a like made another feed")
	}
	if err := b.store.EditPost(t.Context(), author, id, store.NewPost{Title: "Other", Body: "Other"}); err != nil {
		t.Fatal(err)
	}
	if title := b.guest().get("/feed.atom").atom().Entries[0].Title; title != "Other" {
		t.Errorf("title %q after an edit", title)
	}
}
