package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// userPath is where the form of an act on a member posts to.
func userPath(u store.User, act string) string { return fmt.Sprintf("/admin/users/%d/%s", u.ID, act) }

func listedUsers(a *answer) []string {
	return a.doc().Find("article.person h2 bdi").Map(func(_ int, s *goquery.Selection) string { return s.Text() })
}

func TestTheAdministratorFindsAMember(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	chief := storetest.Admin(t, b.store)
	admin := b.as(chief)
	for path, want := range map[string][]string{
		"":                                       {chief.Nickname, u.Nickname},
		"?q=" + strings.ToUpper(u.Nickname):      {u.Nickname},
		"?q=+" + url.QueryEscape(u.Email) + "+":  {u.Nickname},
		"?role=admin":                            {chief.Nickname},
		"?state=disabled":                        {},
		"?state=active&role=member&q=" + u.Email: {u.Nickname},
		"?q=%00":                                 {},
		"?q=%ff%fe":                              {},
		"?q='%3B+DROP+TABLE+users%3B--":          {},
		"?q=%25%5C_":                             {},
		"?q=" + strings.Repeat("%EA%B0%80", 5000):  {},
		"?q=<script>alert(1)</script>&role=member": {},
	} {
		page := admin.get("/admin/users" + path).wants(http.StatusOK)
		if got := listedUsers(page); len(got)+len(want) > 0 && !cmp.Equal(got, want) {
			t.Errorf("%.80s lists %q, want %q", path, got, want)
		}
		if page.doc().Find("main script").Length() > 0 {
			t.Errorf("%.80s became HTML", path)
		}
	}
	line := admin.get("/admin/users?role=member").doc().Find("article.person").Text()
	for _, shown := range []string{u.Nickname, u.Email, u.Name} {
		if !strings.Contains(line, shown) {
			t.Errorf("the line lacks %q:\n%s", shown, line)
		}
	}
	for _, path := range []string{"?role=god", "?state=x", "?before=x", "?after=-1", "?before=1&after=2", "?before=9223372036854775808"} {
		admin.get("/admin/users" + path).wants(http.StatusBadRequest)
	}
	admin.get("/admin/users?before=9223372036854775807").wants(http.StatusOK)
}

func TestNobodyButAdministratorsSeesNamesOfMembers(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	for _, c := range []*client{b.guest(), b.as(u), b.as(storetest.Moderator(t, b.store))} {
		if a := c.get("/admin/users"); a.status == http.StatusOK || strings.Contains(a.body, u.Name) || strings.Contains(a.body, u.Email) {
			t.Errorf("%d, and who the members are", a.status)
		}
	}
}

func TestThePagesOfTheListOfUsersJoin(t *testing.T) {
	b := newBoard(t)
	admin := b.as(storetest.Admin(t, b.store))
	for range usersPageSize + 5 {
		storetest.Member(t, b.store)
	}
	first := admin.get("/admin/users?role=member").wants(http.StatusOK)
	second := admin.get(first.attr("a[rel=next]", "href")).wants(http.StatusOK)
	if len(listedUsers(first)) != usersPageSize || len(listedUsers(second)) != 5 {
		t.Errorf("%d and %d members", len(listedUsers(first)), len(listedUsers(second)))
	}
	back := admin.get(second.attr("a[rel=prev]", "href")).wants(http.StatusOK)
	if diff := cmp.Diff(listedUsers(first), listedUsers(back)); diff != "" {
		t.Errorf("the way back ends elsewhere:\n%s", diff)
	}
}

