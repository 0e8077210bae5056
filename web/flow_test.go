package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// The corners of signing up, each as the people in it go through it.

// waiting is somebody who has just signed up with this address and password.
func (b *board) waiting(address, password string) *client {
	b.t.Helper()
	c := b.guest()
	c.post("/auth/signup", signupForm("email", address, "password", password)).leads("/auth/pending")
	return c
}

// steps is what a browser sees that tries everything the pending page offers.
func (b *board) steps(c *client, address, corrected string) string {
	b.t.Helper()
	var all strings.Builder
	note := func(a *answer) {
		same := strings.NewReplacer(corrected, "CORRECTED", url.QueryEscape(corrected), "CORRECTED", a.header.Get("X-Request-Id"), "ID")
		all.WriteString(same.Replace(seen(a, address)))
	}
	note(c.get("/auth/pending").wants(http.StatusOK))
	for range 6 { // the last finds a dead code
		note(c.post("/auth/verify/code", url.Values{"code": {"123456"}}).wants(http.StatusUnprocessableEntity))
	}
	note(c.post("/auth/resend", nil).wants(http.StatusTooManyRequests))
	b.clock.Advance(61 * time.Second)
	note(c.post("/auth/resend", nil).leads("/auth/pending"))
	note(c.get("/auth/pending").wants(http.StatusOK))
	b.clock.Advance(61 * time.Second)
	note(c.post("/auth/pending/email", url.Values{"email": {corrected}}).leads("/auth/pending"))
	note(c.get("/auth/pending").wants(http.StatusOK))
	return all.String()
}

func TestKnownAddressGoesThroughEveryStepOfANewOne(t *testing.T) {
	b := newBoard(t, limited)
	u := storetest.Member(t, b.store)
	b.clock.Advance(2 * time.Minute) // since the mail of the member
	fresh := strings.Repeat("x", len(u.Email)-len("@example.com")) + "@example.com"
	known := b.waiting(u.Email, "the password of a stranger")
	want := b.steps(b.waiting(fresh, "the password of a stranger"), fresh, "corrected1@example.com")
	b.clock.Advance(-122 * time.Second)
	if diff := cmp.Diff(want, b.steps(known, u.Email, "corrected2@example.com")); diff != "" {
		t.Errorf("the steps differ (-new +known):\n%s", diff)
	}
	for _, m := range b.sent(store.KindVerifyMail) {
		if m.To == "corrected2@example.com" { // whoever proves that is its member
			known.post("/auth/verify/code", url.Values{"code": {m.Code}}).leads("/")
		}
	}
	if !known.loggedIn() || b.wrongPassword(u, storetest.Password) {
		t.Error("the corrected sign-up is none, or the member is another one")
	}
}

func TestMailToAKnownAddressOpensNothing(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	b.sent(store.KindVerifyMail)
	c := b.waiting(u.Email, "the password of a stranger")
	for range 2 {
		mails := b.sent(store.KindVerifyMail)
		if len(mails) != 1 || mails[0].To != u.Email || mails[0].Token != "" || mails[0].Code != "" {
			t.Errorf("mails: %+v", mails)
		}
		c.post("/auth/resend", nil).leads("/auth/pending")
	}
}

func TestFirstProofOfTwoSignUpsOfOneAddressWins(t *testing.T) {
	b := newBoard(t)
	first, second := b.waiting("one@example.com", "the first password"), b.waiting("ONE@example.com", "the second password")
	mails := b.sent(store.KindVerifyMail)
	if len(mails) != 2 || mails[0].Token == mails[1].Token || mails[0].Code == mails[1].Code {
		t.Fatalf("mails: %+v", mails)
	}
	first.post("/auth/verify/code", url.Values{"code": {mails[1].Code}}).wants(http.StatusUnprocessableEntity)
	b.guest().post("/auth/verify", url.Values{"token": {mails[0].Token}, "password": {"the second password"}}).
		wants(http.StatusUnprocessableEntity).alert("password")
	before := second.get("/auth/pending").wants(http.StatusOK)
	first.post("/auth/verify", url.Values{"token": {mails[0].Token}}).leads("/")
	if diff := cmp.Diff(before.body, second.get("/auth/pending").wants(http.StatusOK).body); diff != "" {
		t.Errorf("the other page tells of the proof:\n%s", diff)
	}
	second.post("/auth/verify/code", url.Values{"code": {mails[1].Code}}).wants(http.StatusUnprocessableEntity).alert("code")
	second.get("/auth/verify?token=" + mails[1].Token).wants(http.StatusOK).has("Already confirmed")
	second.post("/auth/verify", url.Values{"token": {mails[1].Token}}).wants(http.StatusOK).has("Already confirmed")
	if second.loggedIn() {
		t.Error("the second sign-up led in")
	}
	for password, status := range map[string]int{"the first password": http.StatusSeeOther, "another password": http.StatusUnprocessableEntity} {
		b.guest().post("/auth/login", url.Values{"email": {"one@example.com"}, "password": {password}}).wants(status)
	}
}

