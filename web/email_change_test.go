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

// askEmail asks for another address in a browser and returns the token of its mail.
func (b *board) askEmail(c *client, address string) string {
	b.t.Helper()
	c.post("/account/email", typed("email", address)).leads("/account#email")
	mails := b.sent(store.KindEmailMail)
	if len(mails) != 1 || mails[0].Token == "" {
		b.t.Fatalf("mails to %s: %+v", address, mails)
	}
	return mails[0].Token
}

// email is the address of a member as it stands now.
func (b *board) email(u store.User) string {
	b.t.Helper()
	now, err := b.store.UserByID(b.t.Context(), u.ID)
	if err != nil {
		b.t.Fatal(err)
	}
	return now.Email
}

func TestAddressChangesWhenTheNewOneIsProven(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	c := b.as(u)
	token := b.askEmail(c, "Neue@Bücher.example")
	c.get("/account").wants(http.StatusOK).has("A mail with a link is on its way").has("Neue@Bücher.example")
	if notices := b.sent(store.KindEmailNotice); len(notices) != 1 || notices[0].To != u.Email || notices[0].Token != "" {
		t.Errorf("notices to the old address: %+v", notices)
	}
	if got := b.email(u); got != u.Email {
		t.Fatalf("changed to %s before it was proven", got)
	}
	for range 3 { // scanners of mail
		page := c.get("/auth/email?token=" + token).wants(http.StatusOK).has("Neue@Bücher.example")
		if got := page.header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("Cache-Control: %q", got)
		}
		c.send(http.MethodHead, "/auth/email?token="+token, nil).wants(http.StatusOK)
		guest := b.guest()
		there := guest.get("/auth/email?token=" + token).wants(http.StatusSeeOther)
		for _, a := range []*answer{there, guest.get(there.header.Get("Location")).wants(http.StatusOK)} {
			if a.header.Get("Cache-Control") != "no-store" || a.header.Get("Referrer-Policy") != "same-origin" {
				t.Errorf("%s leaves its token behind: %v", a.what, a.header)
			}
		}
		b.guest().post("/auth/email", url.Values{"token": {token}}).leads("/auth/login?next=%2Faccount")
	}
	b.as(u) // the old address still logs in
	c.post("/auth/email", url.Values{"token": {token}}).leads("/account#email")
	c.get("/account").wants(http.StatusOK).has("Your address is changed.")
	if got := b.email(u); got != "Neue@Bücher.example" {
		t.Errorf("the address is %s", got)
	}
	c.post("/auth/email", url.Values{"token": {token}}).wants(http.StatusOK).has("Already confirmed")
	b.guest().login(u).wants(http.StatusUnprocessableEntity)
	b.guest().post("/auth/login", url.Values{"email": {"neue@xn--bcher-kva.example"}, "password": {storetest.Password}}).leads("/")
}

func TestAddressThatCannotBeTakenStaysInTheForm(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	c := b.as(u)
	for _, address := range []string{"", "nonsense", "a@b", "a b@example.com", "a@example.com\nBcc: b@example.com", "\xff@example.com", strings.Repeat("a", 250) + "@b.kr"} {
		page := c.post("/account/email", typed("email", address)).wants(http.StatusUnprocessableEntity).alert("email")
		if got := page.attr("#email-email", "value"); got != shown(address) {
			t.Errorf("%q came back as %q", address, got)
		}
	}
	c.post("/account/email", url.Values{"email": {"new@example.com"}}).wants(http.StatusUnprocessableEntity).alert("current")
	c.post("/account/email", url.Values{"email": {"new@example.com"}, "current": {"wrong password"}}).
		wants(http.StatusUnprocessableEntity).alert("current")
	if b.jobs(store.KindEmailMail)+b.jobs(store.KindEmailNotice) != 0 {
		t.Error("a mail waits for a change that was refused")
	}
}

func TestOwnAddressInAnotherSpellingNeedsNoProof(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	c := b.as(u)
	c.post("/account/email", typed("email", strings.ToUpper(u.Email))).leads("/account#email")
	if got := b.email(u); got != strings.ToUpper(u.Email) {
		t.Errorf("the address is %s", got)
	}
	if b.jobs(store.KindEmailMail)+b.jobs(store.KindEmailNotice) != 0 {
		t.Error("a mail waits")
	}
}

