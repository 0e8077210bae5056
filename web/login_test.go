package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"madang/store"
	"madang/store/storetest"
	"madang/views"
)

func TestLoginLeadsToWhereOneWasGoing(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	for next, want := range map[string]string{
		"":                 "/",
		"/posts/new":       "/posts/new",
		"/posts/7?a=b#c":   "/posts/7?a=b#c",
		"//evil.test":      "/",
		"/%2f%2fevil.test": "/",
		"https:evil.test":  "/",
	} {
		c := b.guest()
		page := c.get("/auth/login?next=" + url.QueryEscape(next)).wants(http.StatusOK)
		if got := page.field("/auth/login", "next"); got != want {
			t.Errorf("next=%q: the form holds %q", next, got)
		}
		c.post("/auth/login", url.Values{"email": {u.Email}, "password": {storetest.Password}, "next": {next}}).leads(want)
	}
}

func TestLoginSaysOneThingForEveryReason(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	pending, _ := b.signUp(b.guest())
	var bodies []string
	for _, email := range []string{u.Email, pending.Get("email"), "nobody@example.com", "no address", "a\xff@b", "a\x00@b.c"} {
		page := b.guest().post("/auth/login", url.Values{"email": {email}, "password": {"wrong password"}}).
			wants(http.StatusUnprocessableEntity).alert("")
		if got := page.field("/auth/login", "email"); got != shown(email) {
			t.Errorf("address %q came back as %q", email, got)
		}
		if strings.Contains(page.body, "wrong password") {
			t.Error("the password is shown")
		}
		bodies = append(bodies, strings.ReplaceAll(page.body, shown(email), "ADDRESS"))
	}
	for _, body := range bodies[1:] {
		if body != bodies[0] {
			t.Errorf("the pages differ:\n%s\n%s", bodies[0], body)
		}
	}
}

func TestLoginNeedsBothFields(t *testing.T) {
	c := newBoard(t).guest()
	c.post("/auth/login", url.Values{"email": {"a@example.com"}}).wants(http.StatusUnprocessableEntity).alert("password")
	c.post("/auth/login", url.Values{"password": {"12345678"}}).wants(http.StatusUnprocessableEntity).alert("email")
}

func TestLoginRefusesOddPasswords(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	for _, password := range []string{
		"\xff\xfe12345678", strings.Repeat("a", 1000), storetest.Password + " ", strings.ToUpper(storetest.Password), "\x00",
	} {
		b.guest().post("/auth/login", url.Values{"email": {u.Email}, "password": {password}}).wants(http.StatusUnprocessableEntity)
	}
}

func TestLoginOfAnUnprovenAddressLeadsToThePendingPage(t *testing.T) {
	b := newBoard(t)
	form, id := b.signUp(b.guest())
	c := b.guest()
	c.post("/auth/login", url.Values{"email": {form.Get("email")}, "password": {storetest.Password}}).leads("/auth/pending")
	c.get("/auth/pending").has(form.Get("email"))
	c.post("/auth/verify/code", url.Values{"code": {storetest.Code(t, b.store, id)}}).leads("/")
	if !c.loggedIn() {
		t.Error("not logged in")
	}
}

func TestLoginPageOfAMemberLeadsHome(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	c.get("/auth/login?next=/posts/new").leads("/")
	c.post("/auth/login", url.Values{"email": {"x"}, "password": {"y"}}).leads("/")
}

