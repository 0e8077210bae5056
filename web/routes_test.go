package web

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// rights says what each visitor gets from each route: a guest, a guest whose
// sign-up waits for its proof, a member, the author of what the route is about,
// a moderator, an administrator. Whoever has been disabled is a guest, whatever
// cookie the browser still has. The requests bring no fields, so that a form is
// refused with 422 by whoever may use it; guests are sent to log in with 303, and
// so are forms that need no fields to where they lead.
var rights = map[string]string{
	"GET /":                         "200 200 200 200 200 200",
	"GET /search":                   "200 200 200 200 200 200",
	"GET /auth/signup":              "200 200 303 303 303 303",
	"POST /auth/signup":             "422 422 303 303 303 303",
	"GET /auth/pending":             "200 200 200 200 200 200",
	"POST /auth/pending/email":      "422 422 422 422 422 422",
	"POST /auth/resend":             "422 303 422 422 422 422",
	"POST /auth/verify/code":        "422 422 422 422 422 422",
	"GET /auth/verify":              "404 404 404 404 404 404",
	"POST /auth/verify":             "404 404 404 404 404 404",
	"GET /auth/login":               "200 200 303 303 303 303",
	"POST /auth/login":              "422 422 303 303 303 303",
	"GET /auth/forgot":              "200 200 200 200 200 200",
	"POST /auth/forgot":             "422 422 422 422 422 422",
	"GET /auth/forgot/sent":         "200 200 200 200 200 200",
	"GET /auth/reset":               "404 404 404 404 404 404",
	"POST /auth/reset":              "404 404 404 404 404 404",
	"GET /auth/email":               "303 303 404 404 404 404",
	"POST /auth/email":              "303 303 404 404 404 404",
	"GET /account":                  "303 303 200 200 200 200",
	"GET /account/data.json":        "303 303 200 200 200 200",
	"POST /account/nickname":        "303 303 422 422 422 422",
	"POST /account/language":        "303 303 422 422 422 422",
	"POST /account/password":        "303 303 422 422 422 422",
	"POST /account/email":           "303 303 422 422 422 422",
	"POST /account/sessions/end":    "303 303 404 404 404 404",
	"POST /account/delete":          "303 303 422 422 422 422",
	"POST /auth/logout":             "303 303 303 303 303 303",
	"POST /language":                "400 400 400 400 400 400",
	"GET /posts/new":                "303 303 200 200 200 200",
	"POST /posts":                   "303 303 422 422 422 422",
	"GET /posts/:id":                "200 200 200 200 200 200",
	"GET /users/:nickname":          "200 200 200 200 200 200",
	"GET /posts/:id/edit":           "303 303 403 200 200 200",
	"POST /posts/:id":               "303 303 403 422 422 422",
	"POST /posts/:id/delete":        "303 303 403 303 303 303",
	"POST /posts/:id/like":          "303 303 303 303 303 303",
	"POST /posts/:id/unlike":        "303 303 303 303 303 303",
	"POST /posts/:id/comments":      "303 303 422 422 422 422",
	"GET /comments/:id/edit":        "303 303 403 200 200 200",
	"POST /comments/:id":            "303 303 403 422 422 422",
	"POST /comments/:id/delete":     "303 303 403 303 303 303",
	"GET /admin":                    "303 303 403 403 403 200",
	"GET /admin/jobs":               "303 303 403 403 403 200",
	"GET /admin/jobs/:id":           "303 303 403 403 403 200",
	"POST /admin/jobs/:id/retry":    "303 303 403 403 403 303",
	"POST /admin/jobs/:id/drop":     "303 303 403 403 403 303",
	"GET /admin/pools":              "303 303 403 403 403 200",
	"GET /admin/users":              "303 303 403 403 403 200",
	"POST /admin/users/:id/disable": "303 303 403 403 403 303",
	"POST /admin/users/:id/enable":  "303 303 403 403 403 303",
	"POST /admin/users/:id/role":    "303 303 403 403 403 422",
	"GET /healthz":                  "200 200 200 200 200 200",
	"GET /readyz":                   "200 200 200 200 200 200",
	"GET /feed.atom":                "200 200 200 200 200 200",
	"GET /sitemap.xml":              "200 200 200 200 200 200",
	"GET /robots.txt":               "200 200 200 200 200 200",
	"GET /dev/mail":                 "200 200 200 200 200 200",
	"GET /dev/mail/:id":             "404 404 404 404 404 404",
	"GET /static/*":                 "404 404 404 404 404 404",
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

// visitor is a column of the table, and how to come as one.
type visitor struct {
	name   string
	column int
	come   func() *client
}

// visitors are all columns, with the author of what fill makes.
func (b *board) visitors(author store.User) []visitor {
	chief := storetest.Admin(b.t, b.store)
	return []visitor{
		{"guest", 0, b.guest},
		{"pending", 1, b.again(func(c *client) bool { return strings.Contains(c.get("/auth/pending").body, `id="delivery"`) }, b.newcomer)},
		{"member", 2, b.staying(storetest.Member(b.t, b.store))},
		{"author", 3, b.staying(author)},
		{"moderator", 4, b.staying(storetest.Moderator(b.t, b.store))},
		{"admin", 5, b.staying(chief)},
		{"disabled member", 0, b.outcast(chief)},
		{"disabled administrator", 0, b.outcast(chief)},
	}
}

// again comes in the same browser as long as it is still what it was.
func (b *board) again(still func(*client) bool, come func() *client) func() *client {
	var c *client
	return func() *client {
		if c == nil || !still(c) {
			c = come()
		}
		return c
	}
}

func (b *board) newcomer() *client {
	c := b.guest()
	b.signUp(c)
	return c
}

func (b *board) staying(u store.User) func() *client {
	return b.again((*client).loggedIn, func() *client { return b.as(u) })
}

// outcast comes with the cookie of somebody who was logged in and is disabled.
func (b *board) outcast(chief store.User) func() *client {
	u := storetest.Admin(b.t, b.store)
	token := b.as(u).cookie()
	if err := b.store.Disable(b.t.Context(), chief.ID, u.ID); err != nil {
		b.t.Fatal(err)
	}
	return func() *client { return b.withCookie(token) }
}

// wanted is a cell of the table.
func wanted(t *testing.T, name string, column int) int {
	t.Helper()
	cells := strings.Fields(rights[name])
	if len(cells) != 6 {
		t.Fatalf("%s has %d cells in the table of rights", name, len(cells))
	}
	status, err := strconv.Atoi(cells[column])
	if err != nil {
		t.Fatal(err)
	}
	return status
}

func TestRights(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	open := b.open()
	for _, v := range b.visitors(author) {
		for name := range rights {
			want := wanted(t, name, v.column)
			method, path, _ := strings.Cut(name, " ")
			path = b.fill(path, author)
			a := v.come().send(method, path, nil)
			if a.status != want {
				t.Errorf("%s as %s: %d, want %d", name, v.name, a.status, want)
			}
			if v.column < 2 && !open[name] && !strings.HasPrefix(a.header.Get("Location"), "/auth/login?next=%2F") {
				t.Errorf("%s as %s leads to %q", name, v.name, a.header.Get("Location"))
			}
			if method != http.MethodGet {
				continue
			}
			if head := v.come().send(http.MethodHead, path, nil); head.status != want || head.body != "" {
				t.Errorf("HEAD %s as %s: %d with %d bytes, want %d", path, v.name, head.status, len(head.body), want)
			}
		}
	}
}

// open are the routes that a guest may use.
func (b *board) open() map[string]bool {
	open := map[string]bool{}
	for _, r := range append(b.server.routes()[anyone], b.server.probes()...) {
		open[r.method+" "+r.path] = true
	}
	return open
}

// fill puts the id of something fresh into a pattern: a post or comment of the
// author, a dead job, a member.
func (b *board) fill(pattern string, author store.User) string {
	b.t.Helper()
	pattern = strings.ReplaceAll(pattern, ":nickname", author.Nickname)
	if !strings.Contains(pattern, ":id") {
		return pattern
	}
	var id int64 = 7
	switch {
	case strings.HasPrefix(pattern, "/admin/jobs"):
		_, id = storetest.DeadMail(b.t, b.store, "550 no")
	case strings.HasPrefix(pattern, "/admin/users"):
		id = storetest.Member(b.t, b.store).ID
	case strings.HasPrefix(pattern, "/posts"):
		id = storetest.Post(b.t, b.store, author)
	case strings.HasPrefix(pattern, "/comments"):
		id = b.comment(author)
	}
	return strings.ReplaceAll(pattern, ":id", fmt.Sprint(id))
}

// comment makes a comment on a post of its own.
func (b *board) comment(author store.User) int64 {
	b.t.Helper()
	id, err := b.store.CreateComment(b.t.Context(), author, store.NewComment{
		PostID: storetest.Post(b.t, b.store, author), Body: "Text", FormID: newID(),
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return id
}

func TestRouteWithoutAnAccessIsClosed(t *testing.T) {
	b := newBoard(t)
	b.server.add(b.server.echo, route{method: http.MethodGet, path: "/forgotten", handle: b.server.home}, "", b.server.guard(nobody, false))
	for _, c := range []*client{b.guest(), b.as(storetest.Admin(t, b.store))} {
		c.get("/forgotten").wants(http.StatusForbidden)
	}
}
