package web

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLocalTakesPathsOfThisSite(t *testing.T) {
	for _, next := range []string{
		"/", "/posts/7", "/posts/7?a=b&c=d", "/posts/7#comment-3", "/?before=20", "/search?q=%ED%95%9C", "/users/%ED%95%9C",
		"/search?q=//x", "/search?q=/../x", "/a..b/..c",
	} {
		if got := local(next); got != next {
			t.Errorf("local(%q) = %q", next, got)
		}
	}
}

func TestLocalRefusesEverythingElse(t *testing.T) {
	for _, next := range []string{
		"", "posts", "//", "//?a", "//e", `/\e`, "/%09/e", "/%2f%2fe", "/%2F/e", "/%5ce", "https:e", "https://e", "\t//e", "/\t/e",
		"/\n/e", "javascript:alert(1)", "/.//e", "///e", "/a\x00b", "/a\x7fb", "/%00", "/a\xffb", "/%zz", " /",
		"http:/e", "/" + strings.Repeat("a", 4096), "/a\\b", "/posts//e", "/\u0085/e", "/..", "/../e", "/posts/../../e", "/%2e%2e/e", "/.%2E/e?a",
	} {
		if got := local(next); got != "/" {
			t.Errorf("local(%q) = %q", next, got)
		}
	}
}

func TestLocalNeverLeavesTheSite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		got := local(rapid.StringOf(rapid.SampledFrom([]rune("/\\%2f5c09:@?#.ae\t\n"))).Draw(t, "next"))
		if got == "" || got[0] != '/' || len(got) > 1 && (got[1] == '/' || got[1] == '\\') {
			t.Fatalf("leaves the site: %q", got)
		}
	})
}