func TestLoginIsLoggedWithoutTheAddress(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	b.guest().post("/auth/login", url.Values{"email": {u.Email}, "password": {"wrong password"}})
	b.as(u)
	logs := b.logs.String()
	for _, secret := range []string{u.Email, "wrong password", storetest.Password} {
		if strings.Contains(logs, secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	for _, words := range []string{store.MaskEmail(u.Email), "login failed", "logged in"} {
		if !strings.Contains(logs, words) {
			t.Errorf("the log lacks %q", words)
		}
	}
}

func TestLoginRenewsTheSession(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	c := b.guest()
	c.post("/posts", url.Values{"title": {"kept"}, "form_id": {"abc"}}).wants(http.StatusSeeOther) // opens a guest's session
	planted := c.cookie()
	if planted == "" {
		t.Fatal("no session of a guest")
	}
	c.login(u).wants(http.StatusSeeOther)
	if c.cookie() == planted {
		t.Error("the token stayed the same")
	}
	if b.withCookie(planted).loggedIn() {
		t.Error("the planted token is logged in")
	}
}

// withCookie returns a browser that sends this token.
func (b *board) withCookie(token string) *client {
	c := b.guest()
	u, err := url.Parse(b.url + "/")
	if err != nil {
		b.t.Fatal(err)
	}
	c.http.Jar.SetCookies(u, []*http.Cookie{{Name: b.server.sessions.Cookie.Name, Value: token, Path: "/"}})
	return c
}

func TestMadeUpTokenIsNeverTakenOver(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	made := strings.Repeat("A", 43)
	c := b.withCookie(made)
	c.login(u).wants(http.StatusSeeOther)
	if c.cookie() == made || !c.loggedIn() {
		t.Error("the made-up token was taken over")
	}
	if b.withCookie(made).loggedIn() {
		t.Error("the made-up token is logged in")
	}
}

func TestLogoutEndsTheSessionOnTheServer(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	token := c.cookie()
	a := c.post("/auth/logout", nil).leads("/")
	if got := a.header.Get("Clear-Site-Data"); got != `"cache"` {
		t.Errorf("Clear-Site-Data: %q", got)
	}
	if c.cookie() == token || c.loggedIn() || b.withCookie(token).loggedIn() {
		t.Error("the session lives on")
	}
	c.post("/auth/logout", nil).leads("/")
	c.get("/auth/logout").wants(http.StatusMethodNotAllowed)
}

func TestLogoutIsToldOnceAndLeavesNoSession(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	c.post("/auth/logout", nil).leads("/")
	told := views.English.Word(views.NoticeLoggedOut)
	if got := c.get("/").doc().Find("[role=status]").Text(); got != told {
		t.Errorf("the next page says %q, want %q", got, told)
	}
	if c.cookie() != "" {
		t.Error("the session of the notice is still there")
	}
	if c.get("/").doc().Find("[role=status]").Length() != 0 {
		t.Error("it is told again")
	}
	c.post("/auth/logout", nil).leads("/")
	if c.cookie() != "" {
		t.Error("who was not logged in got a session")
	}
}

func TestRequestUnderWayDoesNotBringASessionBack(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	token := c.cookie()
	body := &gate{reading: make(chan struct{}), open: make(chan struct{}), text: "title=late&body=late&form_id=late"}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/posts", body)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.AddCookie(&http.Cookie{Name: "sid", Value: token})
	w, done := httptest.NewRecorder(), make(chan struct{})
	go func() {
		defer close(done)
		b.server.Handler().ServeHTTP(w, r)
	}()
	<-body.reading // its session is loaded by now
	c.post("/auth/logout", nil).leads("/")
	close(body.open)
	<-done
	if w.Code != http.StatusSeeOther {
		t.Errorf("the request under way got %d", w.Code)
	}
	if b.withCookie(token).loggedIn() {
		t.Error("the session came back")
	}
}

// gate is a body that tells when it is read and waits until it is opened.
type gate struct {
	reading, open chan struct{}
	text          string
}

func (g *gate) Read(p []byte) (int, error) {
	if g.text == "" {
		return 0, io.EOF
	}
	close(g.reading)
	<-g.open
	n := copy(p, g.text)
	g.text = ""
	return n, nil
}

func TestThrottledLoginIsTheSameForEveryAddress(t *testing.T) {
	b := newBoard(t, limited)
	u := storetest.Member(t, b.store)
	for _, email := range []string{u.Email, "nobody@example.com"} {
		for range 10 {
			b.guest().post("/auth/login", url.Values{"email": {email}, "password": {"wrong password"}}).
				wants(http.StatusUnprocessableEntity)
		}
		a := b.guest().post("/auth/login", url.Values{"email": {email}, "password": {storetest.Password}}).
			wants(http.StatusTooManyRequests)
		if got := a.header.Get("Retry-After"); got != "60" {
			t.Errorf("%s may come again after %q seconds", email, got)
		}
	}
}
