package web

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"madang/store"
	"madang/store/storetest"
)

// newPassword is what people change their password to.
const newPassword = "another horse, 다른 말"

// typed is a form with the password that counts now.
func typed(pairs ...string) url.Values {
	form := url.Values{"current": {storetest.Password}}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	return form
}

// sent takes the mails of a kind out of the outbox, as a worker that hands them
// over does, and returns those that had something to say.
func (b *board) sent(kind string) (mails []store.OutgoingMail) {
	b.t.Helper()
	jobs, err := b.store.ClaimJobs(b.t.Context(), []string{kind}, 1000, time.Minute)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, j := range jobs {
		m, err := b.store.OutgoingMail(b.t.Context(), j)
		if err != nil && !strings.Contains(err.Error(), "not found") {
			b.t.Fatal(err)
		}
		if err == nil && !m.Obsolete {
			mails = append(mails, m)
		}
		if err := b.store.FinishJob(b.t.Context(), j); err != nil {
			b.t.Fatal(err)
		}
	}
	return mails
}

func (b *board) wrongPassword(u store.User, password string) bool {
	b.t.Helper()
	_, err := b.store.Authenticate(b.t.Context(), store.Login{Email: u.Email, Password: password})
	return err != nil
}

func TestAccountPageShowsWhatIsHeld(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	c := b.as(u)
	page := c.get("/account").wants(http.StatusOK).has(u.Email).has("Firefox on Linux")
	if got := page.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control: %q", got)
	}
	sections := page.doc().Find("main section").Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("id", "") })
	want := []string{"nickname", "language", "password", "email", "sessions", "data", "delete"}
	if !slices.Equal(sections, want) {
		t.Errorf("sections %q, want %q", sections, want)
	}
	if got := c.get("/").attr("header a.me", "href"); got != "/account" {
		t.Errorf("the header leads to %q", got)
	}
	b.guest().get("/account").leads("/auth/login?next=%2Faccount")
}

func TestNicknameChangesEverywhereAtOnce(t *testing.T) {
	b := newBoard(t)
	u, other := storetest.Member(t, b.store), storetest.Member(t, b.store)
	storetest.Post(t, b.store, u)
	c := b.as(u)
	for name, nickname := range map[string]string{
		"taken": other.Nickname, "taken in another case": strings.ToUpper(other.Nickname), "empty": "", "short": "a",
		"long": strings.Repeat("a", 21), "with a dot": "a.b", "not UTF-8": "ab\xff", "with a zero byte": "a\x00b", "right to left": "a\u202eb",
	} {
		page := c.post("/account/nickname", url.Values{"nickname": {nickname}}).wants(http.StatusUnprocessableEntity).alert("nickname")
		if got := page.field("/account/nickname", "nickname"); got != shown(nickname) {
			t.Errorf("%s: came back as %q", name, got)
		}
	}
	c.post("/account/nickname", url.Values{"nickname": {strings.ToUpper(u.Nickname)}}).leads("/account#nickname") // one's own
	c.post("/account/nickname", url.Values{"nickname": {"새-이름"}}).leads("/account#nickname")
	c.get("/account").wants(http.StatusOK).has("Your nickname is changed.")
	b.guest().get("/").wants(http.StatusOK).has("새-이름")
	b.as(other).post("/account/nickname", url.Values{"nickname": {u.Nickname}}).leads("/account#nickname") // free again
}

func TestLanguageOfAMemberIsSetOnTheAccountPage(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	for _, lang := range []string{"", "xx", "ko\x00"} {
		c.post("/account/language", url.Values{"lang": {lang}}).wants(http.StatusUnprocessableEntity).alert("")
	}
	c.post("/account/language", url.Values{"lang": {"ko"}}).leads("/account#language")
	c.get("/account").has("이제 화면과 메일이 한국어로 나와요.")
}

func TestPasswordChangeNeedsTheCurrentOneAndALiveSession(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	c := b.as(u)
	for name, test := range map[string]struct {
		form  url.Values
		field string
	}{
		"no current":         {url.Values{"password": {newPassword}}, "current"},
		"wrong current":      {url.Values{"current": {"wrong password"}, "password": {newPassword}}, "current"},
		"current, not UTF-8": {url.Values{"current": {"\xff\xfe"}, "password": {newPassword}}, "current"},
		"no new one":         {typed(), "password"},
		"short":              {typed("password", "1234567"), "password"},
		"long":               {typed("password", strings.Repeat("한", 129)), "password"},
		"common":             {typed("password", "password1234"), "password"},
		"one's own address":  {typed("password", u.Email), "password"},
	} {
		page := c.post("/account/password", test.form).wants(http.StatusUnprocessableEntity).alert(test.field)
		for _, secret := range []string{newPassword, storetest.Password, "wrong password"} {
			if strings.Contains(page.body, secret) {
				t.Errorf("%s: the page holds %q", name, secret)
			}
		}
	}
	if b.wrongPassword(u, storetest.Password) || !c.loggedIn() {
		t.Error("a refused change changed something")
	}
	b.guest().post("/account/password", typed("password", newPassword)).leads("/auth/login?next=%2Faccount")
	if b.jobs(store.KindPasswordMail) != 0 {
		t.Error("a mail tells of a change that did not happen")
	}
}

