package views

import (
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"madang/static"
	"madang/store"
)

func content(doc *goquery.Document, selector string) string {
	return doc.Find("head "+selector).AttrOr("content", "none")
}

func TestPostTellsWhatItIs(t *testing.T) {
	page := PostPage{Page: testPage(English, ""), Post: store.Post{
		ID: 7, Title: `A "post" & more`, Body: "# Heading\n\n**굵게**를 [link](https://example.com) `x < y`[^1]\n\n- one\n- two\n\n[^1]: Note.",
	}}
	page.Path = "/posts/7?comments=9"
	doc := document(t, Post(page))
	const words = "Heading 굵게를 link x < y one two"
	for selector, want := range map[string]string{
		`meta[property="og:title"]`: `A "post" & more`, `meta[property="og:type"]`: "article",
		`meta[property="og:url"]`: "https://example.org/board/posts/7", `meta[property="og:site_name"]`: "Madang",
		`meta[name="robots"]`: "none",
	} {
		if got := content(doc, selector); got != want {
			t.Errorf("%s: %q, want %q", selector, got, want)
		}
	}
	for _, selector := range []string{`meta[property="og:description"]`, `meta[name="description"]`} {
		if got := content(doc, selector); got != words {
			t.Errorf("%s: %q", selector, got)
		}
	}
}

func TestDescriptionIsShort(t *testing.T) {
	long := description(NewMarkdown().HTML(0, 1, strings.Repeat("긴 글 👍 ", 5000)))
	if n := utf8.RuneCountInString(long); n != excerptMax+1 || !strings.HasSuffix(long, "…") {
		t.Errorf("%d characters: %s", n, long)
	}
	if words := description(""); words != "" {
		t.Errorf("words of nothing: %q", words)
	}
}

func TestCanonicalAddressNamesNoPage(t *testing.T) {
	home := HomePage{Page: testPage(English, ""), Sort: store.SortNew}
	home.Path = "/?before=40"
	popular := home
	popular.Sort = store.SortPopular
	profile := ProfilePage{Page: testPage(English, ""), Profile: store.Profile{Nickname: "김"}, Part: ProfilePosts}
	profile.Path = "/users/%EA%B9%80?before=40"
	said := profile
	said.Part = ProfileComments
	for want, page := range map[string]templ.Component{
		"": Home(home), "?sort=popular": Home(popular),
		"users/%EA%B9%80": Profile(profile), "users/%EA%B9%80?show=comments": Profile(said),
	} {
		doc := document(t, page)
		if got := doc.Find("head link[rel=canonical]").AttrOr("href", ""); got != "https://example.org/board/"+want {
			t.Errorf("canonical %q, want %q", got, want)
		}
		if content(doc, `meta[name="robots"]`) != "none" {
			t.Errorf("%s is kept from search engines", want)
		}
		words := content(doc, `meta[name="description"]`)
		if !strings.Contains(words, "Madang") || words != content(doc, `meta[property="og:description"]`) {
			t.Errorf("%s is about %q", want, words)
		}
	}
}

func TestLinksAreShownWithAPictureThatIsThere(t *testing.T) {
	doc := document(t, Home(HomePage{Page: testPage(Korean, ""), Sort: store.SortNew}))
	address, ours := strings.CutPrefix(content(doc, `meta[property="og:image"]`), "https://example.org/board")
	if !ours {
		t.Fatalf("picture at %q", address)
	}
	w := httptest.NewRecorder()
	static.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, nil))
	if kind := w.Header().Get("Content-Type"); w.Code != http.StatusOK || kind != "image/png" || w.Body.Len() > 10_000 {
		t.Errorf("%d, %q, %d bytes", w.Code, kind, w.Body.Len())
	}
	if size, err := png.DecodeConfig(w.Body); err != nil || size.Width != 1200 || size.Height != 630 {
		t.Errorf("%d by %d (%v)", size.Width, size.Height, err)
	}
}

// A page is for search engines when it says so, and then it says its address.
func TestEachPageSaysWhetherItIsToBeFound(t *testing.T) {
	found := 0
	everyPage(t, "words", func(t *testing.T, doc *goquery.Document) {
		t.Helper()
		canonical := doc.Find("head link[rel=canonical]").Length()
		if (content(doc, `meta[name="robots"]`) == "noindex") == (canonical == 1) {
			t.Error("the page says neither its address nor that it is not to be found, or both")
		}
		feed := doc.Find(`head link[rel=alternate][type="application/atom+xml"]`)
		if href := feed.AttrOr("href", ""); href != "/board/feed.atom" {
			t.Errorf("feed at %q", href)
		}
		found += canonical
	})
	if found == 0 {
		t.Error("no page is to be found")
	}
}
