package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// goodText fills every form of a post or comment.
func goodText() url.Values {
	return url.Values{"title": {"Another title"}, "body": {"Another text"}, "form_id": {newID()}}
}

// thread is a post with its comments, as they are.
func (b *board) thread(post int64) store.Thread {
	b.t.Helper()
	thread, err := b.store.Thread(b.t.Context(), post)
	if err != nil {
		b.t.Fatal(err)
	}
	return thread
}

func TestWhatSomebodyElseWroteStaysAsItIs(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	post := storetest.Post(t, b.store, author)
	comment, err := b.store.CreateComment(t.Context(), author, store.NewComment{PostID: post, Body: "Text", FormID: newID()})
	if err != nil {
		t.Fatal(err)
	}
	before := b.thread(post)
	c := b.as(storetest.Member(t, b.store))
	for _, path := range []string{
		fmt.Sprint("/posts/", post), fmt.Sprintf("/posts/%d/delete", post),
		fmt.Sprint("/comments/", comment), fmt.Sprintf("/comments/%d/delete", comment),
	} {
		c.post(path, goodText()).wants(http.StatusForbidden)
		b.guest().post(path, goodText()).wants(http.StatusSeeOther)
	}
	if diff := cmp.Diff(before, b.thread(post)); diff != "" {
		t.Errorf("changed by a stranger:\n%s", diff)
	}
}

// aboutTexts are the routes of a post or a comment that is there.
func aboutTexts() []string {
	var names []string
	for name := range rights {
		if strings.Contains(name, " /posts/:id") || strings.Contains(name, " /comments/:id") {
			names = append(names, name)
		}
	}
	return names
}

func TestWhatIsDeletedIsGoneForEverybody(t *testing.T) {
	b := newBoard(t)
	author, admin := storetest.Member(t, b.store), storetest.Admin(t, b.store)
	post, comment := storetest.Post(t, b.store, author), b.comment(author)
	orphan, err := b.store.CreateComment(t.Context(), author, store.NewComment{PostID: post, Body: "Text", FormID: newID()})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.store.DeletePost(t.Context(), author, post); err != nil {
		t.Fatal(err)
	}
	if err := b.store.DeleteComment(t.Context(), author, comment); err != nil {
		t.Fatal(err)
	}
	who := map[string]*client{"author": b.as(author), "moderator": b.as(storetest.Moderator(t, b.store)), "admin": b.as(admin)}
	for name, c := range who {
		for _, route := range aboutTexts() {
			method, pattern, _ := strings.Cut(route, " ")
			ids := []int64{post}
			if strings.HasPrefix(pattern, "/comments") {
				ids = []int64{comment, orphan}
			}
			for _, id := range ids {
				path := strings.ReplaceAll(pattern, ":id", fmt.Sprint(id))
				a := c.send(method, path, strings.NewReader(goodText().Encode()), "Content-Type", "application/x-www-form-urlencoded")
				if a.status != http.StatusNotFound {
					t.Errorf("%s %s as %s: %d", method, path, name, a.status)
				}
			}
		}
		if strings.Contains(c.get("/").wants(http.StatusOK).body, fmt.Sprintf(`data-post-id="%d"`, post)) {
			t.Errorf("%s sees the deleted post in the list", name)
		}
	}
}

func TestFieldsThatAreNotOnTheFormAreIgnored(t *testing.T) {
	b := newBoard(t)
	extra := func(form url.Values) url.Values {
		for name, value := range map[string]string{
			"role": "admin", "id": "1", "user_id": "1", "author_id": "1", "author": "1", "views": "1000", "likes": "1000",
			"verified": "1", "state": "verified", "created_at": "1", "disabled_at": "", "deleted_at": "1", "credentials": "1",
		} {
			form.Set(name, value)
		}
		return form
	}
	other := storetest.Member(t, b.store)
	c := b.guest()
	form := signupForm()
	c.post("/auth/signup", extra(form)).leads("/auth/pending")
	in, err := b.store.Authenticate(t.Context(), store.Login{Email: form.Get("email"), Password: storetest.Password})
	if err != nil || in.SignupID == 0 {
		t.Fatalf("%+v, %v", in, err)
	}
	c.post("/auth/verify/code", extra(url.Values{"code": {storetest.Code(t, b.store, in.SignupID)}})).leads("/")
	c.post("/language", extra(url.Values{"lang": {"ko"}})).leads("/")
	c.get("/admin").wants(http.StatusForbidden)
	made := c.post("/posts", extra(goodText())).wants(http.StatusSeeOther).header.Get("Location")
	c.post(made+"/comments", extra(goodText())).wants(http.StatusSeeOther)
	c.post(made, extra(goodText())).leads(made)
	thread := b.thread(b.posts()[0].ID)
	for what, author := range map[string]int64{"post": thread.Post.AuthorID, "comment": thread.Comments[0].AuthorID} {
		if author == other.ID {
			t.Errorf("the %s is somebody else's", what)
		}
	}
	if p := thread.Post; p.Views != 0 || p.Likes != 0 || p.CreatedAt.Year() < 2000 {
		t.Errorf("the form set what it does not hold: %+v", p)
	}
}

func TestARoleIsTakenFromTheFirstFieldOfTheFormAlone(t *testing.T) {
	b := newBoard(t)
	u, admin := storetest.Member(t, b.store), b.as(storetest.Admin(t, b.store))
	admin.post(userPath(u, "role")+"?role=admin", nil).wants(http.StatusUnprocessableEntity)
	admin.post(userPath(u, "role")+"?role=admin", url.Values{"role": {"moderator", "admin"}}).leads("/admin/users")
	if m, err := b.store.MemberByID(t.Context(), u.ID); err != nil || m.Role != store.Moderator {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestNobodyReadsWhatIsNotForThePublic(t *testing.T) {
	b := newBoard(t)
	for _, c := range []*client{b.guest(), b.as(storetest.Member(t, b.store)), b.as(storetest.Admin(t, b.store))} {
		for _, path := range []string{
			"/metrics", "/debug/pprof/", "/debug/vars", "/docs", "/swagger", "/api", "/.git/HEAD", "/.env", "/madang.db",
			"/static/", "/static/..%2fmadang.css", "/static/..%5cmadang.css", "/static/.%2e/%2e./etc/passwd", "/%61dmin/../metrics",
			"/static/files/madang.css", "/server-status", "/robots.txt~",
		} {
			c.get(path).wants(http.StatusNotFound)
		}
	}
	// Another spelling of a closed page is no way around its guard.
	for _, path := range []string{"/%61dmin", "/admin/%75sers", "/ADMIN", "//admin", "/admin/", "/admin/users/", "/./admin", "/posts/../admin"} {
		if a := b.guest().get(path); a.status == http.StatusOK {
			t.Errorf("%s answers a guest with 200", path)
		}
	}
}