func TestPasswordChangeEndsAllOtherSessionsAndTellsTheOwner(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	c, second, third := b.as(u), b.as(u), b.as(u)
	before := c.cookie()
	c.post("/account/password", typed("password", newPassword)).leads("/account#password")
	if c.cookie() == before || b.withCookie(before).loggedIn() {
		t.Error("the session kept its token")
	}
	if !c.loggedIn() || second.loggedIn() || third.loggedIn() {
		t.Errorf("logged in: this %v, the others %v, %v", c.loggedIn(), second.loggedIn(), third.loggedIn())
	}
	if !b.wrongPassword(u, storetest.Password) || b.wrongPassword(u, newPassword) {
		t.Error("the password is not the new one")
	}
	if mails := b.sent(store.KindPasswordMail); len(mails) != 1 || mails[0].To != u.Email || mails[0].Token != "" {
		t.Errorf("mails: %+v", mails)
	}
}

func TestAdministratorsPasswordIsLonger(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Admin(t, b.store))
	c.post("/account/password", typed("password", "fourteen 글자 xy")).wants(http.StatusUnprocessableEntity).alert("password")
	c.post("/account/password", typed("password", "fourteen 글자 xyz")).leads("/account#password")
}

func TestWrongCurrentPasswordsSlowDownTheNext(t *testing.T) {
	b := newBoard(t, limited)
	u := storetest.Member(t, b.store)
	c := b.as(u)
	forms := map[string]url.Values{
		"/account/password": {"current": {"wrong password"}, "password": {newPassword}},
		"/account/email":    {"current": {"wrong password"}, "email": {"new@example.com"}},
		"/account/delete":   {"current": {"wrong password"}},
	}
	paths := []string{"/account/password", "/account/email", "/account/delete"}
	for i := range 10 {
		path := paths[i%len(paths)]
		c.post(path, forms[path]).wants(http.StatusUnprocessableEntity).alert("current")
	}
	for _, path := range paths {
		form := maps.Clone(forms[path])
		form.Set("current", storetest.Password) // the right one too
		a := c.post(path, form).wants(http.StatusTooManyRequests).alert("current")
		if a.header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", path)
		}
	}
	b.guest().login(u).leads("/") // the owner is not locked out by a borrowed session
	if !c.loggedIn() {
		t.Error("the session ended")
	}
}

func TestDownloadHoldsEverythingAndNoSecret(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	c := b.as(u)
	for range 150 { // more than is read at once
		storetest.Post(t, b.store, u)
	}
	gone := storetest.Post(t, b.store, u)
	if err := b.store.DeletePost(t.Context(), u, gone); err != nil {
		t.Fatal(err)
	}
	b.comment(u)
	if err := b.store.Like(t.Context(), u, gone-1); err != nil {
		t.Fatal(err)
	}
	c.post("/account/email", typed("email", "new-"+u.Email)).leads("/account#email")
	a := c.get("/account/data.json").wants(http.StatusOK)
	for name, want := range map[string]string{
		"Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store",
		"Content-Disposition": `attachment; filename="madang-account.json"`,
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	var data struct {
		Profile struct{ Email, Nickname, Name, Role, Language string }
	}
	var parts map[string]json.RawMessage
	for _, into := range []any{&data, &parts} {
		if err := json.Unmarshal([]byte(a.body), into); err != nil {
			t.Fatal(err)
		}
	}
	if p := data.Profile; p.Email != u.Email || p.Nickname != u.Nickname || p.Name != u.Name || p.Role != "member" || p.Language != "en" {
		t.Errorf("profile %+v", p)
	}
	for name, want := range map[string]int{
		"sessions": 1, "posts": 152, "comments": 1, "likes": 1, "signups": 1, "password_resets": 0, "email_changes": 1,
	} {
		var records []map[string]any
		if err := json.Unmarshal(parts[name], &records); err != nil || len(records) != want {
			t.Errorf("%s: %d records, want %d (%v)", name, len(records), want, err)
		}
	}
	for _, secret := range []string{c.cookie(), hashed(c.cookie()), "argon2", "nonce", "password_hash", "form_id"} {
		if strings.Contains(a.body, secret) {
			t.Errorf("the file holds %q", secret)
		}
	}
	b.guest().get("/account/data.json").leads("/auth/login?next=%2Faccount%2Fdata.json")
}
