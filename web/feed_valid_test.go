package web

import (
	"encoding/xml"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// element is any element of a document.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []element  `xml:",any"`
}

func (e element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (e element) all(name string) (found []element) {
	for _, c := range e.Children {
		if c.XMLName.Local == name {
			found = append(found, c)
		}
	}
	return found
}

// text is that of a child.
func (e element) text(name string) string {
	for _, c := range e.all(name) {
		return c.Text
	}
	return ""
}

// often is how many children of a name there may be.
type often struct{ least, most int }

// wantsChildren checks an element against what a standard allows in it.
func (e element) wantsChildren(t *testing.T, space string, allowed map[string]often) {
	t.Helper()
	found := map[string]int{}
	for _, c := range e.Children {
		found[c.XMLName.Local]++
		if _, ok := allowed[c.XMLName.Local]; !ok || c.XMLName.Space != space {
			t.Errorf("<%s> in <%s>", c.XMLName.Local, e.XMLName.Local)
		}
	}
	for name, n := range allowed {
		if found[name] < n.least || found[name] > n.most {
			t.Errorf("%d times <%s> in <%s>", found[name], name, e.XMLName.Local)
		}
	}
}

func wantsTime(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Errorf("time: %v", err)
	}
	return at
}

// wantsAddress checks that an address is whole and of this site.
func (b *board) wantsAddress(address string) {
	b.t.Helper()
	u, err := url.Parse(address)
	if err != nil || !u.IsAbs() || !strings.HasPrefix(address, b.url+"/") {
		b.t.Errorf("address %q (%v)", address, err)
	}
}

// wantsAtom checks a feed against RFC 4287 and returns its entries, the ids by
// their titles.
func (b *board) wantsAtom(a *answer) map[string]string {
	b.t.Helper()
	const space = "http://www.w3.org/2005/Atom"
	var feed element
	a.xml(&feed)
	if feed.XMLName != (xml.Name{Space: space, Local: "feed"}) {
		b.t.Fatalf("%v", feed.XMLName)
	}
	one := often{1, 1}
	feed.wantsChildren(b.t, space, map[string]often{"id": one, "title": one, "updated": one, "link": {2, 2}, "entry": {0, store.FeedMax}})
	rels := map[string]bool{}
	for _, link := range feed.all("link") {
		rels[link.attr("rel")] = true
		b.wantsAddress(link.attr("href"))
	}
	if !rels["self"] || !rels["alternate"] {
		b.t.Errorf("links %v", rels)
	}
	b.wantsAddress(feed.text("id"))
	newest, ids, known := time.Time{}, map[string]string{}, map[string]bool{}
	last := ""
	for _, e := range feed.all("entry") {
		e.wantsChildren(b.t, space, map[string]often{
			"id": one, "title": one, "updated": one, "published": one, "author": one, "link": one, "summary": {0, 1}, "content": {0, 1},
		})
		if len(e.all("content"))+len(e.all("summary")) != 1 || e.all("author")[0].text("name") == "" || e.text("title") == "" {
			b.t.Errorf("entry %s: no text, no title or nobody's", e.text("id"))
		}
		published, updated := wantsTime(b.t, e.text("published")), wantsTime(b.t, e.text("updated"))
		if updated.Before(published) || last != "" && e.text("published") > last {
			b.t.Errorf("entry %s: published %v, updated %v, after one of %s", e.text("id"), published, updated, last)
		}
		last = e.text("published")
		if updated.After(newest) {
			newest = updated
		}
		b.wantsAddress(e.text("id"))
		b.wantsAddress(e.all("link")[0].attr("href"))
		if uri := e.all("author")[0].text("uri"); uri != "" {
			b.wantsAddress(uri)
		}
		if known[e.text("id")] {
			b.t.Errorf("two entries %s", e.text("id"))
		}
		known[e.text("id")], ids[e.text("title")] = true, e.text("id")
	}
	if at := wantsTime(b.t, feed.text("updated")); len(ids) > 0 && !at.Equal(newest) {
		b.t.Errorf("feed of %v, its newest entry of %v", at, newest)
	}
	return ids
}

func TestFeedIsValidWhateverIsWritten(t *testing.T) {
	b := newBoard(t, under("/board"))
	b.wantsAtom(b.guest().get("/feed.atom"))
	author, leaver := storetest.Member(t, b.store), storetest.Member(t, b.store)
	texts := append(hostile(), "]]>", "<![CDATA[", "&amp; & &#0;", "שלום", "😀", "[a](/b) ![c](d.png) <b>", "@"+author.Nickname, strings.Repeat("&", 40_000))
	for i, text := range texts {
		who := author
		if i%3 == 0 {
			who = leaver
		}
		b.clock.Advance(time.Minute)
		// What is no text is refused; all else stands in the feed.
		_, _ = b.store.CreatePost(t.Context(), who, store.NewPost{Title: fmt.Sprint(i, " ", text), Body: text, FormID: newID()})
	}
	before := b.wantsAtom(b.guest().get("/feed.atom"))
	if len(before) < 25 {
		t.Fatalf("%d entries", len(before))
	}
	if err := b.store.DeleteAccount(t.Context(), store.Reentry{UserID: leaver.ID, Current: storetest.Password}); err != nil {
		t.Fatal(err)
	}
	last := b.write(author, "Last", "Body")
	if err := b.store.EditPost(t.Context(), author, last, store.NewPost{Title: "Last", Body: "Other"}); err != nil {
		t.Fatal(err)
	}
	after := b.wantsAtom(b.guest().get("/feed.atom"))
	delete(after, "Last")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("ids are others after a change (-before +after):\n%s", diff)
	}
}

func TestSitemapIsValid(t *testing.T) {
	b := newBoard(t, under("/board"))
	b.server.sitemaps.span = 3
	author := storetest.Member(t, b.store)
	for range 7 {
		storetest.Post(t, b.store, author)
	}
	const space = "http://www.sitemaps.org/schemas/sitemap/0.9"
	var index element
	b.guest().get("/sitemap.xml").xml(&index)
	index.wantsChildren(t, space, map[string]often{"sitemap": {3, 3}})
	seen := map[string]bool{}
	for _, part := range index.Children {
		part.wantsChildren(t, space, map[string]often{"loc": {1, 1}, "lastmod": {0, 1}})
		b.wantsAddress(part.text("loc"))
		var set element
		b.guest().get(strings.TrimPrefix(part.text("loc"), b.url)).xml(&set)
		set.wantsChildren(t, space, map[string]often{"url": {1, 50_000}})
		for _, u := range set.Children {
			u.wantsChildren(t, space, map[string]often{"loc": {1, 1}, "lastmod": {0, 1}})
			b.wantsAddress(u.text("loc"))
			if at := u.text("lastmod"); at != "" {
				wantsTime(t, at)
			}
			if seen[u.text("loc")] {
				t.Errorf("%s twice", u.text("loc"))
			}
			seen[u.text("loc")] = true
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d addresses", len(seen))
	}
}
