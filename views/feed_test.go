package views

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"madang/store"
)

// hardText holds what breaks a feed that is not careful.
const hardText = "한국어 \u0010\ufffe\uffff\r]]> & <b> שלום \u202eעולם 👩‍👩‍👧 \x00\xff end"

func feedOf(t *testing.T, lang Lang, posts ...store.Post) atomFeed {
	t.Helper()
	page := FeedPage{Page: testPage(lang, ""), Posts: posts}
	page.Site.Name = "마당 " + hardText
	text, err := Feed(page)
	if err != nil {
		t.Fatal(err)
	}
	var feed atomFeed
	d := xml.NewDecoder(strings.NewReader(string(text)))
	if err := d.Decode(&feed); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return feed
}

func TestFeedIsAtom(t *testing.T) {
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.FixedZone("KST", 9*3600))
	feed := feedOf(t, Korean,
		store.Post{ID: 9, Author: "김_민", Title: "제목", Body: "**굵게**", CreatedAt: at},
		store.Post{ID: 7, Title: "Title", Body: "Body", CreatedAt: at.Add(-time.Hour), EditedAt: at.Add(time.Hour)})
	if feed.ID != "https://example.org/board/" || feed.Updated != "2026-05-01T04:00:00Z" || len(feed.Entries) != 2 {
		t.Errorf("feed %+v", feed)
	}
	for i, want := range []atomLink{
		{"self", "application/atom+xml", "https://example.org/board/feed.atom"},
		{"alternate", "text/html", "https://example.org/board/"},
	} {
		if feed.Links[i] != want {
			t.Errorf("link %+v, want %+v", feed.Links[i], want)
		}
	}
	first, left := feed.Entries[0], feed.Entries[1]
	if first.ID != "https://example.org/board/posts/9" || first.Link.Href != first.ID || first.Link.Rel != "alternate" {
		t.Errorf("entry %+v", first)
	}
	if first.Published != "2026-05-01T03:00:00Z" || first.Updated != first.Published || first.Title != "제목" {
		t.Errorf("entry %+v", first)
	}
	if first.Author != (atomPerson{"김_민", "https://example.org/board/users/%EA%B9%80_%EB%AF%BC"}) {
		t.Errorf("author %+v", first.Author)
	}
	if c := first.Content; c == nil || c.Type != "html" || c.Text != "<p><strong>굵게</strong></p>\n" {
		t.Errorf("content %+v", c)
	}
	if left.Author != (atomPerson{Name: "탈퇴한 회원"}) || left.Updated != "2026-05-01T04:00:00Z" {
		t.Errorf("entry of somebody who left: %+v", left)
	}
}

func TestFeedOfNothingIsAtom(t *testing.T) {
	if feed := feedOf(t, English); feed.Updated != "1970-01-01T00:00:00Z" || feed.ID == "" || feed.Title == "" {
		t.Errorf("feed %+v", feed)
	}
}

func TestFeedTakesAnyText(t *testing.T) {
	const want = "한국어 ]]> & <b> שלום \u202eעולם 👩‍👩‍👧  end"
	feed := feedOf(t, English, store.Post{ID: 1, Author: "kim" + hardText, Title: hardText, Body: hardText})
	entry := feed.Entries[0]
	if entry.Title != want || entry.Author.Name != "kim"+want || feed.Title != "마당 "+want {
		t.Errorf("title %q, author %q", entry.Title, entry.Author.Name)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(entry.Content.Text))
	if err != nil {
		t.Fatal(err)
	}
	if text := doc.Text(); !strings.Contains(text, "]]> & <b> שלום") || doc.Find("b").Length() > 0 || strings.Contains(text, "\ufffd") {
		t.Errorf("content %q", entry.Content.Text)
	}
}

func TestFeedHoldsNoScriptAndNoRelativeLink(t *testing.T) {
	body := "<script>alert(1)</script> <a href='x' onclick='y'>z</a> [js](javascript:alert(1)) [home](/) [here](?reply=3) " +
		"[away](https://example.com/a?b=1&c=2) ![](pic.png) note[^1]\n\n- [x] done\n\n| a |\n|---|\n| b |\n\n[^1]: Words."
	text := feedOf(t, English, store.Post{ID: 5, Author: "kim", Title: "T", Body: body}).Entries[0].Content.Text
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if n := doc.Find("script,[onclick],[style],img").Length(); n > 0 {
		t.Errorf("%d elements that have no place in\n%s", n, text)
	}
	if doc.Find("input[type=checkbox]").Length() != 1 || doc.Find("td").Length() != 1 {
		t.Errorf("what makes up a text is gone:\n%s", text)
	}
	links := map[string]bool{}
	doc.Find("a[href]").Each(func(_ int, a *goquery.Selection) { links[a.AttrOr("href", "")] = true })
	for _, want := range []string{
		"https://example.org/", "https://example.org/board/posts/5?reply=3", "https://example.com/a?b=1&c=2",
		"https://example.org/board/posts/pic.png", "https://example.org/board/posts/5#text-5-fn:1",
	} {
		if !links[want] {
			t.Errorf("no link to %s in\n%s", want, text)
		}
		delete(links, want)
	}
	for link := range links {
		if !strings.HasPrefix(link, "https://example.org/board/posts/5#text-5-fn") {
			t.Errorf("a link to %q", link)
		}
	}
}

func TestFeedOfLongTextsIsBounded(t *testing.T) {
	var posts []store.Post
	for i := range store.FeedMax {
		posts = append(posts, store.Post{ID: int64(i + 1), Author: "kim", Title: "T", Body: strings.Repeat("글<& ", 12_500)})
	}
	feed := feedOf(t, English, posts...)
	size, whole := 0, 0
	for _, e := range feed.Entries {
		switch {
		case e.Content != nil && e.Summary == nil:
			size += len(e.Content.Text)
			whole++
		case e.Content != nil || e.Summary == nil || e.Summary.Type != "text" || len(e.Summary.Text) > 1000:
			t.Errorf("entry %s has both texts, none, or a long beginning", e.ID)
		}
	}
	if size > feedTextMax || whole == 0 || whole == len(posts) {
		t.Errorf("%d posts whole in %d bytes", whole, size)
	}
}
