package web

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"madang/store/storetest"
)

func langOf(a *answer) string { return a.attr("html", "lang") }

func TestLanguageIsTheBrowsersUntilOneIsChosen(t *testing.T) {
	b := newBoard(t)
	for header, want := range map[string]string{
		"": "en", "ko": "ko", "ko-KR,ko;q=0.9,en;q=0.8": "ko", "en-US,en;q=0.9,ko;q=0.8": "en", "fr,ko;q=0.5": "ko",
		"fr": "en", "*": "en", "\xff": "en", "ko;q=0,en": "en", "en;q=0.1,ko;q=0.9": "ko",
	} {
		if got := langOf(b.guest().get("/", "Accept-Language", header)); got != want {
			t.Errorf("Accept-Language %q: %s, want %s", header, got, want)
		}
	}
	c := b.guest()
	c.post("/language", url.Values{"lang": {"ko"}, "next": {"/auth/login"}}).leads("/auth/login")
	if got := langOf(c.get("/", "Accept-Language", "en")); got != "ko" {
		t.Errorf("after the choice: %s", got)
	}
}

func TestLanguageOfAMemberIsASetting(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	b.as(u).post("/language", url.Values{"lang": {"ko"}, "next": {"//evil.test"}}).leads("/")
	if got := langOf(b.as(u).get("/")); got != "ko" {
		t.Errorf("in another browser: %s", got)
	}
}

func TestUnknownLanguageIsRefused(t *testing.T) {
	b := newBoard(t)
	for _, lang := range []string{"", "fr", "KO", "ko\x00"} {
		b.guest().post("/language", url.Values{"lang": {lang}}).wants(http.StatusBadRequest)
	}
}

func TestLanguageSwitchComesBackToThePageOfTheForm(t *testing.T) {
	c := newBoard(t).guest()
	for _, test := range []struct {
		page *answer
		next string
	}{
		{c.get("/?sort=popular"), "/?sort=popular"},
		{c.post("/auth/signup", nil), "/auth/signup"},
		{c.post("/auth/resend", nil), "/auth/pending"},
		{c.get("/nowhere"), "/nowhere"},
	} {
		if got := test.page.field("/language", "next"); got != test.next {
			t.Errorf("%s: next is %q", test.page.what, got)
		}
	}
}

func TestLanguageOfAMemberStaysWithTheBrowserAfterLogout(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	if err := b.store.SetLang(t.Context(), u.ID, "ko"); err != nil {
		t.Fatal(err)
	}
	c := b.as(u)
	c.post("/auth/logout", nil).leads("/")
	if got := langOf(c.get("/", "Accept-Language", "en")); got != "ko" {
		t.Errorf("after logout: %s", got)
	}
	c = b.as(u)
	b.clock.Advance(8 * 24 * time.Hour) // the session ends by itself
	if got := langOf(c.get("/auth/login", "Accept-Language", "en")); got != "ko" {
		t.Errorf("after the session's end: %s", got)
	}
}

func TestLanguageOfTheAccountPageStaysWithTheBrowser(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	idle, leaving := b.as(u), b.as(u)
	idle.post("/account/language", url.Values{"lang": {"ko"}}).leads("/account#language")
	leaving.post("/account/delete", typed()).leads("/")
	for name, c := range map[string]*client{"set here": idle, "set in another browser": leaving} {
		if got := langOf(c.get("/", "Accept-Language", "en")); got != "ko" {
			t.Errorf("%s: %s once the account is gone", name, got)
		}
	}
}
