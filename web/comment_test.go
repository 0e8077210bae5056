package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

func TestCommentIsWrittenOnceForEachForm(t *testing.T) {
	b := newBoard(t)
	page := fmt.Sprintf("/posts/%d", storetest.Post(t, b.store, storetest.Member(t, b.store)))
	c := b.as(storetest.Member(t, b.store))
	form := url.Values{"body": {"A comment"}, "form_id": {c.field(page, page+"/comments", "form_id")}}
	c.post(page+"/comments", form).leads(page + "#comment-1")
	c.post(page+"/comments", form).leads(page + "#comment-1")
	form.Set("body", "Another text")
	c.post(page+"/comments", form).leads("/comments/1/edit")
	if got := c.field("/comments/1/edit", "/comments/1", "body"); got != "Another text" {
		t.Errorf("the edit form holds %q", got)
	}
	got := c.get(page)
	if got.attr("#comments", "value") != "1" || got.doc().Find("#comment-1").Length() != 1 {
		t.Errorf("not one comment:\n%s", got.body)
	}
}

func TestReplyLinkFillsTheForm(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	page := fmt.Sprintf("/posts/%d", storetest.Post(t, b.store, author))
	reader := storetest.Member(t, b.store)
	c := b.as(reader)
	write := func(form url.Values) {
		form.Set("form_id", newID())
		c.post(page+"/comments", form).wants(http.StatusSeeOther)
	}
	write(url.Values{"body": {"first"}})
	write(url.Values{"body": {"second"}, "parent": {"1"}})
	for query, want := range map[string][2]string{
		"?reply=1":    {"1", ""},
		"?reply=2":    {"2", "@" + reader.Nickname + " "},
		"?reply=0":    {"", ""},
		"?reply=99":   {"", ""},
		"?reply=-1":   {"", ""},
		"?reply=1%00": {"", ""},
		"":            {"", ""},
	} {
		doc := c.get(page + query).wants(http.StatusOK).doc()
		got := [2]string{doc.Find("#comment-form [name=parent]").AttrOr("value", ""), doc.Find("#comment-form #body").Text()}
		if got != want {
			t.Errorf("%s: parent and text are %q, want %q", query, got, want)
		}
	}
	login, ok := b.guest().get(page + "?reply=1").wants(http.StatusOK).doc().Find("#comment-1 a.act").Attr("href")
	if want := "/auth/login?next=" + url.QueryEscape(page+"?reply=1#comment-form"); !ok || login != want {
		t.Errorf("a guest is sent to %q, want %q", login, want)
	}
	back := b.guest().post("/auth/login", url.Values{
		"email": {author.Email}, "password": {storetest.Password}, "next": {page + "?reply=1#comment-form"},
	})
	back.leads(page + "?reply=1#comment-form")
}

func TestReplyLinkTurnsAKeptTextToAnotherComment(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	page := fmt.Sprintf("/posts/%d", storetest.Post(t, b.store, u))
	for range 2 {
		b.as(u).post(page+"/comments", url.Values{"body": {"x"}, "form_id": {newID()}}).wants(http.StatusSeeOther)
	}
	c := b.guest()
	c.post(page+"/comments", url.Values{"body": {"kept"}, "form_id": {newID()}, "parent": {"1"}}).wants(http.StatusSeeOther)
	c.login(u).wants(http.StatusSeeOther)
	for query, want := range map[string]string{"": "1", "?reply=2": "2", "?reply=0": ""} {
		doc := c.get(page + query).doc()
		if got := doc.Find("#comment-form [name=parent]").AttrOr("value", ""); got != want || doc.Find("#body").Text() != "kept" {
			t.Errorf("%q: answers %q, want %q, with %q", query, got, want, doc.Find("#body").Text())
		}
	}
}

func TestCommentRefusesBadInputAndKeepsIt(t *testing.T) {
	b := newBoard(t)
	page := fmt.Sprintf("/posts/%d", storetest.Post(t, b.store, storetest.Member(t, b.store)))
	c := b.as(storetest.Member(t, b.store))
	for name, form := range map[string]url.Values{
		"empty":       {"body": {""}, "form_id": {"a"}},
		"invisible":   {"body": {"\u200b \u3164"}, "form_id": {"b"}},
		"too long":    {"body": {strings.Repeat("가", 5001)}, "form_id": {"c"}},
		"not UTF-8":   {"body": {"a\xff"}, "form_id": {"d"}},
		"NUL":         {"body": {"a\x00b"}, "form_id": {"e"}},
		"control":     {"body": {"a\x1bb"}, "form_id": {"f"}},
		"no form id":  {"body": {"text"}},
		"odd parent":  {"body": {"text"}, "form_id": {"g"}, "parent": {"x"}},
		"lost parent": {"body": {"text"}, "form_id": {"h"}, "parent": {"99"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := c.post(page+"/comments", form).wants(http.StatusUnprocessableEntity).alert("")
			if got := a.field(page+"/comments", "body"); got != shown(form.Get("body")) {
				t.Errorf("the form holds %q", got)
			}
		})
	}
	if got := c.get(page).attr("#comments", "value"); got != "0" {
		t.Errorf("%s comments were written", got)
	}
}

func TestCommentIsEditedAndDeletedByWhoMay(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	post := storetest.Post(t, b.store, storetest.Member(t, b.store))
	id, err := b.store.CreateComment(t.Context(), author, store.NewComment{PostID: post, Body: "A comment", FormID: "x"})
	if err != nil {
		t.Fatal(err)
	}
	page := fmt.Sprintf("/comments/%d", id)
	place := fmt.Sprintf("/posts/%d#comment-%d", post, id)
	for _, u := range []store.User{author, storetest.Moderator(t, b.store)} {
		c := b.as(u)
		c.get(page + "/edit").wants(http.StatusOK).has("A comment")
		c.post(page, url.Values{"body": {"A comment, edited"}}).leads(place)
		bad := c.post(page, url.Values{"body": {"\x00"}}).wants(http.StatusUnprocessableEntity).alert("body")
		if got := bad.field(page, "body"); got != "\uFFFD" {
			t.Errorf("the form holds %q", got)
		}
	}
	stranger := b.as(storetest.Member(t, b.store))
	stranger.get(page + "/edit").wants(http.StatusForbidden)
	stranger.post(page, url.Values{"body": {"x"}}).wants(http.StatusForbidden)
	stranger.post(page+"/delete", nil).wants(http.StatusForbidden)
	c := b.as(author)
	c.post(page+"/delete", nil).leads(fmt.Sprintf("/posts/%d", post))
	c.get(page + "/edit").wants(http.StatusNotFound)
	c.post(page+"/delete", nil).wants(http.StatusNotFound)
}