func TestADisabledMemberIsOutAtTheNextRequest(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	admin, cookies := b.as(storetest.Admin(t, b.store)), []string{b.as(u).cookie(), b.as(u).cookie()}
	list := "/admin/users?q=" + u.Nickname
	for range 2 { // what is so already is no mistake
		admin.post(userPath(u, "disable"), url.Values{"next": {list}}).leads(list)
		admin.get(list).has(u.Nickname + " is disabled")
	}
	for _, cookie := range cookies {
		if b.withCookie(cookie).loggedIn() {
			t.Error("still in")
		}
		b.withCookie(cookie).post("/posts", goodText()).wants(http.StatusSeeOther)
	}
	if got := len(b.posts()); got != 0 {
		t.Errorf("a disabled member wrote %d posts", got)
	}
	b.guest().login(u).wants(http.StatusUnprocessableEntity)
	admin.post(userPath(u, "enable"), url.Values{"next": {list}}).leads(list)
	admin.get(list).has(u.Nickname + " may log in again")
	for _, cookie := range cookies {
		if b.withCookie(cookie).loggedIn() {
			t.Error("an old cookie is back")
		}
	}
	b.as(u)
}

func TestNoOldLinkLetsADisabledMemberBack(t *testing.T) {
	b := newBoard(t)
	u, chief := storetest.Member(t, b.store), storetest.Admin(t, b.store)
	reset := storetest.ResetToken(t, b.store, u.Email)
	move := b.askEmail(b.as(u), "new."+u.Email)
	try := func() {
		t.Helper()
		b.guest().get("/auth/reset?token=" + reset).wants(http.StatusGone)
		b.guest().post("/auth/reset", url.Values{"token": {reset}, "password": {newPassword}}).wants(http.StatusGone)
	}
	if err := b.store.Disable(t.Context(), chief.ID, u.ID); err != nil {
		t.Fatal(err)
	}
	try()
	storetest.AskReset(t, b.store, u.Email)
	if mails := storetest.ResetMails(t, b.store, u.Email); len(mails) != 0 {
		t.Errorf("%d mails to a disabled member", len(mails))
	}
	if err := b.store.Enable(t.Context(), chief.ID, u.ID); err != nil {
		t.Fatal(err)
	}
	try()
	b.as(u).post("/auth/email", url.Values{"token": {move}}).wants(http.StatusGone)
	if got := b.email(u); got != u.Email {
		t.Errorf("the address is %s", got)
	}
}

// posts lists the newest posts.
func (b *board) posts() []store.Post {
	b.t.Helper()
	list, err := b.store.Posts(b.t.Context(), store.ListQuery{Sort: store.SortNew, Limit: 100})
	if err != nil {
		b.t.Fatal(err)
	}
	return list.Posts
}

func TestAChangedRoleCountsFromTheNextRequestOn(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	admin, c := b.as(storetest.Admin(t, b.store)), b.as(u)
	post := fmt.Sprintf("/posts/%d/edit", storetest.Post(t, b.store, storetest.Member(t, b.store)))
	for _, step := range []struct {
		role       store.Role
		edit, list int
	}{
		{store.Moderator, http.StatusOK, http.StatusForbidden},
		{store.Admin, http.StatusOK, http.StatusOK},
		{store.Admin, http.StatusOK, http.StatusOK},
		{store.Member, http.StatusForbidden, http.StatusForbidden},
	} {
		admin.post(userPath(u, "role"), url.Values{"role": {string(step.role)}}).leads("/admin/users")
		admin.get("/admin/users").has(u.Nickname + " has the role")
		c.get(post).wants(step.edit)
		c.get("/admin/users").wants(step.list)
	}
	for _, role := range []string{"", "god", "Admin", "admin "} {
		admin.post(userPath(u, "role"), url.Values{"role": {role}}).wants(http.StatusUnprocessableEntity)
	}
	for _, path := range []string{"/admin/users/99999/disable", "/admin/users/x/enable", "/admin/users/0/disable"} {
		admin.post(path, nil).wants(http.StatusNotFound)
	}
	admin.post("/admin/users/99999/role", url.Values{"role": {"admin"}}).wants(http.StatusNotFound)
}

