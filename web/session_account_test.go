package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"madang/store/storetest"
)

func TestSessionTokensAreLongAndNeverTheSame(t *testing.T) {
	b := newBoard(t)
	seen := map[string]bool{}
	for range 1000 {
		c := b.guest()
		c.post("/posts", url.Values{"title": {"kept"}}).wants(http.StatusSeeOther) // opens a guest's session
		token := c.cookie()
		if len(token) != 43 || seen[token] {
			t.Fatalf("token %q after %d", token, len(seen))
		}
		seen[token] = true
	}
}

func TestSessionIsRenewedWheneverItStandsForMore(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	c.post("/posts", url.Values{"title": {"kept"}}).wants(http.StatusSeeOther)
	tokens := []string{c.cookie()}
	step := func(name string) {
		t.Helper()
		token := c.cookie()
		if token == "" || token == tokens[len(tokens)-1] {
			t.Errorf("%s: the token stayed the same", name)
		}
		tokens = append(tokens, token)
	}
	form, id := b.signUp(c)
	step("sign-up")
	c.post("/auth/verify/code", url.Values{"code": {storetest.Code(t, b.store, id)}}).leads("/")
	step("verification")
	c.post("/account/password", typed("password", newPassword)).leads("/account#password")
	step("change of password")
	c.post("/auth/logout", nil).leads("/")
	c.post("/auth/login", url.Values{"email": {form.Get("email")}, "password": {newPassword}}).leads("/")
	step("login")
	for i, old := range tokens[:len(tokens)-1] {
		if b.withCookie(old).loggedIn() {
			t.Errorf("token %d still is good", i)
		}
	}
}

func TestSessionLastsSevenIdleDays(t *testing.T) {
	for _, test := range []struct {
		idle time.Duration
		want bool
	}{{7*24*time.Hour - time.Second, true}, {7*24*time.Hour + time.Second, false}} {
		b := newBoard(t)
		c := b.as(storetest.Member(t, b.store))
		b.clock.Advance(test.idle)
		if got := c.loggedIn(); got != test.want {
			t.Errorf("after %s: %v", test.idle, got)
		}
	}
}

func TestSessionLastsThirtyDaysHoweverBusy(t *testing.T) {
	const life = 30 * 24 * time.Hour
	for _, test := range []struct {
		left time.Duration
		want bool
	}{{time.Second, true}, {-time.Second, false}} {
		b := newBoard(t)
		u := storetest.Member(t, b.store)
		c := b.as(u)
		begun := b.clock.Now()
		for range 9 { // every third day
			b.clock.Advance(3 * 24 * time.Hour)
			if !c.loggedIn() {
				t.Fatalf("ended after %s", b.clock.Now().Sub(begun))
			}
		}
		renewed := b.as(u)
		b.clock.Set(begun.Add(life - test.left))
		if got := c.loggedIn(); got != test.want {
			t.Errorf("%s before the end: %v", test.left, got)
		}
		if !renewed.loggedIn() {
			t.Error("a new login does not begin anew")
		}
	}
}

// A login that checked the old password and is slower than its change.
func TestLoginUnderWayDoesNotOutliveAChangeOfPassword(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	b.server.echo.GET("/slow", func(c echo.Context) error {
		if err := b.server.enter(c, u); err != nil {
			return err
		}
		return b.server.redirect(c, "/")
	})
	b.as(u).post("/account/password", typed("password", newPassword)).leads("/account#password")
	c := b.guest()
	c.get("/slow").leads("/")
	if c.cookie() == "" || c.loggedIn() {
		t.Error("it is logged in with the old password")
	}
}

// A session that began before sessions knew their device and the number of
// their member's password goes on, and is adopted when it is used.
func TestSessionFromBeforeIsAdopted(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	b.server.echo.GET("/before", func(c echo.Context) error {
		b.server.put(c, userKey, u.ID)
		return b.server.redirect(c, "/")
	})
	c := b.guest()
	c.get("/before").leads("/")
	if !c.loggedIn() {
		t.Fatal("it is out")
	}
	list, err := b.store.Sessions().OfUser(t.Context(), u.ID, hashed(c.cookie()))
	if err != nil || len(list) != 1 || list[0].Device != "Firefox on Linux" || !list[0].Current {
		t.Errorf("%+v, %v", list, err)
	}
	b.as(u).post("/account/password", typed("password", newPassword)).leads("/account#password")
	if c.loggedIn() {
		t.Error("it outlives a change of password")
	}
}

func TestSessionTokenIsShownNowhere(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	token := c.cookie()
	for _, path := range []string{"/", "/posts/new", "/account", "/account/data.json", "/nowhere"} {
		a := c.get(path)
		for _, secret := range []string{token, hashed(token)} {
			if strings.Contains(a.body+a.header.Get("Location"), secret) {
				t.Errorf("%s shows %q", path, secret)
			}
		}
	}
	c.post("/auth/logout", nil).leads("/")
	for _, secret := range []string{token, hashed(token)} {
		if strings.Contains(b.logs.String(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
}

func TestCookieIsShortAndTheCacheIsClearedAtTheEndOnly(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	if err := b.store.SetNickname(t.Context(), u.ID, strings.Repeat("긴", 20)); err != nil {
		t.Fatal(err)
	}
	c := b.as(u)
	answers := []*answer{
		c.post("/account/language", url.Values{"lang": {"ko"}}), c.get("/account"), c.get("/"),
		c.post("/account/password", typed("password", newPassword)),
	}
	for _, a := range answers {
		for _, cookie := range a.header.Values("Set-Cookie") {
			if len(cookie) > 4096 {
				t.Errorf("%s: a cookie of %d bytes", a.what, len(cookie))
			}
		}
		if got := a.header.Get("Clear-Site-Data"); got != "" {
			t.Errorf("%s: Clear-Site-Data %q", a.what, got)
		}
	}
	for _, a := range []*answer{c.post("/auth/logout", nil), b.gone()} {
		if got := a.header.Get("Clear-Site-Data"); got != `"cache"` {
			t.Errorf("%s: Clear-Site-Data %q", a.what, got)
		}
	}
}

// gone is the answer to somebody who deletes their account.
func (b *board) gone() *answer {
	b.t.Helper()
	return b.as(storetest.Member(b.t, b.store)).post("/account/delete", typed()).leads("/")
}
