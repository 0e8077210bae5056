package web

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// strangers are addresses of every kind, all of one length.
func (b *board) strangers() map[string]string {
	b.t.Helper()
	member, disabled := storetest.Member(b.t, b.store), storetest.Member(b.t, b.store)
	if err := b.store.Disable(b.t.Context(), storetest.Admin(b.t, b.store).ID, disabled.ID); err != nil {
		b.t.Fatal(err)
	}
	unverified, _ := b.signUp(b.guest())
	return map[string]string{
		"a member": member.Email, "a disabled member": disabled.Email, "a pending sign-up": unverified.Get("email"),
		"nobody": strings.Repeat("x", len(member.Email)-len("@example.com")) + "@example.com",
	}
}

// seen is all that a stranger sees of an answer, but what differs each time.
func seen(a *answer, address string) string {
	h := a.header.Clone()
	for _, name := range []string{"X-Request-Id", "Date", "Set-Cookie"} {
		h.Del(name)
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(h)) {
		b.WriteString(name + ": " + strings.Join(h[name], ", ") + "\n")
	}
	return b.String() + strings.NewReplacer(address, "ADDRESS", url.QueryEscape(address), "ADDRESS").Replace(a.body)
}

// wantOneAnswer fails where an address of one kind can be told from another.
func wantOneAnswer(t *testing.T, answers map[string]string) {
	t.Helper()
	for who, got := range answers {
		if want := answers["nobody"]; got != want {
			t.Errorf("%s can be told from nobody:\n%s\n\n%s", who, got, want)
		}
	}
}

func TestForgottenPasswordHasOneAnswerForEveryAddress(t *testing.T) {
	b := newBoard(t)
	answers := map[string]string{}
	for who, address := range b.strangers() {
		c := b.guest()
		a := c.post("/auth/forgot", url.Values{"email": {address}}).leads("/auth/forgot/sent")
		if c.cookie() != "" {
			t.Errorf("%s: a session begins", who)
		}
		answers[who] = seen(a, address) + seen(c.get("/auth/forgot/sent").wants(http.StatusOK), address)
	}
	wantOneAnswer(t, answers)
	if b.jobs(store.KindResetMail) != 2 || b.jobs(store.KindVerifyMail) == 0 {
		t.Errorf("%d mails with a link are queued", b.jobs(store.KindResetMail))
	}
}

func TestForgottenPasswordIsThrottledAlikeForEveryAddress(t *testing.T) {
	b := newBoard(t, limited)
	strangers := b.strangers()
	b.clock.Advance(25 * time.Hour)
	answers := map[string]string{}
	for who, address := range strangers {
		for range 5 {
			b.guest().post("/auth/forgot", url.Values{"email": {address}}).leads("/auth/forgot/sent")
			b.clock.Advance(time.Minute)
		}
		a := b.guest().post("/auth/forgot", url.Values{"email": {address}}).wants(http.StatusTooManyRequests)
		if a.header.Get("Retry-After") != "3300" {
			t.Errorf("%s may come again after %s", who, a.header.Get("Retry-After"))
		}
		answers[who] = strings.ReplaceAll(seen(a, address), a.header.Get("X-Request-Id"), "ID")
	}
	wantOneAnswer(t, answers)
}

func TestForgottenPasswordOfManyAddressesIsLimitedByClient(t *testing.T) {
	b := newBoard(t, limited)
	for n := range 6 {
		b.guest().post("/auth/forgot", url.Values{"email": {string(rune('a'+n)) + "@example.com"}}).leads("/auth/forgot/sent")
	}
	b.guest().post("/auth/forgot", url.Values{"email": {"z@example.com"}}).wants(http.StatusTooManyRequests)
}

func TestForgottenPasswordNeedsAnAddress(t *testing.T) {
	c := newBoard(t).guest()
	c.get("/auth/forgot").wants(http.StatusOK)
	for _, bad := range []string{"", "nobody", "a@b@c.example", "\xff@b.example", strings.Repeat("a", 100<<10) + "@b.example"} {
		page := c.post("/auth/forgot", url.Values{"email": {bad}}).wants(http.StatusUnprocessableEntity).alert("email")
		if got := page.field("/auth/forgot", "email"); got != shown(bad) {
			t.Errorf("%.20q came back as %.20q", bad, got)
		}
	}
}

