package main

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"madang/views"
)

// TestEndToEndKeyboard signs up without a mouse, with the mail in the built-in
// mailbox.
func TestEndToEndKeyboard(t *testing.T) {
	chromium := startChromium(t)
	site := startBoard(t, newData(t), "--rate-limits", "on")
	v := site.visitor(t, chromium, look{lang: views.English, width: 1280, script: true}, "keyboard")
	v.open("/")
	v.skipsToContent()
	v.tabTo(`header a[href$="/auth/signup"]`)
	v.enter()
	v.tabTo("#email")
	v.press("robin@example.com" + kb.Tab + "robin" + kb.Tab + "Robin Reed" + kb.Tab + "short")
	v.enter()
	v.see("refused", 422, v.word("signup.title"))
	v.until(`document.activeElement.getAttribute("role") === "alert"`)
	v.tabTo(`[role="alert"] a`)
	v.do(pressEnter())
	v.until(`document.activeElement.id === "password"`)
	v.press(password)
	v.enter()
	v.see("pending", 200, v.word("pending.title"))
	v.followsMail("robin@example.com")
	v.tabTo(submitLink)
	v.enter()
	v.see("welcome", 200, "Madang")
	v.reads(`[role="status"]`, "robin")
}

// skipsToContent sees that the first stop leads past the header.
func (v *visitor) skipsToContent() {
	v.t.Helper()
	v.press(kb.Tab)
	v.see("first-stop", 200, "Madang")
	if !evaluate[bool](v, `document.activeElement.getAttribute("href") === "#main" &&
		document.activeElement.getBoundingClientRect().left >= 0`) {
		v.fail("the first stop is not a link to the content that can be seen")
	}
	v.do(pressEnter())
	v.until(`document.activeElement.id === "main"`)
	v.open("/")
}

// followsMail goes from the pending page to the mailbox, and on by the link of
// the mail there.
func (v *visitor) followsMail(address string) {
	v.t.Helper()
	v.until(`document.querySelector("#delivery").dataset.state === "sent"`)
	v.tabTo(`.delivery a[href*="/dev/mail"]`)
	v.enter()
	v.see("mailbox", 200, v.word("mailbox.title"))
	v.reads("main", address)
	v.tabTo(`main article a[href*="/dev/mail/"]`)
	v.enter()
	v.see("mail", 200, "")
	v.tabTo(`main a[href*="/auth/verify?token="]`)
	v.enter()
	v.see("link", 200, v.word("verify.ready.title"))
}

// tabTo goes on from stop to stop, each of which must show that it has the
// focus, until it comes to what a selector finds.
func (v *visitor) tabTo(selector string) {
	v.t.Helper()
	for range 60 {
		v.press(kb.Tab)
		if evaluate[bool](v, `document.activeElement === `+find(selector)) {
			return
		}
		if evaluate[bool](v, `document.activeElement !== document.body &&
			getComputedStyle(document.activeElement).outlineStyle === "none"`) {
			v.fail("the focus cannot be seen on %s", evaluate[string](v, `document.activeElement.outerHTML`))
		}
	}
	v.fail("no number of tabs leads to %s", selector)
}

// enter presses Enter on what leads to another page.
func (v *visitor) enter() {
	v.t.Helper()
	v.lead(pressEnter())
}

// pressEnter sends what a keyboard sends. Chromium then keeps the character
// from the field to which the key has just moved the focus, as it does not for
// the events of chromedp.KeyEvent.
func pressEnter() chromedp.Action[chromedp.Void] {
	key := func(t input.DispatchKeyEventType, text string) chromedp.Action[chromedp.Void] {
		return send(input.DispatchKeyEvent, input.DispatchKeyEventParams{
			Type: t, Key: "Enter", Code: "Enter", Text: text, WindowsVirtualKeyCode: 13, NativeVirtualKeyCode: 13,
		})
	}
	return chromedp.Steps(
		key(input.DispatchKeyEventTypeRawKeyDown, ""),
		key(input.DispatchKeyEventTypeChar, "\r"),
		key(input.DispatchKeyEventTypeKeyUp, ""),
	)
}
