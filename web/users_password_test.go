package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

func TestAMemberWithAShortPasswordIsNoAdministrator(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	admin := b.as(storetest.Admin(t, b.store))
	list := "/admin/users?q=" + u.Nickname
	makeAdmin := url.Values{"role": {"admin"}, "next": {list}}
	set := func(current, password string) {
		t.Helper()
		_, err := b.store.ChangePassword(t.Context(), store.Reentry{UserID: u.ID, Current: current}, password)
		if err != nil {
			t.Fatal(err)
		}
	}
	set(storetest.Password, "short: 한밤의 별")
	refused := admin.post(userPath(u, "role"), makeAdmin).wants(http.StatusUnprocessableEntity)
	if said := refused.doc().Find("[role=alert]").Text(); !strings.Contains(said, u.Nickname) || !strings.Contains(said, "at least 15 characters") {
		t.Errorf("the page says %q", said)
	}
	if got := listedUsers(refused); len(got) != 1 || got[0] != u.Nickname {
		t.Errorf("the page lists %q", got)
	}
	if got := refused.field(userPath(u, "role"), "next"); got != list {
		t.Errorf("the form leads to %q next", got)
	}
	if m, err := b.store.MemberByID(t.Context(), u.ID); err != nil || m.Role != store.Member {
		t.Errorf("the role is %s, %v", m.Role, err)
	}
	if records := b.logs.String(); !strings.Contains(records, "role refused") || strings.Contains(records, u.Email) {
		t.Error("the log does not tell of it, or tells too much")
	}
	set("short: 한밤의 별", "long enough for an administrator")
	admin.post(userPath(u, "role"), makeAdmin).leads(list)
	admin.get(list).has(u.Nickname + " has the role")
}
