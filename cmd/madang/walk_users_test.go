package main

import (
	"fmt"
	"testing"

	"madang/views"
)

// TestEndToEndMembersWalk looks at the members as their administrator does, who
// makes one a moderator and disables them.
func TestEndToEndMembersWalk(t *testing.T) {
	chromium := startChromium(t)
	data := newData(t)
	if _, err := runCommand(t, "", "seed", "--data", data); err != nil {
		t.Fatal(err)
	}
	looks := lookedAt([]look{
		{lang: views.Korean, width: 320, dark: true},
		{lang: views.English, width: 320, script: true},
		{lang: views.English, width: 1280, dark: true},
		{lang: views.Korean, width: 1280, script: true},
	})
	for i := range 2 * len(looks) { // the second half is whom they look after
		createChief(t, data, i)
	}
	site := startBoard(t, data)
	for i, look := range looks {
		t.Run(look.String(), func(t *testing.T) {
			t.Parallel()
			v := site.visitor(t, chromium, look, "members")
			v.comesIn(fmt.Sprintf("chief%d", i))
			v.looksAfterMember(fmt.Sprintf("chief%d", i+len(looks)))
		})
	}
}

// comesIn logs in, and sees the site in the language of the look.
func (v *visitor) comesIn(name string) {
	v.t.Helper()
	v.open("/auth/login")
	v.fill("#email", name+"@example.com")
	v.fill("#password", password)
	v.follow(`form[action$="/auth/login"] .main`)
	if evaluate[string](v, `document.documentElement.lang`) != string(v.lang) {
		v.follow(`form[action$="/language"] button`)
	}
}

func (v *visitor) looksAfterMember(nickname string) {
	v.t.Helper()
	title := v.word("users.title")
	v.open("/admin")
	v.follow(`.tabs a[href$="/admin/users"]`)
	v.see("members", 200, title)
	v.fill("#q", nickname)
	v.follow(`form[role="search"] button`)
	v.see("found", 200, title)
	v.do(click("article.person summary"))
	v.until(find("article.person details") + ".open")
	v.see("acts", 200, title)
	v.follow(`form[action$="/role"] button`)
	v.reads("[role=status]", nickname)
	v.see("role", 200, title)
	v.do(click("article.person summary"))
	v.follow(`form[action$="/disable"] button`)
	v.reads("[role=status]", nickname)
	v.reads(".badge.bad", v.word("user_state.disabled"))
	v.see("disabled", 200, title)
	v.follow(`.chips a[href$="state=active"]`)
	v.see("nobody", 200, title)
}
