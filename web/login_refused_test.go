package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestLoginIsRefusedInTheSameBytesForEveryReason(t *testing.T) {
	b := newBoard(t)
	answers := map[string]string{}
	for who, address := range b.strangers() {
		c := b.guest()
		a := c.post("/auth/login", url.Values{"email": {address}, "password": {"wrong password"}, "next": {"/posts/new"}}).
			wants(http.StatusUnprocessableEntity)
		if c.cookie() != "" {
			t.Errorf("%s: a session begins", who)
		}
		answers[who] = seen(a, address)
	}
	wantOneAnswer(t, answers)
	for who, address := range b.strangers() {
		if who == "a disabled member" { // the right password tells nothing either
			a := b.guest().post("/auth/login", url.Values{"email": {address}, "password": {storetest.Password}, "next": {"/posts/new"}})
			wantOneAnswer(t, map[string]string{who: seen(a, address), "nobody": answers["nobody"]})
		}
	}
}

func TestLoginIsThrottledInTheSameBytesForEveryReason(t *testing.T) {
	b := newBoard(t, limited)
	strangers := b.strangers()
	strangers["no address"] = strings.Repeat("y", len(strangers["nobody"]))
	answers := map[string]string{}
	for who, address := range strangers {
		for range 10 {
			b.guest().post("/auth/login", url.Values{"email": {address}, "password": {"wrong password"}}).
				wants(http.StatusUnprocessableEntity)
		}
		a := b.guest().post("/auth/login", url.Values{"email": {address}, "password": {storetest.Password}}).
			wants(http.StatusTooManyRequests).alert("").has("It works again in 60 seconds")
		answers[who] = seen(a, address)
	}
	wantOneAnswer(t, answers)
}

// Neither words nor headers say which of the two counters stopped a try.
func TestThrottledLoginDoesNotNameItsReason(t *testing.T) {
	b := newBoard(t, limited)
	try := func(address string) *answer {
		return b.guest().post("/auth/login", url.Values{"email": {address}, "password": {"wrong password"}})
	}
	for n := range 9 {
		for range 10 {
			try(fmt.Sprintf("victim%d@example.com", n)).wants(http.StatusUnprocessableEntity)
		}
	}
	byAddress := seen(try("victim0@example.com").wants(http.StatusTooManyRequests), "victim0@example.com")
	for range 10 {
		try("victim9@example.com").wants(http.StatusUnprocessableEntity)
	}
	byClient := seen(try("victimX@example.com").wants(http.StatusTooManyRequests), "victimX@example.com")
	if byAddress != byClient {
		t.Errorf("the two can be told apart:\n%s\n\n%s", byAddress, byClient)
	}
}

func TestThrottleOfLoginsTakesNoWordOfTheClientForItsAddress(t *testing.T) {
	b := newBoard(t, limited)
	for n := range 110 {
		a := b.guest().post("/auth/login", url.Values{"email": {fmt.Sprintf("p%d@example.com", n)}, "password": {"wrong password"}},
			"X-Forwarded-For", fmt.Sprintf("203.0.113.%d", n), "X-Real-IP", fmt.Sprintf("203.0.113.%d", n))
		want := http.StatusUnprocessableEntity
		if n >= 100 {
			want = http.StatusTooManyRequests
		}
		a.wants(want)
	}
}

func TestThrottledLoginWorksAgainWhenItSays(t *testing.T) {
	b := newBoard(t, limited)
	u := storetest.Member(t, b.store)
	for range 10 {
		b.guest().post("/auth/login", url.Values{"email": {u.Email}, "password": {"wrong password"}})
	}
	for range 60 { // tries that are refused make it no longer
		b.guest().login(u).wants(http.StatusTooManyRequests)
		b.clock.Advance(time.Second)
	}
	b.guest().login(u).leads("/")
}

func TestGuessesFromOutsideKeepNobodyFromTheAccountPage(t *testing.T) {
	b := newBoard(t, limited)
	u := storetest.Member(t, b.store)
	c := b.as(u)
	for range 11 {
		b.guest().post("/auth/login", url.Values{"email": {u.Email}, "password": {"wrong password"}})
	}
	b.guest().login(u).wants(http.StatusTooManyRequests)
	c.post("/account/password", typed("password", newPassword)).leads("/account#password")
}

func TestRefusedLoginHasAWayOnForWhoeverIsNotVerified(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	form, id := b.signUp(c)
	first := storetest.Mail(t, b.store, id)
	other := b.guest()
	page := other.post("/auth/login", url.Values{"email": form["email"], "password": {"wrong password"}}).
		wants(http.StatusUnprocessableEntity)
	other.post("/auth/resend", url.Values{"email": {page.field("/auth/resend", "email")}}).leads("/auth/pending")
	if storetest.Mail(t, b.store, id).Token == first.Token {
		t.Error("no new mail")
	}
}

func TestADisabledMembersOldWaysLeadNowhere(t *testing.T) {
	b := newBoard(t)
	chief, u := storetest.Admin(t, b.store), storetest.Member(t, b.store)
	session := b.as(u)
	reset := storetest.ResetToken(t, b.store, u.Email)
	c := b.guest()
	again := signupForm("email", u.Email, "password", "another horse") // a sign-up of the same address
	c.post("/auth/signup", again).leads("/auth/pending")
	if err := b.store.Disable(t.Context(), chief.ID, u.ID); err != nil {
		t.Fatal(err)
	}
	if session.loggedIn() {
		t.Error("the session is good at the next request")
	}
	c.post("/auth/reset", url.Values{"token": {reset}, "password": {"another horse"}}).wants(http.StatusGone)
	c.post("/auth/forgot", url.Values{"email": {u.Email}}).leads("/auth/forgot/sent")
	if mails := storetest.ResetMails(t, b.store, u.Email); len(mails) != 0 {
		t.Error("a link to a new password goes out")
	}
	for n := range 5 {
		c.post("/auth/verify/code", url.Values{"code": {fmt.Sprintf("%06d", n)}}).wants(http.StatusUnprocessableEntity)
	}
	if c.loggedIn() {
		t.Error("the sign-up led in")
	}
	b.guest().login(u).wants(http.StatusUnprocessableEntity)
	if err := b.store.Enable(t.Context(), chief.ID, u.ID); err != nil {
		t.Fatal(err)
	}
	if session.loggedIn() {
		t.Error("the old session is back")
	}
	c.post("/auth/reset", url.Values{"token": {reset}, "password": {"another horse"}}).wants(http.StatusGone)
}

func TestAFullHashQueueSaysWhenToComeAgain(t *testing.T) {
	b := newBoard(t, func(b *board) {
		b.store = storetest.Open(t, store.Options{NoLimits: true, Now: b.clock.Now, HashSlots: 1})
	})
	got := crowd(200, func(int) int {
		return b.guest().post("/auth/login", url.Values{"email": {"a@example.com"}, "password": {"wrong password"}}).status
	})
	if got[http.StatusUnprocessableEntity]+got[http.StatusServiceUnavailable] != 200 {
		t.Errorf("statuses: %v", got)
	}
}
