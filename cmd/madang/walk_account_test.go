package main

import (
	"fmt"
	"testing"

	"madang/views"
)

// TestEndToEndAccountWalk changes all that a member can change, and leaves.
func TestEndToEndAccountWalk(t *testing.T) {
	chromium := startChromium(t)
	data, box := newData(t), newPostbox(t, 0)
	looks := lookedAt([]look{
		{lang: views.Korean, width: 320, dark: true},
		{lang: views.English, width: 320, script: true},
		{lang: views.English, width: 1280, dark: true},
		{lang: views.Korean, width: 1280, script: true},
	})
	for i := range len(looks) + 1 { // one administrator stays
		createChief(t, data, i)
	}
	site := startBoard(t, data, "--smtp-url", box.url)
	for i, look := range looks {
		t.Run(look.String(), func(t *testing.T) {
			t.Parallel()
			name := fmt.Sprint("chief", i)
			logIn(t, site.browser(t, name), name) // somewhere else
			v := site.visitor(t, chromium, look, "account")
			v.comesIn(name)
			v.open("/")
			v.follow("header a.me")
			v.see("account", 200, v.word("account.title"))
			v.changesNames(fmt.Sprint("새이름", i))
			v.movesTo(box, fmt.Sprintf("moved%d@example.com", i))
			v.leaves()
		})
	}
}

const accountForm = `form[action$="/account/%s"] button:not([type="button"])`

// changesNames tries a nickname that somebody has, then one that is free, and
// ends the other session.
func (v *visitor) changesNames(nickname string) {
	v.t.Helper()
	v.fill("#nickname-nickname", "x")
	v.follow(fmt.Sprintf(accountForm, "nickname"))
	v.see("nickname-refused", 422, v.word("account.title"))
	v.reads("[role=alert]", v.word("problem.nickname.too_short"))
	v.fill("#nickname-nickname", nickname)
	v.follow(fmt.Sprintf(accountForm, "nickname"))
	v.see("nickname", 200, v.word("account.title"))
	v.reads("header .me", nickname)
	v.reads(".sessions li:nth-child(2)", v.word("account.sessions.do"))
	v.follow(fmt.Sprintf(accountForm, "sessions/end"))
	v.reads("[role=status]", v.word("notice.session_ended"))
	v.see("session-ended", 200, v.word("account.title"))
}

// movesTo changes the password, and then the address by the link of its mail.
func (v *visitor) movesTo(box *postbox, address string) {
	v.t.Helper()
	v.fill("#password-current", password)
	v.fill("#password-password", password+" 2")
	v.follow(fmt.Sprintf(accountForm, "password"))
	v.reads("[role=status]", v.word("notice.password_changed"))
	v.fill("#email-email", address)
	v.fill("#email-current", "wrong password")
	v.follow(fmt.Sprintf(accountForm, "email"))
	v.see("email-refused", 422, v.word("account.title"))
	v.reads("[role=alert]", v.word("problem.current.wrong"))
	v.fill("#email-current", password+" 2")
	v.follow(fmt.Sprintf(accountForm, "email"))
	v.see("email-asked", 200, v.word("account.title"))
	v.reads("#email", address)
	v.open(box.wait(v.t, address).link())
	v.see("email-link", 200, v.word("change.ready.title"))
	v.follow(`form[action$="/auth/email"] button`)
	v.reads("[role=status]", v.word("notice.email_changed"))
	v.see("email-changed", 200, v.word("account.title"))
	v.reads("#email .address", address)
}

// leaves deletes the account.
func (v *visitor) leaves() {
	v.t.Helper()
	v.do(click("#delete summary"))
	v.until(find("#delete details") + ".open")
	v.see("delete", 200, v.word("account.title"))
	v.fill("#delete-current", password+" 2")
	v.follow(fmt.Sprintf(accountForm, "delete"))
	v.see("left", 200, "Madang")
	v.reads("[role=status]", v.word("notice.account_deleted"))
	v.reads("header nav", v.word("nav.login"))
}
