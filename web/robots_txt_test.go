package web

import (
	"net/http"
	"strings"
	"testing"
)

func TestRobotsAreToldWhatIsForThem(t *testing.T) {
	b := newBoard(t, under("/board"))
	const want = "User-agent: *\nAllow: /board/\nDisallow: /board/auth\nDisallow: /board/account\nDisallow: /board/admin\n" +
		"Disallow: /board/search\nDisallow: /board/dev\n\nSitemap: "
	root := b.guest()
	root.base = strings.TrimSuffix(b.url, "/board")
	for _, path := range []string{"/robots.txt", "/board/robots.txt"} {
		a := root.get(path).wants(http.StatusOK)
		if a.body != want+b.url+"/sitemap.xml\n" {
			t.Errorf("%s:\n%s", path, a.body)
		}
		a.wantsHeaders(map[string]string{"Set-Cookie": "", "Cache-Control": "public, max-age=3600", "Content-Type": plainText})
	}
	if body := newBoard(t).guest().get("/robots.txt").body; !strings.Contains(body, "\nAllow: /\nDisallow: /auth\n") {
		t.Errorf("at the root of a host:\n%s", body)
	}
}