func TestNewPasswordIsSetByTheLinkOfTheMail(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	phone, desk := b.as(u), b.as(u)
	c := b.guest()
	c.get("/auth/login").wants(http.StatusOK).attr(`a[href="/auth/forgot"]`, "href")
	link := "/auth/reset?token=" + storetest.ResetToken(t, b.store, u.Email)
	for range 3 { // as often as scanners like
		c.send(http.MethodHead, link, nil).wants(http.StatusOK)
		a := c.get(link).wants(http.StatusOK)
		if strings.Contains(a.body, u.Email) {
			t.Error("the address is shown whole")
		}
		for name, want := range map[string]string{"Referrer-Policy": "same-origin", "Cache-Control": "no-store"} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	}
	if !phone.loggedIn() {
		t.Fatal("looking at the link logged somebody out")
	}
	token := c.field(link, "/auth/reset", "token")
	c.post("/auth/reset", url.Values{"token": {token}, "password": {"another horse"}}).leads("/auth/login")
	c.get("/auth/login").has("Your new password is set")
	if c.loggedIn() || phone.loggedIn() || desk.loggedIn() {
		t.Error("somebody is logged in")
	}
	c.login(u).wants(http.StatusUnprocessableEntity)
	c.post("/auth/login", url.Values{"email": {u.Email}, "password": {"another horse"}}).leads("/")
	if b.jobs(store.KindPasswordMail) != 1 {
		t.Error("no mail tells the owner")
	}
	for _, secret := range []string{token, "another horse", u.Email} {
		if strings.Contains(b.logs.String(), secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	for _, words := range []string{"password reset", store.MaskEmail(u.Email)} {
		if !strings.Contains(b.logs.String(), words) {
			t.Errorf("the log lacks %q", words)
		}
	}
}

func TestResetInTheMembersOwnBrowserLogsOut(t *testing.T) {
	b := newBoard(t)
	u, other := storetest.Member(t, b.store), storetest.Member(t, b.store)
	for _, c := range []struct {
		who   store.User
		stays bool
	}{{u, false}, {other, true}} {
		browser := b.as(c.who)
		before := browser.cookie()
		token := storetest.ResetToken(t, b.store, u.Email)
		password := "horse of " + c.who.Nickname
		if c.who.ID == u.ID {
			password = storetest.Password
		}
		browser.post("/auth/reset", url.Values{"token": {token}, "password": {password}}).leads("/auth/login")
		if browser.loggedIn() != c.stays {
			t.Errorf("logged in: %t, want %t", browser.loggedIn(), c.stays)
		}
		if c.stays && browser.cookie() != before { // it would live on for another month
			t.Error("the session of somebody else is renewed")
		}
	}
}

func TestDeadLinksToANewPasswordHaveAWayOn(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	used := storetest.ResetToken(t, b.store, u.Email)
	b.guest().post("/auth/reset", url.Values{"token": {used}, "password": {storetest.Password}}).leads("/auth/login")
	replaced := storetest.ResetToken(t, b.store, u.Email)
	expired := storetest.ResetToken(t, b.store, u.Email)
	b.clock.Advance(time.Hour)
	for token, c := range map[string]struct {
		status int
		words  string
	}{
		used:     {http.StatusGone, "has been used"},
		replaced: {http.StatusGone, "has been replaced"},
		expired:  {http.StatusGone, "has expired"},
		"":       {http.StatusNotFound, "does not work"}, "x": {http.StatusNotFound, "does not work"},
		"\xff": {http.StatusNotFound, "does not work"}, used + "A": {http.StatusNotFound, "does not work"},
		"\x00": {http.StatusNotFound, "does not work"},
	} {
		form := url.Values{"token": {token}, "password": {storetest.Password}}
		for _, a := range []*answer{b.guest().get("/auth/reset?token=" + url.QueryEscape(token)), b.guest().post("/auth/reset", form)} {
			a.wants(c.status).has(c.words).attr(`form[action="/auth/forgot"] [name="email"]`, "type")
			if a.header.Get("Referrer-Policy") != "same-origin" {
				t.Error("the token may go to other sites")
			}
		}
	}
}

func TestOfFiftyResetsAtOnceOneIsTaken(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	token := storetest.ResetToken(t, b.store, u.Email)
	got := crowd(50, func(int) int {
		return b.guest().post("/auth/reset", url.Values{"token": {token}, "password": {"another horse"}}).status
	})
	if got[http.StatusSeeOther] != 1 || got[http.StatusSeeOther]+got[http.StatusGone] != 50 {
		t.Errorf("statuses: %v", got)
	}
}

func TestResetWorksWhileTheLoginIsThrottled(t *testing.T) {
	b := newBoard(t, limited)
	u := storetest.Member(t, b.store)
	b.clock.Advance(time.Hour)
	for range 10 {
		b.guest().post("/auth/login", url.Values{"email": {u.Email}, "password": {"wrong password"}})
	}
	c := b.guest()
	page := c.login(u).wants(http.StatusTooManyRequests).alert("")
	page.attr(`a[href="/auth/forgot"]`, "href")
	c.post("/auth/forgot", url.Values{"email": {u.Email}}).leads("/auth/forgot/sent")
	mails := storetest.ResetMails(t, b.store, u.Email)
	if len(mails) != 1 {
		t.Fatalf("%d links", len(mails))
	}
	c.post("/auth/reset", url.Values{"token": {mails[0].Token}, "password": {"another horse"}}).leads("/auth/login")
	fresh := url.Values{"email": {strings.ToUpper(u.Email)}, "password": {"another horse"}}
	b.guest().post("/auth/login", fresh).wants(http.StatusTooManyRequests) // to others nothing has changed
	c.post("/auth/login", fresh).leads("/")
}
