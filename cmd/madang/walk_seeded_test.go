package main

import (
	"fmt"
	"testing"

	"madang/views"
)

// TestEndToEndPages looks at the pages that the walk does not lead to, on a
// board with something on it.
func TestEndToEndPages(t *testing.T) {
	chromium := startChromium(t)
	data := newData(t)
	if _, err := runCommand(t, "", "seed", "--data", data); err != nil {
		t.Fatal(err)
	}
	looks := lookedAt([]look{
		{lang: views.Korean, width: 320, script: true},
		{lang: views.English, width: 1280, script: true},
		{lang: views.Korean, width: 1280, script: true, dark: true},
		{lang: views.English, width: 320, script: true, dark: true},
	})
	for i := range looks {
		createChief(t, data, i)
	}
	site := startBoard(t, data)
	for i, look := range looks {
		t.Run(look.String(), func(t *testing.T) {
			t.Parallel()
			v := site.visitor(t, chromium, look, "pages")
			v.looksAround()
			v.searches()
			v.losesTheWay()
			v.logsIn(fmt.Sprintf("chief%d", i))
			v.keepsOrder()
		})
	}
}

// createChief makes an administrator of a look's own: the language is a
// setting of the member.
func createChief(t *testing.T, data string, i int) {
	t.Helper()
	name := fmt.Sprintf("chief%d", i)
	_, err := runCommand(t, password+"\n", "admin", "create", "--data", data,
		"--email", name+"@example.com", "--nickname", name, "--name", "Chief")
	if err != nil {
		t.Fatal(err)
	}
}

// looksAround reads as a guest.
func (v *visitor) looksAround() {
	v.t.Helper()
	v.open("/")
	v.see("list", 200, "Madang")
	v.follow(`a[rel="next"]`)
	v.see("older", 200, "Madang")
	v.follow(`a[href$="?sort=popular"]`)
	v.see("popular", 200, "Madang")
	v.follow(`article[data-post-id] h2 a`)
	v.see("post-as-guest", 200, "")
	v.follow(`.comments a.button`)
	v.see("login", 200, v.word("login.title"))
}

// losesTheWay comes to pages that are not there.
func (v *visitor) losesTheWay() {
	v.t.Helper()
	v.open("/posts/999999")
	v.see("nothing-here", 404, v.word("error.404.title"))
	v.open("/auth/verify?token=c29tZXRoaW5n")
	v.see("bad-link", 404, v.word("verify.forged.title"))
	v.open("/auth/pending")
	v.see("no-sign-up", 200, v.word("pending.none_title"))
	v.open("/dev/mail")
	v.see("no-mail", 200, v.word("mailbox.title"))
}

// logsIn at the second try, the password shown, to write a post.
func (v *visitor) logsIn(name string) {
	v.t.Helper()
	v.open("/posts/new")
	v.fill("#email", name+"@example.com")
	v.fill("#password", "not my password")
	v.do(click(".reveal"))
	v.until(find("#password") + `.type === "text"`)
	v.see("login-shown", 200, v.word("login.title"))
	v.follow(`form[action$="/auth/login"] .main`)
	v.see("login-refused", 422, v.word("login.title"))
	v.fill("#password", password)
	v.follow(`form[action$="/auth/login"] .main`)
	if evaluate[string](v, `document.documentElement.lang`) != string(v.lang) {
		v.follow(`form[action$="/language"] button`)
	}
	v.see("new-post", 200, v.word("post.new_title"))
	v.follow(`main form[action$="/posts"] button`)
	v.see("post-refused", 422, v.word("post.new_title"))
}

// keepsOrder does what an administrator may.
func (v *visitor) keepsOrder() {
	v.t.Helper()
	v.open("/admin")
	v.see("admin", 200, v.word("admin.title"))
	v.open("/?sort=popular")
	v.follow(`article[data-post-id] h2 a`)
	v.do(click("article.post .sure summary"))
	v.until(find("article.post .sure") + ".open")
	v.see("delete-sure", 200, "")
	v.fill("#body", "One line more")
	v.follow(`form[action$="/comments"] button`)
	v.follow(`.comment a[href$="/edit"]`)
	v.see("edit-comment", 200, v.word("comment.edit_title"))
	v.fill("#body", " ")
	v.follow(`main form:has(#body) button`)
	v.see("comment-refused", 422, v.word("comment.edit_title"))
}
