package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"madang/store/storetest"
)

func TestSiteUnderAPath(t *testing.T) {
	b := newBoard(t, under("/board"))
	root := b.guest()
	root.base = strings.TrimSuffix(b.url, "/board")
	for path, want := range map[string]int{
		"/": 404, "/posts/1": 404, "/auth/login": 404, "/boards": 404, "/static/x": 404,
		"/healthz": 200, "/readyz": 200, "/board/healthz": 200, "/board/readyz": 200, "/board/": 200,
	} {
		root.get(path).wants(want)
	}
	root.get("/board").leads("/board/")
	u := storetest.Member(t, b.store)
	c := b.guest()
	c.get("/posts/new").leads("/board/auth/login?next=%2Fposts%2Fnew")
	a := c.post("/auth/login", url.Values{"email": {u.Email}, "password": {storetest.Password}, "next": {"/posts/new"}}).
		leads("/board/posts/new")
	if line := a.header.Get("Set-Cookie"); !strings.Contains(line, "Path=/board") {
		t.Errorf("cookie %s", line)
	}
	c.get("/posts/new").wants(http.StatusOK)
	c.post("/language", url.Values{"lang": {"ko"}, "next": {"/auth/pending"}}).leads("/board/auth/pending")
}

func TestEveryAddressOfAPageBeginsWithThePrefix(t *testing.T) {
	b := newBoard(t, under("/board"))
	post := fmt.Sprintf("/posts/%d", storetest.Post(t, b.store, storetest.Member(t, b.store)))
	member := b.as(storetest.Admin(t, b.store))
	for _, a := range []*answer{
		b.guest().get("/"), b.guest().get(post), b.guest().get("/auth/signup"), b.guest().get("/auth/login"),
		b.guest().get("/auth/pending"), b.guest().get("/auth/verify?token=x"), b.guest().get("/nowhere"),
		b.guest().get("/dev/mail"), member.get("/"), member.get(post), member.get(post + "/edit"),
		member.get("/posts/new"), member.get("/admin"),
	} {
		a.doc().Find("[href],[src],[action]").Each(func(_ int, e *goquery.Selection) {
			for _, name := range []string{"href", "src", "action"} {
				target, ok := e.Attr(name)
				target = strings.TrimPrefix(target, b.listener) // the canonical address is whole
				if ok && !strings.HasPrefix(target, "/board/") && !strings.HasPrefix(target, "#") {
					t.Errorf("%s: %s=%q", a.what, name, target)
				}
			}
		})
	}
}
