package views

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"madang/static"
	"madang/store"
)

// about is what a page tells programs of itself. A page that tells nothing is
// not for search engines: it is of one person or one moment.
type about struct {
	path        string // without what only chooses a part of the page
	kind        string // in the words of Open Graph
	title       string
	description string // "" for none
}

// picture is what a link to any page is shown with: the sign of the board, with
// no word, so that it is for every language.
const picture = "preview.png"

func (s Site) picture() string { return s.absolute(static.URL(picture)) }

// absolute is the public address of a path of the site.
func (s Site) absolute(path string) string { return s.BaseURL + path }

func (p HomePage) telling() Page {
	key := "home.about"
	if p.Sort == store.SortPopular {
		key = "home.about_popular"
	}
	p.about = about{path: listPath(p.Sort, "", 0), kind: "website", title: p.Site.Name, description: p.Word(key, p.Site.Name)}
	return p.Page
}

func (p PostPage) telling() Page {
	p.about = about{
		path: postPath(p.Post.ID), kind: "article", title: p.Post.Title, description: description(p.postHTML()),
	}
	return p.Page
}

func (p ProfilePage) telling() Page {
	p.about = about{
		path: p.partPath(p.Part, "", 0), kind: "profile", title: p.Profile.Nickname,
		description: p.Word("profile.about", p.Profile.Nickname, p.Site.Name),
	}
	return p.Page
}

// description is the beginning of a rendered text in words alone, without its
// footnotes. It reads no more of the text than it needs.
func description(text string) string {
	text, _, _ = strings.Cut(text, `<div class="footnotes"`)
	var words strings.Builder
	length, note := 0, false
	for z := html.NewTokenizer(strings.NewReader(text)); length <= excerptMax; {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		if kind == html.TextToken {
			if part := z.Text(); !note {
				words.Write(part)
				length += utf8.RuneCount(part)
			}
			continue
		}
		switch name, _ := z.TagName(); string(name) {
		case "sup":
			note = kind == html.StartTagToken
		case "a", "code", "del", "em", "strong": // within words
		default:
			words.WriteByte(' ')
		}
	}
	return excerpt(words.String())
}
