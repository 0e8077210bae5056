package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"madang/store/storetest"
)

func TestOtherMethodsAreRefusedOnEveryRoute(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	taken := map[string]bool{"POST /posts/new": true} // that is the post "new", which there is not
	for _, name := range b.everyRoute() {
		taken[name] = true
	}
	come := b.staying(storetest.Admin(t, b.store))
	for _, name := range b.everyRoute() {
		pattern := name[strings.Index(name, "/"):]
		path := b.fill(pattern, author)
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW", "PROPFIND"} {
			if taken[method+" "+pattern] || method == http.MethodHead && taken["GET "+pattern] {
				continue
			}
			a := come().send(method, path, nil).wants(http.StatusMethodNotAllowed)
			if a.header.Get("Allow") == "" {
				t.Errorf("%s %s: no Allow", method, path)
			}
		}
	}
}

func TestTheMethodIsTheOneOfTheRequestLine(t *testing.T) {
	c := newBoard(t).guest()
	c.post("/auth/logout?_method=GET", url.Values{"_method": {"GET"}}, "X-HTTP-Method-Override", "GET").leads("/")
	c.get("/auth/logout?_method=POST", "X-HTTP-Method-Override", "POST", "X-HTTP-Method", "POST").wants(http.StatusMethodNotAllowed)
}

func TestCrossOriginPostsAreRefusedOnEveryRoute(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	come := b.staying(storetest.Admin(t, b.store)) // may use every route
	for _, name := range b.everyRoute() {
		method, path, _ := strings.Cut(name, " ")
		if safe(method) {
			continue
		}
		c := come()
		refused := b.fill(path, author)
		for _, headers := range [][]string{
			{"Sec-Fetch-Site", "cross-site"},
			{"Sec-Fetch-Site", "same-site"},
			{"Sec-Fetch-Site", "cross-site", "Origin", b.url},
			{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.test"},
			{"Origin", "https://evil.test"},
			{"Origin", "null"},
			{"Origin", b.url + ".evil.test"},
		} {
			a := c.send(method, refused, nil, headers...).wants(http.StatusForbidden)
			for header := range a.header {
				if strings.HasPrefix(header, "Access-Control-") {
					t.Errorf("%s answers with %s", name, header)
				}
			}
		}
		if !c.loggedIn() {
			t.Fatalf("%s: a refused request ended the session", name)
		}
		for _, headers := range [][]string{{}, {"Origin", b.url}, {"Sec-Fetch-Site", "same-origin"}, {"Sec-Fetch-Site", "none"}} {
			a := come().send(method, b.fill(path, author), nil, headers...)
			if want := wanted(t, name, 5); a.status != want {
				t.Errorf("%s with %v: %d, want %d", name, headers, a.status, want)
			}
		}
	}
}

func TestOriginIsComparedWithTheBaseURLBehindAProxy(t *testing.T) {
	b := newBoard(t)
	b.guest().post("/auth/logout", nil, "Host", "internal:8080", "Origin", b.url).leads("/")
	b.guest().post("/auth/logout", nil, "Host", "internal:8080", "Origin", "https://evil.test").wants(http.StatusForbidden)
}
