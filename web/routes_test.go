package web

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// visitors are the columns of the table of rights.
var visitors = []string{"guest", "member", "author", "moderator", "admin"}

// rights says what each visitor gets from each route, in the order of
// visitors. Guests are sent to log in with 303; so are forms that succeed.
var rights = map[string][5]int{
	"GET /":                      {200, 200, 200, 200, 200},
	"GET /auth/signup":           {200, 303, 303, 303, 303},
	"POST /auth/signup":          {422, 303, 303, 303, 303},
	"GET /auth/pending":          {200, 200, 200, 200, 200},
	"POST /auth/pending/email":   {422, 422, 422, 422, 422},
	"POST /auth/resend":          {422, 422, 422, 422, 422},
	"POST /auth/verify/code":     {422, 422, 422, 422, 422},
	"GET /auth/verify":           {404, 404, 404, 404, 404},
	"POST /auth/verify":          {404, 404, 404, 404, 404},
	"GET /auth/login":            {200, 303, 303, 303, 303},
	"POST /auth/login":           {422, 303, 303, 303, 303},
	"POST /auth/logout":          {303, 303, 303, 303, 303},
	"POST /language":             {400, 400, 400, 400, 400},
	"GET /posts/new":             {303, 200, 200, 200, 200},
	"POST /posts":                {303, 422, 422, 422, 422},
	"GET /posts/:id":             {200, 200, 200, 200, 200},
	"GET /posts/:id/edit":        {303, 403, 200, 200, 200},
	"POST /posts/:id":            {303, 403, 422, 422, 422},
	"POST /posts/:id/delete":     {303, 403, 303, 303, 303},
	"POST /posts/:id/like":       {303, 303, 303, 303, 303},
	"POST /posts/:id/unlike":     {303, 303, 303, 303, 303},
	"POST /posts/:id/comments":   {303, 422, 422, 422, 422},
	"GET /comments/:id/edit":     {303, 403, 200, 200, 200},
	"POST /comments/:id":         {303, 403, 422, 422, 422},
	"POST /comments/:id/delete":  {303, 403, 303, 303, 303},
	"GET /admin":                 {303, 403, 403, 403, 200},
	"GET /admin/jobs":            {303, 403, 403, 403, 200},
	"GET /admin/jobs/:id":        {303, 403, 403, 403, 200},
	"POST /admin/jobs/:id/retry": {303, 403, 403, 403, 303},
	"POST /admin/jobs/:id/drop":  {303, 403, 403, 403, 303},
	"GET /admin/pools":           {303, 403, 403, 403, 200},
	"GET /healthz":               {200, 200, 200, 200, 200},
	"GET /readyz":                {200, 200, 200, 200, 200},
	"GET /dev/mail":              {200, 200, 200, 200, 200},
	"GET /dev/mail/:id":          {404, 404, 404, 404, 404},
	"GET /static/*":              {404, 404, 404, 404, 404},
}

// everyRoute lists what is registered, without the HEADs that go with GETs.
func (b *board) everyRoute() []string {
	var all []string
	for _, r := range b.server.echo.Routes() {
		if r.Method != http.MethodHead {
			all = append(all, r.Method+" "+r.Path)
		}
	}
	slices.Sort(all)
	return all
}

func TestEveryRouteIsInTheTableOfRights(t *testing.T) {
	b := newBoard(t)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(rights)), b.everyRoute()); diff != "" {
		t.Errorf("routes (-table +registered):\n%s", diff)
	}
}

func TestRights(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	users := map[string]store.User{
		"guest": {}, "member": storetest.Member(t, b.store), "author": author,
		"moderator": storetest.Moderator(t, b.store), "admin": storetest.Admin(t, b.store),
	}
	for i, visitor := range visitors {
		c := b.guest()
		for name, want := range rights {
			if users[visitor].ID != 0 && !c.loggedIn() {
				c.login(users[visitor]).wants(http.StatusSeeOther)
			}
			method, path, _ := strings.Cut(name, " ")
			path = b.fill(path, author)
			a := c.send(method, path, nil)
			if a.status != want[i] {
				t.Errorf("%s as %s: %d, want %d", name, visitor, a.status, want[i])
			}
			guest := want[i] == http.StatusSeeOther && visitor == "guest" && path != "/auth/logout"
			if guest && !strings.HasPrefix(a.header.Get("Location"), "/auth/login?next=%2F") {
				t.Errorf("%s as a guest leads to %q", name, a.header.Get("Location"))
			}
			if head := c.send(http.MethodHead, path, nil); method == http.MethodGet && head.status != want[i] {
				t.Errorf("HEAD %s as %s: %d, want %d", path, visitor, head.status, want[i])
			}
		}
	}
}

