package views

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"madang/store"
)

// FeedPath is where the feed is.
const FeedPath = "/feed.atom"

// FeedPage is the newest posts for programs, the newest first.
type FeedPage struct {
	Page
	Posts []store.Post
}

// feedTextMax is how many bytes of texts a feed holds whole; of the posts after
// them it has the beginning.
const feedTextMax = 1 << 20

type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID        string     `xml:"id"`
	Title     string     `xml:"title"`
	Published string     `xml:"published"`
	Updated   string     `xml:"updated"`
	Author    atomPerson `xml:"author"`
	Link      atomLink   `xml:"link"`
	Summary   *atomText  `xml:"summary"`
	Content   *atomText  `xml:"content"`
}

type atomPerson struct {
	Name string `xml:"name"`
	URI  string `xml:"uri,omitempty"`
}

type atomText struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

// Feed returns the feed as Atom.
func Feed(p FeedPage) ([]byte, error) {
	home := p.Site.absolute("/")
	feed := atomFeed{
		ID: home, Title: xmlText(p.Site.Name), Updated: atomTime(feedTime(p.Posts)),
		Links: []atomLink{
			{"self", "application/atom+xml", p.Site.absolute(FeedPath)},
			{"alternate", "text/html", home},
		},
	}
	room := feedTextMax
	for _, post := range p.Posts {
		entry := p.entry(post, room)
		if entry.Content != nil {
			room -= len(entry.Content.Text)
		}
		feed.Entries = append(feed.Entries, entry)
	}
	var buf bytes.Buffer
	buf.WriteString(xml.Header)
	if err := xml.NewEncoder(&buf).Encode(feed); err != nil {
		return nil, fmt.Errorf("write feed: %w", err)
	}
	buf.WriteByte('\n')
	return buf.Bytes(), nil
}

// entry is a post of the feed, with its whole text where there is room.
func (p FeedPage) entry(post store.Post, room int) atomEntry {
	address := p.Site.absolute(postPath(post.ID))
	entry := atomEntry{
		ID: address, Title: xmlText(post.Title),
		Published: atomTime(post.CreatedAt), Updated: atomTime(changed(post)),
		Author: atomPerson{Name: xmlText(p.author(post.Author))},
		Link:   atomLink{"alternate", "text/html", address},
	}
	if post.Author != "" {
		entry.Author.URI = p.Site.absolute(profilePath(post.Author))
	}
	if len(post.Body) <= room {
		text := xmlText(feedHTML(post, address))
		if len(text) <= room {
			entry.Content = &atomText{"html", text}
			return entry
		}
	}
	entry.Summary = &atomText{"text", xmlText(excerpt(post.Body))}
	return entry
}

// feedHTML renders the text of a post for pages of others: each link says which
// site it is of. It is sanitised once more, after its links have been changed.
func feedHTML(post store.Post, address string) string {
	text := shared().render(textKey{id: post.ID, sink: 1, source: post.Body})
	base, err := url.Parse(address)
	if err != nil {
		return shared().policy.Sanitize(plain(post.Body)) // without any link
	}
	return shared().policy.Sanitize(withAbsoluteLinks(text, base))
}

// withAbsoluteLinks takes a link that leads nowhere away.
func withAbsoluteLinks(text string, base *url.URL) string {
	var out strings.Builder
	for z := html.NewTokenizer(strings.NewReader(text)); z.Next() != html.ErrorToken; {
		token := z.Token()
		for i, a := range token.Attr {
			if a.Key != "href" {
				continue
			}
			token.Attr[i].Val = ""
			if link, err := base.Parse(a.Val); err == nil {
				token.Attr[i].Val = link.String()
			}
		}
		out.WriteString(token.String())
	}
	return out.String()
}

// feedTime is when anything in a feed was last changed; a feed of nothing has
// to have a time too.
func feedTime(posts []store.Post) time.Time {
	last := time.Unix(0, 0)
	for _, p := range posts {
		if at := changed(p); at.After(last) {
			last = at
		}
	}
	return last
}

func changed(p store.Post) time.Time {
	if p.EditedAt.IsZero() {
		return p.CreatedAt
	}
	return p.EditedAt
}

func atomTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// xmlText leaves out what no XML may hold, however it is escaped: one such
// character, and no program could read the feed. A carriage return is a line
// end of its own to some.
func xmlText(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, r == '\r', r < ' ' && r != '\n' && r != '\t', r == '\ufffe', r == '\uffff':
			return -1
		}
		return r
	}, s)
}
