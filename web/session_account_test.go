package web

import (
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/store/storetest"
)

// sessionIDs are the numbers on the buttons that end a session.
func (c *client) sessionIDs() []string {
	c.t.Helper()
	return c.get("/account").wants(http.StatusOK).doc().Find(`form[action$="/account/sessions/end"] [name=id]`).
		Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("value", "") })
}

func TestMemberLooksThroughTheSessionsAndEndsThem(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	phone := b.guest()
	phone.agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1"
	phone.login(u).leads("/")
	b.clock.Advance(time.Minute)
	lost := b.as(u)
	b.clock.Advance(time.Minute)
	c := b.as(u)
	page := c.get("/account").wants(http.StatusOK)
	list := page.doc().Find(".sessions li")
	if list.Length() != 3 {
		t.Fatalf("%d sessions, want 3", list.Length())
	}
	for i, want := range []string{"Firefox on Linux", "Firefox on Linux", "Safari on iPhone"} {
		if got := list.Eq(i).Find("strong").Text(); got != want {
			t.Errorf("session %d is on %q, want %q", i, got, want)
		}
		if own := list.Eq(i).Find(".badge").Length() == 1; own != (i == 0) {
			t.Errorf("session %d is this one: %v", i, own)
		}
	}
	c.post("/account/sessions/end", url.Values{"id": {c.sessionIDs()[0]}}).leads("/account#sessions")
	if !phone.loggedIn() || lost.loggedIn() || !c.loggedIn() {
		t.Errorf("logged in: phone %v, lost %v, this %v", phone.loggedIn(), lost.loggedIn(), c.loggedIn())
	}
	c.post("/account/sessions/end", url.Values{"all": {"1"}}).leads("/account#sessions")
	if phone.loggedIn() || !c.loggedIn() {
		t.Errorf("logged in: phone %v, this %v", phone.loggedIn(), c.loggedIn())
	}
	if got := c.get("/account").doc().Find(".sessions li").Length(); got != 1 {
		t.Errorf("%d sessions are left", got)
	}
}

func TestSessionOfSomebodyElseCannotBeEnded(t *testing.T) {
	b := newBoard(t)
	u, other := storetest.Member(t, b.store), storetest.Member(t, b.store)
	victim, second, c := b.as(u), b.as(u), b.as(other)
	ids := victim.sessionIDs()
	for _, id := range append(ids, "", "0", "-1", "x", "9223372036854775807", "9223372036854775808", ids[0]+" OR 1=1") {
		c.post("/account/sessions/end", url.Values{"id": {id}}).wants(http.StatusNotFound)
	}
	c.post("/account/sessions/end", url.Values{"all": {"1"}}).leads("/account#sessions")
	if !victim.loggedIn() || !second.loggedIn() {
		t.Error("a stranger ended a session")
	}
}

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

// ends are the ways in which the sessions of a member end while a request of
// theirs is under way.
func ends() map[string]func(b *board, u store.User, c *client) error {
	return map[string]func(b *board, u store.User, c *client) error{
		"logout": func(_ *board, _ store.User, c *client) error {
			return led(c.post("/auth/logout", nil), "/")
		},
		"change of password": func(_ *board, _ store.User, c *client) error {
			return led(c.post("/account/password", typed("password", newPassword)), "/account#password")
		},
		"end in the list": func(b *board, u store.User, c *client) error {
			return led(b.as(u).post("/account/sessions/end", url.Values{"all": {"1"}}), "/account#sessions")
		},
		"disabling": func(b *board, u store.User, _ *client) error {
			chief := storetest.Admin(b.t, b.store)
			return errors.Join(b.store.Disable(b.t.Context(), chief.ID, u.ID), b.store.Enable(b.t.Context(), chief.ID, u.ID))
		},
		"deletion": func(_ *board, _ store.User, c *client) error {
			return led(c.post("/account/delete", typed()), "/")
		},
	}
}

func led(a *answer, to string) error {
	if got := a.header.Get("Location"); got != to {
		return fmt.Errorf("%s: %d, leads to %q", a.what, a.status, got)
	}
	return nil
}

// rounds is how often each way is tried: -rounds 40 makes 200 in all.
var rounds = flag.Int("rounds", 6, "rounds of each way to end a session")

func TestRequestUnderWayBringsNoSessionBackHoweverItEnds(t *testing.T) {
	b := newBoard(t)
	for name, end := range ends() {
		for round := range *rounds {
			u := storetest.Member(t, b.store)
			c := b.as(u)
			token := c.cookie()
			b.clock.Advance(2 * time.Hour) // so that the request writes its session
			finish := b.underWay(token)
			if err := end(b, u, c); err != nil {
				t.Fatal(err)
			}
			finish()
			if b.withCookie(token).loggedIn() {
				t.Fatalf("%s, round %d: the session came back", name, round)
			}
		}
	}
}
