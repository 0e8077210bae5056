package views

import (
	"net/url"
	"strconv"
	"strings"

	"madang/static"
	"madang/store"
)

// Href returns the address of a path of the site, the path prefix in front.
// Every link and every form action of a page goes through it.
func (p Page) Href(path string) string { return p.Site.Prefix + path }

// Asset returns the address of an embedded file.
func (p Page) Asset(name string) string { return p.Href(static.URL(name)) }

// Word returns a text in the language of the page.
func (p Page) Word(key string, args ...any) string { return p.Lang.Word(key, args...) }

// Guest reports whether nobody is logged in.
func (p Page) Guest() bool { return p.User.ID == 0 }

// loginHref leads to the login form and from there back to a path.
func (p Page) loginHref(back string) string {
	if back == "" || back == "/" || strings.HasPrefix(back, "/auth/") {
		return p.Href("/auth/login")
	}
	return p.Href("/auth/login?next=" + url.QueryEscape(back))
}

func postPath(id int64) string    { return "/posts/" + strconv.FormatInt(id, 10) }
func commentPath(id int64) string { return "/comments/" + strconv.FormatInt(id, 10) }
func commentID(id int64) string   { return "comment-" + strconv.FormatInt(id, 10) }

// commentsPath is the page of a post that begins with a comment, and leads to
// it. While all comments stand on one page that is the post's own.
func commentsPath(postID, id, comments int64) string {
	path := postPath(postID)
	if comments > store.ThreadMax {
		path += "?comments=" + strconv.FormatInt(id, 10)
	}
	return path + "#" + commentID(id)
}

// profilePath is the profile of a member.
func profilePath(nickname string) string { return "/users/" + url.PathEscape(nickname) }

// listPath is a page of the list; key is "before" or "after", "" for the first page.
func listPath(sort store.Sort, key string, id int64) string {
	query := url.Values{}
	if sort == store.SortPopular {
		query.Set("sort", string(sort))
	}
	if key != "" {
		query.Set(key, strconv.FormatInt(id, 10))
	}
	if len(query) == 0 {
		return "/"
	}
	return "/?" + query.Encode()
}

func (p HomePage) older() string {
	if !p.List.Older {
		return ""
	}
	return listPath(p.Sort, "before", p.List.Posts[len(p.List.Posts)-1].ID)
}

func (p HomePage) newer() string {
	if !p.List.Newer {
		return ""
	}
	return listPath(p.Sort, "after", p.List.Posts[0].ID)
}
