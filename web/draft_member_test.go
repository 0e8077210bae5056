package web

import (
	"maps"
	"net/http"
	"net/url"
	"testing"

	"madang/store/storetest"
)

func TestTextOfAnEndedSessionIsNotForTheNextMember(t *testing.T) {
	b := newBoard(t)
	author, other := storetest.Member(t, b.store), storetest.Member(t, b.store)
	c := b.as(author)
	f := b.forms(author)[0]
	for _, button := range []string{"preview", "draft", "publish"} {
		values := f.fill(c, button)
		c.post("/auth/logout", nil)
		c.post(f.action, values).leads("/auth/login?next=%2Fposts%2Fnew")
		c.login(other).wants(http.StatusSeeOther)
		if got := c.field(f.page, f.action, "body"); got != "" {
			t.Errorf("%s: the form of the next member holds %q", button, got)
		}
		c.post("/auth/logout", nil)
		c.post(f.action, values)
		c.login(author).wants(http.StatusSeeOther)
		page := c.get(f.page).has("the text you wrote before")
		if got := page.field(f.action, "body"); got != f.text.Get("body") {
			t.Errorf("%s: its author's form holds %q", button, got)
		}
	}
}

func TestTextOfAnEndedSessionIsNewerThanADraftAndOlderThanTheNext(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	c := b.as(author)
	text := func(body string, more ...string) url.Values {
		values := url.Values{"title": {"t"}, "body": {body}, "form_id": {newID()}}
		for i := 0; i < len(more); i += 2 {
			values.Set(more[i], more[i+1])
		}
		return values
	}
	wants := func(body string) {
		t.Helper()
		if got := c.field("/posts/new", "/posts", "body"); got != body {
			t.Errorf("the form holds %q, want %q", got, body)
		}
	}
	c.post("/posts", text("first", "draft", "auto")).wants(http.StatusNoContent)
	c.post("/auth/logout", nil)
	c.post("/posts", text("second")).wants(http.StatusSeeOther)
	c.post("/posts", text("by a script", "draft", "auto")).wants(http.StatusSeeOther)
	c.login(author)
	wants("second")
	wants("second")
	c.post("/posts", text("third", "draft", "auto")).wants(http.StatusNoContent)
	wants("third")
	c.post("/posts", text("fourth")).wants(http.StatusSeeOther)
	wants("")
}

// Two members share a browser: one logs in while the form of the other is open
// in another window.
func TestFormOfAnotherMemberSavesAndSendsNothing(t *testing.T) {
	b := newBoard(t)
	author, other := storetest.Member(t, b.store), storetest.Moderator(t, b.store)
	forms := b.forms(author)
	c := b.as(author)
	for _, f := range forms {
		values := f.fill(c)
		c.post("/auth/logout", nil)
		c.login(other).wants(http.StatusSeeOther)
		own := f.fill(c)
		own.Set("body", "my own")
		own.Set("draft", "auto")
		c.post(f.action, own).wants(http.StatusNoContent)
		if c.get(f.page).doc().Find(".draft [name=member]").Length() != 1 {
			t.Error("the button that discards does not say whose draft")
		}
		for _, button := range []string{"auto", "draft", "preview", "discard", "publish"} {
			pressed, want := maps.Clone(values), http.StatusUnprocessableEntity
			switch button {
			case "auto":
				pressed.Set("draft", button)
				want = http.StatusForbidden
			case "discard":
				want = http.StatusSeeOther
			}
			if button != "auto" {
				pressed.Set(button, "1")
			}
			page := c.post(f.action, pressed).wants(want)
			if want == http.StatusUnprocessableEntity && page.alert("").field(f.action, "body") != f.text.Get("body") {
				t.Errorf("%s: the text is lost:\n%s", button, page.body)
			}
			if got := c.field(f.page, f.action, "body"); got != "my own" {
				t.Errorf("%s of %s: the draft of the member is %q", button, f.action, got)
			}
		}
		again := c.post(f.action, values)
		values.Set("member", again.field(f.action, "member"))
		c.post(f.action, values).wants(http.StatusSeeOther)
		c.post("/auth/logout", nil)
		c.login(author).wants(http.StatusSeeOther)
	}
}
