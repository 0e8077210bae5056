package web

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// local returns next when it is a path on this site, else "/". Browsers read
// more spellings as another host than the standard names: backslashes, tabs
// and encoded slashes are refused wherever they stand in the path.
func local(next string) string {
	if simple(next) {
		return next
	}
	if len(next) > 2048 || !strings.HasPrefix(next, "/") || !plain(next) {
		return "/"
	}
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil {
		return "/"
	}
	if !strings.HasPrefix(u.Path, "/") || !plain(u.Path) || strings.Contains(u.Path, "//") || climbs(u.Path) {
		return "/"
	}
	return u.String()
}

// climbs reports whether a path has a segment that leads upwards: under a
// prefix it would end at another site of the same host.
func climbs(path string) bool {
	return strings.Contains(path+"/", "/../")
}

// simple reports whether next is a path of letters, digits, hyphens and single
// slashes, which nobody reads as anything else: most pages, without the work.
func simple(next string) bool {
	if len(next) > 2048 || next == "" || next[0] != '/' {
		return false
	}
	for i := 1; i < len(next); i++ {
		switch c := next[i]; {
		case c == '/' && next[i-1] != '/', c == '-', c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		default:
			return false
		}
	}
	return true
}

// plain reports whether s has no character that a browser drops or turns into
// a slash.
func plain(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r == '\\' || unicode.IsControl(r)
	})
}
