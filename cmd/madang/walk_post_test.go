package main

import (
	"strings"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Posts, likes and comments, as somebody walks through them.

// writePost publishes the author's post and returns its path.
func (w *walk) writePost() string {
	v := w.author
	v.t.Helper()
	v.follow(`header a[href$="/posts/new"]`)
	v.see("new-post", 200, v.word("post.new_title"))
	v.fill("#title", w.words.title)
	v.fill("#body", w.words.body)
	v.follow(`main form[action$="/posts"] button`)
	v.see("post", 200, w.words.title)
	for selector, want := range map[string]string{
		"h1": w.words.title, ".prose :is(h2, h3)": w.words.heading, ".prose li": w.words.item,
		".prose td:nth-child(2)": w.words.cell, ".prose pre code": "fmt.Println(",
		`.prose a[href="https://www.openstreetmap.org/"]`: "",
	} {
		v.reads(selector, want)
	}
	return strings.TrimPrefix(ask(v, chromedp.Location()), v.base)
}

// likeTwice likes the author's own post, takes the like back, and likes again.
func (w *walk) likeTwice() {
	v := w.author
	v.t.Helper()
	v.like("like", "1")
	v.like("unlike", "0")
	v.like("like", "1")
	v.see("liked", 200, w.words.title)
}

// like presses the button that leads to like or unlike, and sees the count.
func (v *visitor) like(act, count string) {
	v.t.Helper()
	v.follow(`form[action$="/` + act + `"] button`)
	v.shows("#likes", count)
	pressed := evaluate[string](v, `document.querySelector(".like").getAttribute("aria-pressed")`)
	if (act == "like") != (pressed == "true") {
		v.t.Errorf("%s: after %s the button says pressed=%q", v.page, act, pressed)
	}
}

// comment writes under the post the visitor is on.
func (v *visitor) comment(name, text, count string) {
	v.t.Helper()
	v.fill("#body", text)
	v.follow(`form[action$="/comments"] button`)
	v.see(name, 200, "")
	v.shows("#comments", count)
	v.reads(".comment:last-of-type", strings.ReplaceAll(text, "`", ""))
}

// editPost changes the title and adds to the text.
func (w *walk) editPost() {
	v := w.author
	v.t.Helper()
	v.follow(`article.post a[href$="/edit"]`)
	v.see("edit", 200, v.word("post.edit_title"))
	if got := v.value("#body"); got != w.words.body {
		v.t.Errorf("the form to edit holds %q, want %q", got, w.words.body)
	}
	v.fill("#title", w.words.newTitle)
	v.do(
		click("#body"),
		chromedp.KeyEvent(kb.End, chromedp.KeyModifiers(kb.ModifierCtrl)),
		send(input.InsertText, input.InsertTextParams{Text: "\n\n" + w.words.addition}),
	)
	v.follow(`main form:has(#title) button`)
	v.see("edited", 200, w.words.newTitle)
	v.reads(".prose > :last-child", w.words.addition)
	v.reads(".edited", v.word("post.edited"))
}

// read lets the reader find the post in the list, like it and answer.
func (w *walk) read(post string) {
	v := w.reader
	v.t.Helper()
	v.follow(`article[data-post-id] a[href$="` + post + `"]`)
	v.see("post", 200, w.words.newTitle)
	v.reads(".comment", w.words.thanks)
	v.like("like", "2")
	v.comment("comment", w.words.praise, "2")
}
