package web

import (
	"encoding/xml"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

type urlSet struct {
	XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	URLs    []struct {
		Loc     string `xml:"loc"`
		LastMod string `xml:"lastmod"`
	} `xml:"url"`
}

type urlIndex struct {
	XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
	Parts   []string `xml:"sitemap>loc"`
}

// locs are the addresses of a sitemap, without what they begin with.
func (b *board) locs(a *answer) (locs []string) {
	b.t.Helper()
	var set urlSet
	a.wants(http.StatusOK).xml(&set)
	for _, u := range set.URLs {
		path, ours := strings.CutPrefix(u.Loc, b.url)
		if !ours {
			b.t.Errorf("address %q is not of this site", u.Loc)
		}
		locs = append(locs, path)
	}
	return locs
}

func TestSitemapListsWhatIsThere(t *testing.T) {
	b := newBoard(t, under("/board"))
	author := storetest.Member(t, b.store)
	c := b.guest()
	if diff := cmp.Diff([]string{"/"}, b.locs(c.get("/sitemap.xml"))); diff != "" {
		t.Errorf("of nothing:\n%s", diff)
	}
	gone, kept := storetest.Post(t, b.store, author), storetest.Post(t, b.store, author)
	if n := len(b.locs(c.get("/sitemap.xml"))); n != 3 {
		t.Errorf("%d addresses", n)
	}
	if err := b.store.DeletePost(t.Context(), author, gone); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"/", postPath(kept)}, b.locs(c.get("/sitemap.xml"))); diff != "" {
		t.Errorf("after a deletion:\n%s", diff)
	}
	for _, none := range []string{"2", "0", "-1", "x", "", "9223372036854775807"} {
		c.get("/sitemap.xml?part=" + none).wants(http.StatusNotFound)
	}
}

func TestSitemapTellsOfAnEditSoon(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	id := storetest.Post(t, b.store, author)
	b.guest().get("/sitemap.xml").wants(http.StatusOK)
	b.clock.Advance(sitemapFresh)
	if err := b.store.EditPost(t.Context(), author, id, store.NewPost{Title: "Other", Body: "Other"}); err != nil {
		t.Fatal(err)
	}
	var set urlSet
	b.guest().get("/sitemap.xml").xml(&set)
	if want := b.clock.Now().UTC().Format(time.RFC3339); set.URLs[1].LastMod != want {
		t.Errorf("last changed %q, want %q", set.URLs[1].LastMod, want)
	}
}

func TestSitemapOfManyPostsIsInParts(t *testing.T) {
	b := newBoard(t)
	b.server.sitemaps.span = 4
	author := storetest.Member(t, b.store)
	want := []string{"/"}
	for id := int64(1); id <= 18; id++ {
		if made := storetest.Post(t, b.store, author); made != id {
			t.Fatalf("post %d, want %d", made, id)
		}
		if id >= 9 && id <= 12 { // a part without posts
			if err := b.store.DeletePost(t.Context(), author, id); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want = append(want, postPath(id))
	}
	c := b.guest()
	var index urlIndex
	first := c.get("/sitemap.xml").wants(http.StatusOK)
	first.xml(&index)
	c.get("/sitemap.xml", "If-None-Match", first.header.Get("ETag")).wants(http.StatusNotModified)
	var all []string
	for _, part := range index.Parts {
		all = append(all, b.locs(c.get(strings.TrimPrefix(part, b.url)))...)
	}
	if diff := cmp.Diff(want, all); diff != "" || len(index.Parts) != 4 {
		t.Errorf("%d parts, addresses (-want +got):\n%s", len(index.Parts), diff)
	}
	c.get("/sitemap.xml?part=3").wants(http.StatusNotFound)
}

func TestFullSitemapKeepsToWhatIsAllowed(t *testing.T) {
	b := newBoard(t)
	posts := make([]store.PostTime, sitemapSize)
	for i := range posts {
		posts[i] = store.PostTime{ID: math.MaxInt64 - int64(i), At: time.Now()}
	}
	b.server.site.BaseURL = "https://" + strings.Repeat("board.", 40) + "example/a&b"
	body := b.server.sitemapOf(1, posts)
	var set urlSet
	if err := xml.Unmarshal(body, &set); err != nil {
		t.Fatal(err)
	}
	if n := len(set.URLs); n != sitemapSize+1 || n > 50_000 || len(body) > 10_000_000 {
		t.Errorf("%d addresses in %d bytes", n, len(body))
	}
	if want := b.server.site.BaseURL + postPath(math.MaxInt64); set.URLs[1].Loc != want {
		t.Errorf("address %q, want %q", set.URLs[1].Loc, want)
	}
}

func TestSitemapIndexHasTheHomePageWhereItsPartIsEmpty(t *testing.T) {
	b := newBoard(t)
	b.server.sitemaps.span = 1
	author := storetest.Member(t, b.store)
	gone := storetest.Post(t, b.store, author)
	storetest.Post(t, b.store, author)
	if err := b.store.DeletePost(t.Context(), author, gone); err != nil {
		t.Fatal(err)
	}
	var index urlIndex
	b.guest().get("/sitemap.xml").xml(&index)
	want := []string{b.url + "/sitemap.xml?part=1", b.url + "/sitemap.xml?part=2"}
	if diff := cmp.Diff(want, index.Parts); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"/"}, b.locs(b.guest().get("/sitemap.xml?part=1"))); diff != "" {
		t.Errorf("first part:\n%s", diff)
	}
}

func TestRememberedSitemapsAreBounded(t *testing.T) {
	m := newSitemaps(1)
	body := make([]byte, sitemapsLimit/5)
	for part := range int64(40) {
		var none *document
		m.keep(part%11, keptSitemap{doc: none.renewed(body, time.Now())})
		if m.size > sitemapsLimit || m.size != len(m.kept)*len(body) {
			t.Fatalf("%d bytes in %d sitemaps", m.size, len(m.kept))
		}
	}
}
