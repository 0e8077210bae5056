package main

import (
	"context"
	"testing"

	"madang/store/storetest"
	"madang/views"
)

// TestEndToEndWalk is the life of a member and of somebody who reads, clicked
// and typed in a real browser, in every look.
func TestEndToEndWalk(t *testing.T) {
	chromium := startChromium(t)
	for _, look := range looks() {
		t.Run(look.String(), func(t *testing.T) {
			t.Parallel()
			newWalk(t, chromium, look).run()
		})
	}
}

// looks are all ways to look at the board. Every page is seen in both schemes
// in each language and width: with script it is light, without it is dark.
func looks() []look {
	var all []look
	for _, lang := range []views.Lang{views.Korean, views.English} {
		for _, width := range []int64{320, 1280} {
			for _, script := range []bool{true, false} {
				all = append(all, look{lang: lang, width: width, script: script, dark: !script})
			}
		}
	}
	return lookedAt(all)
}

// lookedAt leaves one look on PostgreSQL: what pages look like is not the
// database's, and the run on SQLite has them all. For an album one of each
// language is enough, since a picture shows every width and scheme.
func lookedAt(all []look) []look {
	if albums() != "" {
		return []look{
			{lang: views.Korean, width: 1280, script: true},
			{lang: views.English, width: 1280, script: true},
		}
	}
	if storetest.OnPostgres() {
		return all[:1]
	}
	return all
}

// walk is two people at a board whose mail server takes nothing at first.
type walk struct {
	box            *heldPostbox
	author, reader *visitor
	words          story
}

func newWalk(t *testing.T, chromium context.Context, look look) *walk {
	t.Helper()
	box := newHeldPostbox(t)
	site := startBoard(t, newData(t), "--smtp-url", box.url, "--rate-limits", "on")
	return &walk{
		box:    box,
		author: site.visitor(t, chromium, look, "author"),
		reader: site.visitor(t, chromium, look, "reader"),
		words:  stories[look.lang],
	}
}

func (w *walk) run() {
	w.signUpByCode()
	post := w.writePost()
	w.likeTwice()
	w.author.comment("author-comment", w.words.thanks, "1")
	w.editPost()
	w.signUpByLink()
	w.read(post)
	w.countBecomesOne(post)
	w.author.switchLanguage()
	w.author.logOut()
}

// countBecomesOne sees that of the author and the reader, who came several
// times, the reader counts once.
func (w *walk) countBecomesOne(post string) {
	v := w.author
	v.t.Helper()
	v.comeBackUntil(post, `document.querySelector("#views").value === "1"`)
	v.see("counted", 200, w.words.newTitle)
	v.shows("#likes", "2")
	v.shows("#comments", "2")
}

// switchLanguage changes to the other language and back.
func (v *visitor) switchLanguage() {
	v.t.Helper()
	for _, lang := range []views.Lang{v.lang.Other(), v.lang} {
		v.lang = lang
		v.follow(`form[action$="/language"] button`)
		v.see("language-"+string(lang), 200, "")
		v.reads("#comments-title", v.word("comments.title"))
	}
}

func (v *visitor) logOut() {
	v.t.Helper()
	v.follow(`form[action$="/auth/logout"] button`)
	v.see("logged-out", 200, "Madang")
	v.reads("header nav", v.word("nav.login"))
	v.open("/posts/new")
	v.see("login", 200, v.word("login.title"))
}