func TestOlderLinkOfTheSameBrowserAsksForItsPassword(t *testing.T) {
	b := newBoard(t)
	c := b.waiting("older@example.com", "the older password")
	c.post("/auth/signup", signupForm("email", "newer@example.com")).leads("/auth/pending")
	c.get("/auth/pending").has("newer@example.com")
	mails := b.sent(store.KindVerifyMail)
	if len(mails) != 2 || mails[0].To != "older@example.com" {
		t.Fatalf("mails: %+v", mails)
	}
	page := c.get("/auth/verify?token=" + mails[0].Token).wants(http.StatusOK)
	page.attr(`form[action="/auth/verify"] [name="password"]`, "type")
	c.post("/auth/verify", url.Values{"token": {mails[0].Token}}).wants(http.StatusUnprocessableEntity).alert("password")
	c.post("/auth/verify", url.Values{"token": {mails[1].Token}}).leads("/")
	c.post("/auth/verify", url.Values{"token": {mails[0].Token}, "password": {"the older password"}}).leads("/")
}

func TestResendFromOutsideGoesToWhoeverWaits(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	b.waiting("waits@example.com", "the first password")
	newest := b.waiting("waits@example.com", "the newest password")
	b.sent(store.KindVerifyMail)
	for address, want := range map[string]bool{"waits@example.com": true, u.Email: false} {
		b.guest().post("/auth/resend", url.Values{"email": {address}}).leads("/auth/pending")
		mails := append(b.sent(store.KindVerifyMail), b.sent(store.KindAccountMail)...)
		if len(mails) != 1 || mails[0].To != address || (mails[0].Token != "") != want {
			t.Fatalf("mails to %s: %+v", address, mails)
		}
		if want {
			newest.post("/auth/verify", url.Values{"token": {mails[0].Token}}).leads("/")
		}
	}
	b.guest().post("/auth/resend", url.Values{"email": {"nobody@example.com"}}).leads("/auth/pending")
	if mails := append(b.sent(store.KindVerifyMail), b.sent(store.KindAccountMail)...); len(mails) != 0 {
		t.Errorf("mails to nobody: %+v", mails)
	}
}

func TestOneMailGoesOutWhenItsSuccessorWasAskedFor(t *testing.T) {
	b := newBoard(t)
	c := b.waiting("waits@example.com", "the first password")
	c.post("/auth/resend", nil).leads("/auth/pending")
	c.post("/auth/resend", nil).leads("/auth/pending")
	mails := b.sent(store.KindVerifyMail)
	if len(mails) != 1 {
		t.Fatalf("%d mails have something to say", len(mails))
	}
	c.post("/auth/verify/code", url.Values{"code": {mails[0].Code}}).leads("/")
}

func TestNicknameClashCostsNoTryOfTheCode(t *testing.T) {
	b := newBoard(t)
	c, code := b.clash()
	for range 6 {
		c.post("/auth/verify/code", url.Values{"code": {code}}).wants(http.StatusUnprocessableEntity).alert("nickname")
	}
	c.post("/auth/verify/code", url.Values{"code": {code}, "nickname": {"other" + code}}).leads("/")
}

func TestWhoHasLostThePasswordOfASignUpIsToldToSignUpAgain(t *testing.T) {
	b := newBoard(t)
	_, id := b.signUp(b.guest())
	const advice = "sign up again: address and nickname are not taken"
	page := b.guest().get("/auth/verify?token=" + storetest.Token(t, b.store, id)).wants(http.StatusOK)
	if !strings.Contains(page.doc().Find("main").Text(), advice) {
		t.Errorf("the page does not say %q", advice)
	}
	page.attr(`main a[href="/auth/signup"]`, "href")
}

func TestForgottenPasswordMailsWhatHelps(t *testing.T) {
	b := newBoard(t)
	strangers := b.strangers()
	b.sent(store.KindVerifyMail)
	for who, address := range strangers {
		b.guest().post("/auth/forgot", url.Values{"email": {address}}).leads("/auth/forgot/sent")
		resets, verifications := b.sent(store.KindResetMail), b.sent(store.KindVerifyMail)
		want := map[string][2]int{"a member": {1, 0}, "a pending sign-up": {0, 1}}[who]
		if got := [2]int{len(resets), len(verifications)}; got != want {
			t.Errorf("%s gets %d links to a new password and %d to verify", who, got[0], got[1])
		}
		for _, m := range verifications {
			form := url.Values{"token": {m.Token}, "password": {storetest.Password}}
			b.guest().post("/auth/verify", form).leads("/")
		}
	}
}
