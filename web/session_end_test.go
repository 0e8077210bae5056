package web

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

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
