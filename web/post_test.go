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

func postForm(c *client, title, body string) url.Values {
	c.t.Helper()
	return url.Values{"title": {title}, "body": {body}, "form_id": {c.field("/posts/new", "/posts", "form_id")}}
}

func TestPostIsWrittenOnceForEachForm(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	form := postForm(c, "첫 글", "본문 *세게*")
	c.post("/posts", form).leads("/posts/1")
	c.get("/posts/1").wants(http.StatusOK).has("첫 글").has("Your post is published")
	c.post("/posts", form).leads("/posts/1")
	form.Set("body", "다른 본문")
	c.post("/posts", form).leads("/posts/1/edit")
	edit := c.get("/posts/1/edit").wants(http.StatusOK).has("published before")
	if got := edit.field("/posts/1", "body"); got != "다른 본문" {
		t.Errorf("the edit form holds %q", got)
	}
	c.get("/").has("첫 글")
	if n := c.get("/").doc().Find("article[data-post-id]").Length(); n != 1 {
		t.Errorf("%d posts", n)
	}
}

func TestPostRefusesBadInputAndKeepsIt(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	for name, bad := range map[string]struct{ field, value string }{
		"no title":           {"title", ""},
		"no body":            {"body", ""},
		"invisible title":    {"title", "\u200b\u3164 "},
		"long title":         {"title", strings.Repeat("가", 201)},
		"long body":          {"body", strings.Repeat("가", 50001)},
		"title not UTF-8":    {"title", "a\xffb"},
		"body not UTF-8":     {"body", "\xff\xfe"},
		"NUL in the body":    {"body", "a\x00b"},
		"control in title":   {"title", "a\x1bb"},
		"line break in it":   {"title", "a\nb"},
		"bidi override":      {"title", "a\u202eb"},
		"control in body":    {"body", "a\x07b"},
		"DEL in the body":    {"body", "a\x7fb"},
		"no form id":         {"form_id", ""},
		"form id of nobody":  {"form_id", "<script>"},
		"form id with a NUL": {"form_id", "a\x00"},
	} {
		t.Run(name, func(t *testing.T) {
			form := postForm(c, "A title", "A body")
			form.Set(bad.field, bad.value)
			field := bad.field
			if field == "form_id" {
				field = ""
			}
			page := c.post("/posts", form).wants(http.StatusUnprocessableEntity).alert(field)
			for _, kept := range []string{"title", "body"} {
				if got := page.field("/posts", kept); kept != bad.field && got != form.Get(kept) {
					t.Errorf("%s came back as %q", kept, got)
				}
			}
			if bad.field != "form_id" {
				return
			}
			form.Set("form_id", page.field("/posts", "form_id"))
			c.post("/posts", form).wants(http.StatusSeeOther)
		})
	}
}

func TestLongestPostInHangulIsTaken(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	c.post("/posts", postForm(c, strings.Repeat("가", 200), strings.Repeat("가", 50000))).wants(http.StatusSeeOther)
}

func TestPostIsEditedAndDeletedByWhoMay(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	id := storetest.Post(t, b.store, author)
	page := fmt.Sprintf("/posts/%d", id)
	edited := url.Values{"title": {"Edited"}, "body": {"Edited body"}}
	for _, u := range []store.User{author, storetest.Moderator(t, b.store), storetest.Admin(t, b.store)} {
		c := b.as(u)
		c.get(page + "/edit").wants(http.StatusOK)
		c.post(page, edited).leads(page)
		bad := c.post(page, url.Values{"title": {""}, "body": {"Kept"}}).wants(http.StatusUnprocessableEntity).alert("title")
		if got := bad.field(page, "body"); got != "Kept" {
			t.Errorf("the form holds %q", got)
		}
	}
	stranger := b.as(storetest.Member(t, b.store))
	stranger.get(page + "/edit").wants(http.StatusForbidden)
	stranger.post(page, edited).wants(http.StatusForbidden)
	stranger.post(page+"/delete", nil).wants(http.StatusForbidden)
	c := b.as(author)
	c.post(page+"/delete", nil).leads("/")
	for _, gone := range []*answer{
		c.get(page), c.get(page + "/edit"), c.post(page, edited), c.post(page+"/delete", nil),
		c.post(page+"/like", nil), c.post(page+"/comments", url.Values{"body": {"x"}, "form_id": {"x"}}),
	} {
		gone.wants(http.StatusNotFound)
	}
}

func TestLikesAreCountedOnceForEachMember(t *testing.T) {
	b := newBoard(t)
	id := storetest.Post(t, b.store, storetest.Member(t, b.store))
	page := fmt.Sprintf("/posts/%d", id)
	c := b.as(storetest.Member(t, b.store))
	for _, step := range []struct{ act, likes string }{
		{"/like", "1"}, {"/like", "1"}, {"/unlike", "0"}, {"/unlike", "0"},
	} {
		c.post(page+step.act, nil).leads(page)
		if got := c.get(page).attr("#likes", "value"); got != step.likes {
			t.Errorf("after %s: %s likes", step.act, got)
		}
	}
}

func TestPostOfAGuestComesBackAfterLogin(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	c := b.as(u)
	form := postForm(c, "Written for an hour", "Long text\nof two lines")
	c.post("/auth/logout", nil).leads("/")
	c.post("/posts", form).leads("/auth/login?next=%2Fposts%2Fnew")
	login := c.get("/auth/login?next=%2Fposts%2Fnew").has("Your text is kept")
	c.post("/auth/login", url.Values{
		"email": {u.Email}, "password": {storetest.Password}, "next": {login.field("/auth/login", "next")},
	}).leads("/posts/new")
	page := c.get("/posts/new").wants(http.StatusOK).has("the text you wrote before")
	for _, name := range []string{"title", "body", "form_id"} {
		if got := page.field("/posts", name); got != form.Get(name) {
			t.Errorf("%s came back as %q", name, got)
		}
	}
	c.post("/posts", form).wants(http.StatusSeeOther)
	if got := c.get("/posts/new").field("/posts", "title"); got != "" {
		t.Errorf("after the submission the form holds %q", got)
	}
}

func TestCommentOfAGuestComesBackAfterLogin(t *testing.T) {
	b := newBoard(t)
	id := storetest.Post(t, b.store, storetest.Member(t, b.store))
	page := fmt.Sprintf("/posts/%d", id)
	c := b.guest()
	c.post(page+"/comments", url.Values{"body": {"My comment"}, "form_id": {"f"}}).
		leads("/auth/login?next=" + url.QueryEscape(page))
	c.login(storetest.Member(t, b.store)).wants(http.StatusSeeOther)
	if got := c.get(page).field(page+"/comments", "body"); got != "My comment" {
		t.Errorf("the form holds %q", got)
	}
}

func TestUnknownPostsAreNotFound(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	for _, id := range []string{"0", "-1", "+1", "01", "1e3", "99", "9223372036854775807", "9223372036854775808", "x", "%00", "%ff", "가", "1%20"} {
		for _, path := range []string{"/posts/" + id, "/posts/" + id + "/edit", "/comments/" + id + "/edit", "/dev/mail/" + id} {
			c.get(path).wants(http.StatusNotFound)
		}
		c.post("/posts/"+id+"/like", nil).wants(http.StatusNotFound)
		c.post("/comments/"+id+"/delete", nil).wants(http.StatusNotFound)
	}
}
