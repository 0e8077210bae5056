package web

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store/storetest"
)

func TestLinkIsOpenedAsOftenAsScannersLike(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	_, id := b.signUp(c)
	link := "/auth/verify?token=" + storetest.Token(t, b.store, id)
	scanner := b.guest()
	for range 3 {
		scanner.send(http.MethodHead, link, nil).wants(http.StatusOK)
		a := scanner.get(link).wants(http.StatusOK)
		for name, want := range map[string]string{"Referrer-Policy": "same-origin", "Cache-Control": "no-store"} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	}
	if c.get(link).wants(http.StatusOK).doc().Find(`[name="password"]`).Length() != 0 {
		t.Error("the own browser is asked for a password")
	}
	c.post("/auth/verify", url.Values{"token": {link[strings.Index(link, "=")+1:]}}).leads("/")
	if !c.loggedIn() {
		t.Error("not logged in")
	}
	if strings.Contains(b.logs.String(), link[len(link)-20:]) {
		t.Error("the token is in the log")
	}
}

func TestLinkInAnotherBrowserNeedsThePassword(t *testing.T) {
	b := newBoard(t)
	form, id := b.signUp(b.guest())
	token := storetest.Token(t, b.store, id)
	c := b.guest()
	page := c.get("/auth/verify?token=" + token).wants(http.StatusOK)
	if page.attr(`form[action="/auth/verify"] [name="password"]`, "type") != "password" {
		t.Error("no password field")
	}
	if strings.Contains(page.body, form.Get("email")) {
		t.Error("the address is shown whole")
	}
	c.post("/auth/verify", url.Values{"token": {token}}).wants(http.StatusUnprocessableEntity).alert("password")
	wrong := url.Values{"token": {token}, "password": {"wrong password"}}
	for range 9 {
		c.post("/auth/verify", wrong).wants(http.StatusUnprocessableEntity).alert("password")
	}
	c.post("/auth/verify", url.Values{"token": {token}, "password": {storetest.Password}}).leads("/")
	if !c.loggedIn() {
		t.Error("not logged in")
	}
}

func TestLinkIsLockedAfterTenWrongPasswords(t *testing.T) {
	b := newBoard(t)
	own := b.guest()
	_, id := b.signUp(own)
	token := storetest.Token(t, b.store, id)
	c := b.guest()
	for range 10 {
		c.post("/auth/verify", url.Values{"token": {token}, "password": {"wrong password"}}).wants(http.StatusUnprocessableEntity)
	}
	c.post("/auth/verify", url.Values{"token": {token}, "password": {storetest.Password}}).
		wants(http.StatusUnprocessableEntity).has("This link is locked")
	for _, c := range []*client{c, b.guest()} {
		page := c.get("/auth/verify?token=" + token).wants(http.StatusUnprocessableEntity).has("This link is locked")
		if page.doc().Find(`[name="password"]`).Length() != 0 {
			t.Error("a locked link asks for the password")
		}
		c.post("/auth/verify", url.Values{"token": {token}}).wants(http.StatusUnprocessableEntity).has("This link is locked")
	}
	own.get("/auth/verify?token=" + token).wants(http.StatusOK)
	own.post("/auth/verify", url.Values{"token": {token}}).leads("/")
}

func TestLinkWhileSomebodyElseIsLoggedIn(t *testing.T) {
	b := newBoard(t)
	form, id := b.signUp(b.guest())
	token := storetest.Token(t, b.store, id)
	other := storetest.Member(t, b.store)
	c := b.as(other)
	c.get("/auth/verify?token=" + token).wants(http.StatusOK).has(other.Nickname)
	c.post("/auth/verify", url.Values{"token": {token}, "password": {storetest.Password}}).leads("/")
	c.get("/").has(form.Get("nickname")).has(other.Nickname)
	if got := c.get("/").doc().Find(".me").Text(); got != other.Nickname {
		t.Errorf("%q is logged in now", got)
	}
}

func TestVerifiedLinkStaysFriendly(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	_, id := b.signUp(c)
	token := storetest.Token(t, b.store, id)
	c.post("/auth/verify", url.Values{"token": {token}}).leads("/")
	for _, c := range []*client{c, b.guest()} {
		c.get("/auth/verify?token=" + token).wants(http.StatusOK).has("Already confirmed")
		c.post("/auth/verify", url.Values{"token": {token}, "password": {storetest.Password}}).
			wants(http.StatusOK).has("Already confirmed")
	}
}

func TestOfFiftyClicksAtOnceOneVerifies(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	_, id := b.signUp(c)
	token := storetest.Token(t, b.store, id)
	answers := make(chan int, 50)
	var group sync.WaitGroup
	for range cap(answers) {
		group.Go(func() { answers <- c.post("/auth/verify", url.Values{"token": {token}}).status })
	}
	group.Wait()
	close(answers)
	got := map[int]int{}
	for status := range answers {
		got[status]++
	}
	if diff := cmp.Diff(map[int]int{303: 1, 200: 49}, got); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
}

func TestExpiredLinkOffersANewOne(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	_, id := b.signUp(c)
	token := storetest.Token(t, b.store, id)
	b.clock.Advance(24*time.Hour + time.Second)
	c.get("/auth/verify?token="+token).wants(http.StatusGone).attr(`form[action="/auth/resend"] [name="email"]`, "type")
	c.post("/auth/verify", url.Values{"token": {token}}).wants(http.StatusGone)
}

func TestForgedTokensAreRefused(t *testing.T) {
	b := newBoard(t)
	_, id := b.signUp(b.guest())
	real := storetest.Token(t, b.store, id)
	for _, token := range []string{
		"", "garbage", real[:20], real + "A", "B" + real[1:], strings.Repeat("x", 5000), "\xff\xfe", "a\x00b", "가나다", "%",
	} {
		c := b.guest()
		c.get("/auth/verify?token="+url.QueryEscape(token)).wants(http.StatusNotFound).
			attr(`form[action="/auth/resend"] [name="email"]`, "type")
		c.post("/auth/verify", url.Values{"token": {token}, "password": {storetest.Password}}).wants(http.StatusNotFound)
	}
}

func TestTakenNicknameIsAskedForAtTheLink(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	form, id := b.signUp(c)
	token := storetest.Token(t, b.store, id)
	b.take(form.Get("nickname"))
	c.post("/auth/verify", url.Values{"token": {token}}).wants(http.StatusUnprocessableEntity).alert("nickname")
	c.post("/auth/verify", url.Values{"token": {token}, "nickname": {"a/b"}}).wants(http.StatusUnprocessableEntity).alert("nickname")
	c.post("/auth/verify", url.Values{"token": {token}, "nickname": {"another-one"}}).leads("/")
	c.get("/").has("another-one")
}
