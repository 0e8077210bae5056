package main

// Sign-up, as somebody walks through it.

// fillSignup types what a sign-up asks for but the password.
func (v *visitor) fillSignup(email, nickname string) {
	v.t.Helper()
	v.open("/")
	v.follow(`header a[href$="/auth/signup"]`)
	v.see("signup", 200, v.word("signup.title"))
	v.fill("#email", email)
	v.fill("#name", nickname)
	v.fill("#nickname", nickname)
}

const (
	submitSignup = `main form[action$="/auth/signup"] button:not([type="button"])`
	checkAgain   = `.delivery a[href$="/auth/pending"]`
	submitCode   = `form[action$="/auth/verify/code"] button`
	submitLink   = `form[action$="/auth/verify"] button:not([type="button"])`
)

// signUpByCode makes the author a member after a first try with a bad
// password. The code is typed from the mail.
func (w *walk) signUpByCode() {
	v := w.author
	v.t.Helper()
	v.fillSignup("author@example.com", w.words.author)
	v.fill("#password", "short")
	v.follow(submitSignup)
	v.refusedPassword(w.words.author)
	v.fill("#password", password)
	v.follow(submitSignup)
	v.see("pending", 200, v.word("pending.title"))
	v.reads("main", "author@example.com")
	w.mailIsSent()
	v.fill("#code", w.box.wait(v.t, "author@example.com").code())
	v.follow(submitCode)
	v.see("welcome", 200, "Madang")
	v.reads(`[role="status"]`, w.words.author)
}

// refusedPassword sees the form again with what was typed but the password,
// and the summary of what is wrong where a reader of the page begins.
func (v *visitor) refusedPassword(nickname string) {
	v.t.Helper()
	v.until(`document.activeElement.getAttribute("role") === "alert"`)
	v.see("signup-refused", 422, v.word("signup.title"))
	v.reads(`[role="alert"]`, v.word("problem.password.too_short"))
	for field, want := range map[string]string{
		"#email": v.name + "@example.com", "#name": nickname, "#nickname": nickname, "#password": "",
	} {
		if got := v.value(field); got != want {
			v.t.Errorf("%s: %s holds %q, want %q", v.page, field, got, want)
		}
	}
	if !evaluate[bool](v, `document.querySelector("#password").getAttribute("aria-describedby")
		.split(" ").every((id) => document.getElementById(id).textContent !== "")`) {
		v.t.Errorf("%s: the password field does not say what is wrong", v.page)
	}
	v.do(click(`[role="alert"] a`))
	v.until(`document.activeElement.id === "password"`)
}

// mailIsSent opens the mail server while the author types. With script the
// page follows the mail by itself and leaves what is typed alone.
func (w *walk) mailIsSent() {
	v := w.author
	v.t.Helper()
	const sent = `document.querySelector("#delivery").dataset.state === "sent"`
	if evaluate[bool](v, sent) {
		v.fail("the mail is sent before the mail server took it")
	}
	if !v.look.script {
		v.follow(checkAgain)
		v.see("not-yet-sent", 200, v.word("pending.title"))
		w.box.open()
		v.comeBackUntil("", sent)
		v.see("sent", 200, v.word("pending.title"))
		return
	}
	v.do(click("#code"))
	v.press("12")
	evaluate[bool](v, `window.stayed = true`)
	w.box.open()
	v.until(sent)
	v.see("sent", 200, v.word("pending.title"))
	if !evaluate[bool](v, `window.stayed === true && document.activeElement.id === "code"`) || v.value("#code") != "12" {
		v.fail("the page did not stay as it was while the mail was sent")
	}
}

// signUpByLink makes the reader a member by the link of the mail.
func (w *walk) signUpByLink() {
	v := w.reader
	v.t.Helper()
	v.fillSignup("reader@example.com", w.words.reader)
	v.fill("#password", password)
	v.follow(submitSignup)
	v.open(w.box.wait(v.t, "reader@example.com").link())
	v.see("link", 200, v.word("verify.ready.title"))
	v.follow(submitLink)
	v.see("welcome", 200, "Madang")
	v.reads(`[role="status"]`, w.words.reader)
}
