package views

import (
	"net/url"
	"strings"

	"madang/store"
)

// SearchPage is what a search found.
type SearchPage struct {
	Page
	Text  string // what was looked for; "" before anything was
	Found store.SearchResult
}

// searchMax is how many characters the field takes.
const searchMax = 200

// searchRoot is the page without a query.
const searchRoot = "/search"

// searchPath is a page of results; key is "before" or "after", "" for the first.
func searchPath(text, key string, place store.SearchPlace) string {
	query := url.Values{"q": {text}}
	if key != "" {
		query.Set(key, place.String())
	}
	return searchRoot + "?" + query.Encode()
}

func (p SearchPage) newer() string {
	if !p.Found.Newer || len(p.Found.Hits) == 0 {
		return ""
	}
	return p.Href(searchPath(p.Text, "after", p.Found.Hits[0].Place))
}

func (p SearchPage) older() string {
	if !p.Found.Older || len(p.Found.Hits) == 0 {
		return ""
	}
	return p.Href(searchPath(p.Text, "before", p.Found.Hits[len(p.Found.Hits)-1].Place))
}

// asked reports whether there was anything to look for.
func (p SearchPage) asked() bool { return p.Text != "" && !p.Found.Nothing }

// hinted reports whether the page says how to search.
func (p SearchPage) hinted() bool { return !p.asked() || len(p.Found.Hits) == 0 }

// title is that of the window.
func (p SearchPage) title() string {
	if p.Text == "" {
		return p.Word("search.title")
	}
	return p.Word("search.title_of", p.Text)
}

// count says how much was found.
func (p SearchPage) count() string {
	key := "search.count"
	if p.Found.More {
		key = "search.count_more"
	}
	return p.Lang.Count(key, int64(p.Found.Count))
}

// remarks are what a reader has to know of a result.
func (p SearchPage) remarks() (keys []string) {
	for _, r := range []struct {
		key   string
		holds bool
	}{
		{"search.widened", p.Found.Widened},
		{"search.filling", p.Found.Filling},
		{"search.unfinished", p.Found.Unfinished},
		{"search.narrow", p.Found.More && !p.Found.Older},
	} {
		if r.holds {
			keys = append(keys, r.key)
		}
	}
	return keys
}

// hitPath leads to where it was found.
func hitPath(h store.SearchHit) string {
	if h.Comment.ID != 0 {
		return commentsPath(h.Post.ID, h.Comment.ID, h.Post.Comments)
	}
	return postPath(h.Post.ID)
}

// searching reports whether this is the page of the search itself, which has
// its own form.
func (p Page) searching() bool {
	path, _, _ := strings.Cut(p.Path, "?")
	return path == searchRoot
}
