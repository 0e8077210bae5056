package views

import (
	"net/url"

	"madang/store"
)

// emptyKey is the catalogue key of why a list shows nothing.
func (p HomePage) emptyKey() string {
	address, err := url.Parse(p.Path)
	beside := err == nil && (address.Query().Has("before") || address.Query().Has("after"))
	switch {
	case p.Sort == store.SortPopular && beside:
		return "home.empty_ranking"
	case p.Sort == store.SortPopular:
		return "home.empty_popular"
	case beside && address.Query().Has("after"):
		return "home.empty_newer"
	case beside:
		return "home.empty_page"
	}
	return "home.empty"
}

// newComments says how many comments are new, where they are no longer counted
// that there are more.
func (p Page) newComments(n int) string {
	if n >= store.UnreadMax {
		return p.Word("home.many_new_comments", grouped(store.UnreadMax-1))
	}
	return p.Lang.Count("home.new_comments", int64(n))
}
