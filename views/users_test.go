package views

import (
	"slices"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"madang/store"
)

func memberRow(text string) store.MemberRow {
	return store.MemberRow{User: store.User{ID: 7, Email: text, Nickname: text, Name: text, Role: store.Member, CreatedAt: now}}
}

func usersPage(p Page, text string) UsersPage {
	out, chief, self := memberRow(text), memberRow(text), memberRow(text)
	out.ID, out.DisabledAt = 8, now
	chief.ID, chief.Role, chief.SeenAt = 9, store.Moderator, now
	self.ID, self.Role = p.User.ID, store.Admin
	return UsersPage{
		Page: p, Query: store.MemberQuery{Text: text, Role: store.Member, State: store.Active},
		List: store.MemberList{Members: []store.MemberRow{chief, out, memberRow(text), self}, Newer: true, Older: true},
	}
}

func TestNobodyIsOfferedToDisableThemselves(t *testing.T) {
	doc := document(t, Users(usersPage(member(testPage(English, ""), "me"), "x")))
	for id, want := range map[string][]string{
		"5": {"/board/admin/users/5/role"},
		"7": {"/board/admin/users/7/role", "/board/admin/users/7/disable"},
		"8": {"/board/admin/users/8/role", "/board/admin/users/8/enable"},
	} {
		got := doc.Find("[data-user-id='" + id + "'] form").Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("action", "") })
		if !slices.Equal(got, want) {
			t.Errorf("member %s: %q, want %q", id, got, want)
		}
	}
	if got := doc.Find("[data-user-id='9'] option[selected]").AttrOr("value", ""); got != "moderator" {
		t.Errorf("the moderator's role is shown as %q", got)
	}
}

func TestTheLinksOfTheListOfMembersKeepWhatItIsNarrowedTo(t *testing.T) {
	page := usersPage(member(testPage(English, ""), "me"), "a&b=c")
	doc := document(t, Users(page))
	href := func(selector string) string { return doc.Find(selector).AttrOr("href", "") }
	got := []string{href("a[rel=next]"), href("a[rel=prev]"), href(".chips a")}
	want := []string{
		"/board/admin/users?before=5&q=a%26b%3Dc&role=member&state=active",
		"/board/admin/users?after=9&q=a%26b%3Dc&role=member&state=active",
		"/board/admin/users?q=a%26b%3Dc&state=active",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := doc.Find(".chips [aria-current]").Map(func(_ int, s *goquery.Selection) string { return s.Text() }); !cmp.Equal(got, []string{"member", "active"}) {
		t.Errorf("the list is that of %q", got)
	}
	if doc.Find("form[role=search] input[type=hidden]").Length() != 2 {
		t.Error("a search forgets role and state")
	}
}