// fill puts the id of a fresh post or comment of the author, or of a dead job,
// into a pattern.
func (b *board) fill(pattern string, author store.User) string {
	b.t.Helper()
	if !strings.Contains(pattern, ":id") || strings.HasPrefix(pattern, "/dev/") {
		return strings.ReplaceAll(pattern, ":id", "7")
	}
	if strings.HasPrefix(pattern, "/admin/jobs") {
		_, job := storetest.DeadMail(b.t, b.store, "550 no")
		return strings.ReplaceAll(pattern, ":id", fmt.Sprint(job))
	}
	id := storetest.Post(b.t, b.store, author)
	if strings.HasPrefix(pattern, "/comments") {
		var err error
		id, err = b.store.CreateComment(b.t.Context(), author, store.NewComment{PostID: id, Body: "Text", FormID: newID()})
		if err != nil {
			b.t.Fatal(err)
		}
	}
	return strings.ReplaceAll(pattern, ":id", fmt.Sprint(id))
}

func TestRouteWithoutAnAccessIsClosed(t *testing.T) {
	b := newBoard(t)
	b.server.add(b.server.echo, route{method: http.MethodGet, path: "/forgotten", handle: b.server.home}, "", b.server.guard(nobody, false))
	for _, c := range []*client{b.guest(), b.as(storetest.Admin(t, b.store))} {
		c.get("/forgotten").wants(http.StatusForbidden)
	}
}

func TestOtherMethodsAreRefused(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	for _, method := range []string{"PUT", "DELETE", "PATCH", "TRACE", "BREW", "PROPFIND"} {
		for _, path := range []string{"/", "/posts", "/posts/1", "/auth/login", "/healthz"} {
			a := c.send(method, path, nil).wants(http.StatusMethodNotAllowed)
			if a.header.Get("Allow") == "" {
				t.Errorf("%s %s: no Allow", method, path)
			}
		}
	}
	c.get("/posts").wants(http.StatusMethodNotAllowed)
	c.post("/auth/logout?_method=GET", url.Values{"_method": {"GET"}}, "X-HTTP-Method-Override", "GET").leads("/")
}

func TestCrossOriginPostsAreRefusedOnEveryRoute(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	own := []string{"Origin", b.url}
	for _, name := range b.everyRoute() {
		method, path, _ := strings.Cut(name, " ")
		if safe(method) {
			continue
		}
		path = b.fill(path, author)
		c := b.as(author)
		for _, headers := range [][]string{
			{"Sec-Fetch-Site", "cross-site"},
			{"Sec-Fetch-Site", "same-site"},
			{"Sec-Fetch-Site", "cross-site", "Origin", b.url},
			{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.test"},
			{"Origin", "https://evil.test"},
			{"Origin", "null"},
			{"Origin", b.url + ".evil.test"},
		} {
			c.send(method, path, nil, headers...).wants(http.StatusForbidden)
		}
		if !c.loggedIn() {
			t.Fatalf("%s: a refused request ended the session", name)
		}
		for _, headers := range [][]string{{}, own, {"Sec-Fetch-Site", "same-origin"}, {"Sec-Fetch-Site", "none"}} {
			want := rights[name][slices.Index(visitors, "author")]
			a := b.as(author).send(method, b.fill(pathOf(name), author), nil, headers...)
			if a.status != want {
				t.Errorf("%s with %v: %d, want %d", name, headers, a.status, want)
			}
		}
	}
}

func pathOf(name string) string {
	_, path, _ := strings.Cut(name, " ")
	return path
}

func TestOriginIsComparedWithTheBaseURLBehindAProxy(t *testing.T) {
	b := newBoard(t)
	b.guest().post("/auth/logout", nil, "Host", "internal:8080", "Origin", b.url).leads("/")
	b.guest().post("/auth/logout", nil, "Host", "internal:8080", "Origin", "https://evil.test").wants(http.StatusForbidden)
}
