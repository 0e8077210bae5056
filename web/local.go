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
	if len(next) > 2048 || !strings.HasPrefix(next, "/") || !plain(next) {
		return "/"
	}
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil {
		return "/"
	}
	if !strings.HasPrefix(u.Path, "/") || !plain(u.Path) || strings.Contains(u.Path, "//") {
		return "/"
	}
	return u.String()
}

// plain reports whether s has no character that a browser drops or turns into
// a slash.
func plain(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r == '\\' || unicode.IsControl(r)
	})
}