func TestTheBoardKeepsAnAdministrator(t *testing.T) {
	b := newBoard(t)
	chief := storetest.Admin(t, b.store)
	admin := b.as(chief)
	admin.post(userPath(chief, "disable"), nil).leads("/admin/users")
	admin.get("/admin/users").has("You cannot disable yourself")
	admin.post(userPath(chief, "role"), url.Values{"role": {"member"}}).leads("/admin/users")
	admin.get("/admin/users").has("is the only administrator")
	other := storetest.Admin(t, b.store)
	admin.post(userPath(chief, "role"), url.Values{"role": {"member"}}).leads("/")
	admin.get("/").has(chief.Nickname + " has the role “member” now.")
	admin.get("/admin/users").wants(http.StatusForbidden)
	b.as(other).post(userPath(other, "role"), url.Values{"role": {"moderator"}}).leads("/admin/users")
	b.as(other).get("/admin/users").wants(http.StatusOK)
}

func TestAFormOfMembersLeadsNowhereElse(t *testing.T) {
	b := newBoard(t)
	u, admin := storetest.Member(t, b.store), b.as(storetest.Admin(t, b.store))
	for _, next := range []string{"https://evil.test/", "//evil.test", "/posts/1", "/admin/users/../../x?y", "/admin/users.evil?", "\\evil"} {
		admin.post(userPath(u, "enable"), url.Values{"next": {next}}).leads("/admin/users")
	}
}

func TestAnActThatCanDoHarmAsksForThePasswordAgain(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	admin := b.as(storetest.Admin(t, b.store))
	list := "/admin/users?role=member"
	b.clock.Advance(provenLife - time.Minute)
	admin.post(userPath(u, "role"), url.Values{"role": {"moderator"}}).leads("/admin/users")
	b.clock.Advance(time.Minute)
	for act, form := range map[string]url.Values{
		"disable": {"next": {list}}, "enable": {"next": {list}}, "role": {"next": {list}, "role": {"admin"}},
	} {
		ask := admin.post(userPath(u, act), form).wants(http.StatusUnprocessableEntity)
		for name := range form {
			if got := ask.field(userPath(u, act), name); got != form.Get(name) {
				t.Errorf("%s: the page repeats %s as %q", act, name, got)
			}
		}
		if ask.doc().Find("[role=alert]").Length() != 0 {
			t.Errorf("%s: what nobody has been asked for is called wrong", act)
		}
		form.Set("current", "")
		admin.post(userPath(u, act), form).wants(http.StatusUnprocessableEntity).alert("current")
		form.Set("current", "a wrong password")
		wrong := admin.post(userPath(u, act), form).wants(http.StatusUnprocessableEntity).has("This is not your password")
		if strings.Contains(wrong.body, "a wrong password") {
			t.Errorf("%s: the password comes back", act)
		}
	}
	if m, err := b.store.MemberByID(t.Context(), u.ID); err != nil || m.Role != store.Moderator || m.Disabled() {
		t.Errorf("without the password: %+v, %v", m, err)
	}
	before := admin.cookie()
	admin.post(userPath(u, "disable"), url.Values{"next": {list}, "current": {storetest.Password}}).leads(list)
	if admin.cookie() == before {
		t.Error("the session has no new token")
	}
	b.clock.Advance(provenLife - time.Minute)
	admin.post(userPath(u, "enable"), nil).leads("/admin/users")
}

func TestGuessingThePasswordOfAnActIsLimitedAsLoginsAre(t *testing.T) {
	b := newBoard(t, limited)
	u, chief := storetest.Member(t, b.store), storetest.Admin(t, b.store)
	admin := b.as(chief)
	b.clock.Advance(provenLife)
	guess := url.Values{"current": {"a wrong password"}}
	for range 10 {
		admin.post(userPath(u, "disable"), guess).wants(http.StatusUnprocessableEntity)
	}
	guess.Set("current", storetest.Password)
	a := admin.post(userPath(u, "disable"), guess).wants(http.StatusTooManyRequests)
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	if m, err := b.store.MemberByID(t.Context(), u.ID); err != nil || m.Disabled() {
		t.Errorf("disabled all the same, %v", err)
	}
}