func TestAddressOfSomebodyElseIsAnsweredTheSame(t *testing.T) {
	b := newBoard(t)
	u, other := storetest.Member(t, b.store), storetest.Member(t, b.store)
	c := b.as(u)
	known := strings.ToUpper(other.Email)
	free := c.post("/account/email", typed("email", "free@example.com")).leads("/account#email")
	freePage := c.get("/account").wants(http.StatusOK)
	b.sent(store.KindEmailMail)
	taken := c.post("/account/email", typed("email", known)).leads("/account#email")
	takenPage := c.get("/account").wants(http.StatusOK)
	for name := range free.header {
		if name != "X-Request-Id" && name != "Date" && free.header.Get(name) != taken.header.Get(name) {
			t.Errorf("%s: %q and %q", name, free.header.Get(name), taken.header.Get(name))
		}
	}
	if freePage.body != strings.ReplaceAll(takenPage.body, known, "free@example.com") {
		t.Error("the pages differ")
	}
	mails := b.sent(store.KindEmailMail)
	if len(mails) != 1 || !strings.EqualFold(mails[0].To, other.Email) || mails[0].Token != "" {
		t.Errorf("mails: %+v", mails)
	}
}

func TestAddressTakenMeanwhileIsToldAndNothingConsumed(t *testing.T) {
	b := newBoard(t)
	u, other := storetest.Member(t, b.store), storetest.Member(t, b.store)
	c, rival := b.as(u), b.as(other)
	token := b.askEmail(c, "wanted@example.com")
	rivals := b.askEmail(rival, "wanted@example.com")
	rival.post("/auth/email", url.Values{"token": {rivals}}).leads("/account#email")
	c.post("/auth/email", url.Values{"token": {token}}).wants(http.StatusUnprocessableEntity).alert("")
	rival.post("/account/delete", typed()).leads("/")
	c.post("/auth/email", url.Values{"token": {token}}).leads("/account#email") // free again
}

// otherLetter is a letter of tokens that is not this one.
func otherLetter(this byte) string {
	if this == 'B' {
		return "C"
	}
	return "B"
}

