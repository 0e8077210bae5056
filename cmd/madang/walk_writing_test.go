package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	"madang/views"
)

// TestEndToEndWriting writes a post and a comment with all the help there is.
func TestEndToEndWriting(t *testing.T) {
	chromium := startChromium(t)
	data := newData(t)
	looks := lookedAt([]look{
		{lang: views.Korean, width: 320, script: true},
		{lang: views.English, width: 1280, script: true, dark: true},
		{lang: views.Korean, width: 1280, script: false},
		{lang: views.English, width: 320, script: false, dark: true},
	})
	for i := range looks {
		createChief(t, data, i)
	}
	site := startBoard(t, data)
	for i, look := range looks {
		t.Run(look.String(), func(t *testing.T) {
			t.Parallel()
			v := site.visitor(t, chromium, look, "writing")
			v.comesIn(fmt.Sprintf("chief%d", i))
			v.looksForHelp()
			v.previews()
			v.comesBackToTheDraft()
			v.looksElsewhere()
			v.writesOnAfterTheSession(fmt.Sprintf("chief%d", i))
			v.previewsComment()
		})
	}
}

// markdown is a text with everything in it that is coloured, boxed or wide.
const markdown = "# One\n\n- [x] done\n- [ ] to do 할 일\n\n" +
	"| a | b | c | d | e |\n|:--|:-:|--:|---|---|\n| longer words | 가나다라마바사 | 12 | longer words | longer words |\n\n" +
	"```go\nfunc main() { fmt.Println(\"hello 안녕하세요\", 42) } // a comment that is too long for a narrow window\n```\n\n" +
	"```diff\n-gone\n+here\n```\n\nA note.[^1] https://example.org/a/long/address/that/does/not/end ~~gone~~\n\n[^1]: where from"

// writing is the form in which somebody writes.
const writing = "main form:has(#body) "

// looksForHelp opens the help beside the form.
func (v *visitor) looksForHelp() {
	v.t.Helper()
	v.open("/posts/new")
	v.do(click(".help summary"))
	v.until(find(".help") + ".open")
	v.see("writing-help", 200, v.word("post.new_title"))
	v.reads(".help td strong", "")
	v.do(click(".help summary"))
}

// previews looks at the text before it is published.
func (v *visitor) previews() {
	v.t.Helper()
	v.fill("#title", "Title 제목")
	v.fill("#body", markdown)
	v.follow(writing + "[name=preview]")
	// On a machine that is too busy the code is plain at first.
	for end := time.Now().Add(stepWithin); evaluate[bool](v, find("#preview pre .d")+" === null") && time.Now().Before(end); {
		v.follow(writing + "[name=preview]")
	}
	v.see("preview", 200, v.word("post.new_title"))
	v.reads("#preview h2", "Title 제목")
	for _, selector := range []string{"pre .k", "pre .s", "pre .c", "pre .i", "pre .d", "label input:disabled", "td", "a[href^=http]", ".footnotes"} {
		v.until(find("#preview "+selector) + " !== null")
	}
	if got := v.value("#body"); got != markdown {
		v.t.Errorf("the form holds %q after the preview", got)
	}
}

// comesBackToTheDraft goes away and finds the text again: by itself with a
// script, by a button without.
func (v *visitor) comesBackToTheDraft() {
	v.t.Helper()
	v.fill("#body", markdown+"\n\nmore")
	if v.look.script {
		v.until(find("[data-saved]") + `.textContent === "` + v.word("draft.saved") + `"`)
	} else {
		v.follow(writing + "[name=draft]")
	}
	v.open("/posts/new")
	v.see("draft", 200, v.word("post.new_title"))
	v.reads(".draft", v.word("draft.from"))
	if got := v.value("#body"); got != markdown+"\n\nmore" {
		v.t.Errorf("the draft is %q", got)
	}
	v.fill("#body", "typed just before")
	v.follow(".draft button")
	v.open("/posts/new")
	if v.value("#body") != "" || evaluate[bool](v, find(".draft")+" !== null") {
		v.t.Error("the draft is still there after it was thrown away")
	}
}

// looksElsewhere goes to another window while a long text is not saved yet. A
// browser sends no more than 64 KB for a page that may be gone.
func (v *visitor) looksElsewhere() {
	v.t.Helper()
	if !v.look.script {
		return
	}
	v.fill("#body", strings.Repeat("가나다라마바사 ", 1200))
	evaluate[bool](v, `Object.defineProperty(document, "hidden", { value: true }).dispatchEvent(new Event("visibilitychange"))`)
	v.until(find("[data-saved]") + ".textContent !== \"\"")
	v.reads("[data-saved]", v.word("draft.saved"))
	v.open("/posts/new")
	v.follow(".draft button")
}

// writesOnAfterTheSession loses the session, logs in, and publishes.
func (v *visitor) writesOnAfterTheSession(name string) {
	v.t.Helper()
	v.fill("#title", "Title 제목")
	v.fill("#body", markdown)
	v.do(send(network.ClearBrowserCookies, cdp.Empty{}))
	v.follow(writing + ".main")
	v.see("session-ended", 200, v.word("login.title"))
	v.reads(".notice", v.word("notice.text_kept"))
	v.fill("#email", name+"@example.com")
	v.fill("#password", password)
	v.follow(`form[action$="/auth/login"] .main`)
	v.see("text-back", 200, v.word("post.new_title"))
	v.reads(".notice", v.word("notice.text_back"))
	if got := v.value("#body"); got != markdown {
		v.t.Errorf("the text comes back as %q", got)
	}
	v.follow(writing + ".main")
	v.see("coloured-post", 200, "Title 제목")
}

// previewsComment looks at a comment before it is published, and edits it.
func (v *visitor) previewsComment() {
	v.t.Helper()
	v.fill("#body", "- [ ] **mine**")
	v.follow(writing + "[name=preview]")
	v.see("comment-preview", 200, "Title 제목")
	v.reads("#preview strong", "mine")
	if top := evaluate[float64](v, find("#preview")+".getBoundingClientRect().top"); top < 0 || top > 800 {
		v.t.Errorf("the preview stands at %v, out of sight", top)
	}
	v.follow(writing + ".main")
	v.reads(".comment strong", "mine")
	v.follow(`.comment a[href$="/edit"]`)
	v.fill("#body", strings.Repeat("more ", 20))
	v.follow(writing + "[name=preview]")
	v.see("comment-edit-preview", 200, v.word("comment.edit_title"))
	v.follow(writing + ".main")
	v.reads(".comment", "more more")
}