func TestLinkToAnAddressWorksForNobodyElse(t *testing.T) {
	b := newBoard(t)
	u, other := storetest.Member(t, b.store), storetest.Member(t, b.store)
	token := b.askEmail(b.as(u), "new@example.com")
	c := b.as(other)
	c.get("/auth/email?token=" + token).wants(http.StatusForbidden).has("This link is for another account")
	c.post("/auth/email", url.Values{"token": {token}}).wants(http.StatusForbidden)
	reset := func() string {
		b.guest().post("/auth/forgot", url.Values{"email": {other.Email}}).leads("/auth/forgot/sent")
		return b.sent(store.KindResetMail)[0].Token
	}()
	id := storetest.Signup(t, b.store)
	for name, forged := range map[string]string{
		"empty": "", "made up": strings.Repeat("A", 48), "cut": token[:47], "longer": token + "A", "last letter": token[:47] + otherLetter(token[47]),
		"of a reset": reset, "of a sign-up": storetest.Token(t, b.store, id), "not UTF-8": "%ff", "another line": "a%0ab",
	} {
		if a := c.get("/auth/email?token=" + forged); a.status != http.StatusNotFound {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	b.guest().get("/auth/reset?token=" + token).wants(http.StatusNotFound)
	b.guest().get("/auth/verify?token=" + token).wants(http.StatusNotFound)
	if got := b.email(u); got != u.Email {
		t.Errorf("changed to %s", got)
	}
}

func TestLinkToAnAddressDies(t *testing.T) {
	for name, test := range map[string]struct {
		do     func(b *board, u store.User, c *client)
		status int
		words  string
	}{
		"a day after its mail": {func(b *board, _ store.User, _ *client) { b.clock.Advance(24*time.Hour + time.Second) }, http.StatusGone, "This link has expired"},
		"by a newer change":    {func(b *board, _ store.User, c *client) { b.askEmail(c, "newer@example.com") }, http.StatusGone, "This link has been replaced"},
		"by a change of password": {func(b *board, _ store.User, c *client) {
			c.post("/account/password", typed("password", newPassword)).leads("/account#password")
		}, http.StatusGone, "Your account was changed after this mail"},
		"by a reset": {func(b *board, u store.User, c *client) {
			b.guest().post("/auth/forgot", url.Values{"email": {u.Email}}).leads("/auth/forgot/sent")
			token := b.sent(store.KindResetMail)[0].Token
			b.guest().post("/auth/reset", url.Values{"token": {token}, "password": {newPassword}}).leads("/auth/login")
			c.post("/auth/login", url.Values{"email": {u.Email}, "password": {newPassword}}).leads("/")
		}, http.StatusGone, "Your account was changed after this mail"},
		"while one is disabled": {func(b *board, u store.User, c *client) {
			chief := storetest.Admin(b.t, b.store)
			for _, act := range []func() error{
				func() error { return b.store.Disable(b.t.Context(), chief.ID, u.ID) },
				func() error { return b.store.Enable(b.t.Context(), chief.ID, u.ID) },
			} {
				if err := act(); err != nil {
					b.t.Fatal(err)
				}
			}
			c.login(u).leads("/")
		}, http.StatusGone, "This link no longer works"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBoard(t)
			u := storetest.Member(t, b.store)
			c := b.as(u)
			token := b.askEmail(c, "new@example.com")
			test.do(b, u, c)
			c.get("/auth/email?token=" + token).wants(test.status).has(test.words)
			c.post("/auth/email", url.Values{"token": {token}}).wants(test.status)
			if got := b.email(u); got != u.Email {
				t.Errorf("changed to %s", got)
			}
		})
	}
}

func TestLinkToAnAddressIsGoodForADay(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	token := b.askEmail(c, "new@example.com")
	b.clock.Advance(24*time.Hour - time.Second)
	c.post("/auth/email", url.Values{"token": {token}}).leads("/account#email")
}

func TestLinksOfAnAddressDieWhenItIsChanged(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	c := b.as(u)
	b.guest().post("/auth/forgot", url.Values{"email": {u.Email}}).leads("/auth/forgot/sent")
	reset := b.sent(store.KindResetMail)[0].Token
	c.post("/auth/email", url.Values{"token": {b.askEmail(c, "new@example.com")}}).leads("/account#email")
	b.guest().get("/auth/reset?token=" + reset).wants(http.StatusGone)
}

func TestLinkToANewPasswordDiesWhenItIsChangedOnTheAccountPage(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	b.guest().post("/auth/forgot", url.Values{"email": {u.Email}}).leads("/auth/forgot/sent")
	reset := b.sent(store.KindResetMail)[0].Token
	b.as(u).post("/account/password", typed("password", newPassword)).leads("/account#password")
	b.guest().get("/auth/reset?token=" + reset).wants(http.StatusGone)
	b.guest().post("/auth/reset", url.Values{"token": {reset}, "password": {"yet another 비밀번호"}}).wants(http.StatusGone)
	if b.wrongPassword(u, newPassword) {
		t.Error("the old link set a password")
	}
}

func TestProvenAddressOvertakesTheSignupsThatWaitForIt(t *testing.T) {
	b := newBoard(t)
	c, newcomer := b.as(storetest.Member(t, b.store)), b.guest()
	form, id := b.signUp(newcomer)
	link := storetest.Token(t, b.store, id)
	c.post("/auth/email", url.Values{"token": {b.askEmail(c, form.Get("email"))}}).leads("/account#email")
	newcomer.get("/auth/verify?token=" + link).wants(http.StatusOK).has("Already confirmed")
	newcomer.get("/auth/pending").wants(http.StatusOK).has(form.Get("email")) // as before: nobody learns of it
}

func TestMailsOfAChangedAddressAreLimited(t *testing.T) {
	b := newBoard(t, limited)
	u := storetest.Member(t, b.store)
	c := b.as(u)
	b.clock.Advance(2 * time.Minute)
	for i := range 4 { // the sign-up was the first mail to the old address
		c.post("/account/email", typed("email", fmt.Sprintf("new%d@example.com", i))).leads("/account#email")
		b.clock.Advance(2 * time.Minute)
	}
	a := c.post("/account/email", typed("email", "new9@example.com")).wants(http.StatusTooManyRequests).alert("email").has("It works again in")
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	if got := b.jobs(store.KindEmailMail); got != 4 {
		t.Errorf("%d mails", got)
	}
}
