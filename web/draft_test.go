package web

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"madang/store"
	"madang/store/storetest"
)

// writtenForm is a form in which members write, as this member finds it.
type writtenForm struct {
	page, action string
	text         url.Values // what the member writes
}

// forms are all of them, about the member's own post and comment.
func (b *board) forms(u store.User) []writtenForm {
	b.t.Helper()
	post := storetest.Post(b.t, b.store, u)
	comment, err := b.store.CreateComment(b.t.Context(), u, store.NewComment{PostID: post, Body: "said", FormID: newID()})
	if err != nil {
		b.t.Fatal(err)
	}
	titled, bare := url.Values{"title": {"My title"}, "body": {"**my** text"}}, url.Values{"body": {"**my** text"}}
	return []writtenForm{
		{"/posts/new", "/posts", titled},
		{fmt.Sprintf("/posts/%d/edit", post), fmt.Sprintf("/posts/%d", post), titled},
		{fmt.Sprintf("/posts/%d", post), fmt.Sprintf("/posts/%d/comments", post), bare},
		{fmt.Sprintf("/comments/%d/edit", comment), fmt.Sprintf("/comments/%d", comment), bare},
	}
}

// everyForm runs a test on each form.
func everyForm(t *testing.T, test func(t *testing.T, b *board, c *client, f writtenForm), change ...func(*board)) {
	for i := range 4 {
		b := newBoard(t, change...)
		u := storetest.Member(t, b.store)
		f := b.forms(u)[i]
		t.Run(f.action, func(t *testing.T) {
			b.t = t
			test(t, b, b.as(u), f)
		})
	}
}

// fill opens the form and writes into it; more are the buttons pressed.
func (f writtenForm) fill(c *client, more ...string) url.Values {
	c.t.Helper()
	page := c.get(f.page).wants(http.StatusOK)
	values := maps.Clone(f.text)
	page.doc().Find(`form:has(textarea) input[type=hidden]`).Each(func(_ int, s *goquery.Selection) {
		values.Set(s.AttrOr("name", ""), s.AttrOr("value", ""))
	})
	for _, button := range more {
		values.Set(button, "1")
	}
	return values
}

func TestPreviewShowsTheTextAndPublishesNothing(t *testing.T) {
	everyForm(t, func(t *testing.T, b *board, c *client, f writtenForm) {
		other := storetest.Member(t, b.store)
		f.text.Set("body", "**my** @"+other.Nickname+"\n\n- [ ] x[^1]\n\n[^1]: y")
		values := f.fill(c, "preview")
		before := c.get("/").body
		page := c.post(f.action, values).wants(http.StatusOK)
		shown := page.doc().Find("#preview .prose")
		if shown.Find("strong").Text() != "my" || shown.Find("a.mention").Length() != 1 || shown.Find("label input[disabled]").Length() != 1 {
			t.Errorf("the preview is\n%s", page.body)
		}
		for name := range f.text {
			if got := page.field(f.action, name); got != f.text.Get(name) {
				t.Errorf("the form holds the %s %q", name, got)
			}
		}
		if got := page.doc().Find("form:has(textarea) [name=form_id]").AttrOr("value", ""); got != values.Get("form_id") {
			t.Errorf("the form has the id %q, had %q", got, values.Get("form_id"))
		}
		if c.get("/").body != before {
			t.Error("something was published")
		}
	})
}

func TestWhatIsPreviewedIsPublishedOnce(t *testing.T) {
	everyForm(t, func(t *testing.T, _ *board, c *client, f writtenForm) {
		values := f.fill(c)
		preview := maps.Clone(values)
		preview.Set("preview", "1")
		c.post(f.action, preview).wants(http.StatusOK)
		first := c.post(f.action, values).wants(http.StatusSeeOther).header.Get("Location")
		c.post(f.action, preview).wants(http.StatusOK)
		c.post(f.action, values).leads(first)
		page := c.get(f.page).wants(http.StatusOK)
		if page.doc().Find(".draft").Length() != 0 {
			t.Error("a draft is left of what was published")
		}
	})
}

func TestPreviewTellsWhatSavingWouldTell(t *testing.T) {
	everyForm(t, func(t *testing.T, _ *board, c *client, f writtenForm) {
		for name, body := range map[string]string{"empty": " ", "control": "a\x07b", "too long": strings.Repeat("가", 50_001)} {
			values := f.fill(c)
			values.Set("body", body)
			saved := c.post(f.action, values).wants(http.StatusUnprocessableEntity).alert("body").doc().Find("#body-problem").Text()
			values.Set("preview", "1")
			page := c.post(f.action, values).wants(http.StatusUnprocessableEntity).alert("body")
			if got := page.doc().Find("#body-problem").Text(); got != saved {
				t.Errorf("%s: preview says %q, saving %q", name, got, saved)
			}
			if page.doc().Find("#preview").Length() != 0 || page.field(f.action, "body") != shown(body) {
				t.Errorf("%s: a preview is shown, or the text is lost", name)
			}
		}
	})
}

func TestPreviewWithoutATitleIsShown(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	page := c.post("/posts", url.Values{"body": {"_my_"}, "preview": {"1"}}).wants(http.StatusUnprocessableEntity).alert("title")
	if page.doc().Find("#preview em").Text() != "my" {
		t.Errorf("no preview:\n%s", page.body)
	}
}

func TestDraftFillsItsFormUntilItIsDiscarded(t *testing.T) {
	everyForm(t, func(t *testing.T, b *board, c *client, f writtenForm) {
		for _, button := range []string{"draft", "preview", "auto"} {
			values := f.fill(c, button)
			want := http.StatusSeeOther
			switch button {
			case "auto":
				values.Set("draft", "auto")
				want = http.StatusNoContent
			case "preview":
				want = http.StatusOK
			}
			c.post(f.action, values).wants(want)
			b.clock.Advance(5 * time.Minute)
			page := c.get(f.page).wants(http.StatusOK)
			for name := range f.text {
				if got := page.field(f.action, name); got != f.text.Get(name) {
					t.Errorf("%s: the form holds the %s %q", button, name, got)
				}
			}
			if line := strings.Join(strings.Fields(page.doc().Find(".draft p").Text()), " "); line != "Draft from 5 minutes ago" {
				t.Errorf("%s: the page says %q", button, line)
			}
			back := c.post(f.action, url.Values{"discard": {page.doc().Find(".draft [name=discard]").AttrOr("value", "")}})
			back.wants(http.StatusSeeOther)
			page = c.get(f.page)
			if page.doc().Find(".draft").Length() != 0 || page.field(f.action, "body") == f.text.Get("body") {
				t.Errorf("%s: the draft is still there", button)
			}
		}
	})
}

func TestDraftIsItsAuthorsAlone(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	post := storetest.Post(t, b.store, author)
	c := b.as(author)
	c.post("/posts", url.Values{"title": {"t"}, "body": {"my secret"}, "draft": {"1"}}).leads("/posts/new")
	for _, u := range []store.User{storetest.Member(t, b.store), storetest.Admin(t, b.store)} {
		if got := b.as(u).field("/posts/new", "/posts", "body"); got != "" {
			t.Errorf("somebody else's form holds %q", got)
		}
	}
	stranger := b.as(storetest.Member(t, b.store))
	for _, button := range []string{"draft", "preview", "discard"} {
		stranger.post(postPath(post), url.Values{"title": {"t"}, "body": {"b"}, button: {"1"}}).wants(http.StatusForbidden)
	}
	if data := c.get("/account/data.json").wants(http.StatusOK).body; !strings.Contains(data, "my secret") {
		t.Errorf("the member's data is without the draft:\n%s", data)
	}
}

func TestFormTellsThatThePostWasChangedSince(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	f := b.forms(author)[1]
	c := b.as(author)
	values := f.fill(c, "draft")
	c.post(f.action, values).leads(f.page)
	if c.get(f.page).doc().Find(`a[href="`+f.action+`"]:contains("now")`).Length() != 0 {
		t.Error("a change is told that nobody made")
	}
	b.clock.Advance(time.Minute)
	b.as(storetest.Moderator(t, b.store)).post(f.action, url.Values{"title": {"moderated"}, "body": {"moderated"}}).leads(f.action)
	c.get(f.page).wants(http.StatusOK).has("has been changed since")
	c.post(f.action, f.fill(c, "preview")).wants(http.StatusOK).has("has been changed since")
	c.post(f.action, f.fill(c)).leads(f.action)
	if strings.Contains(c.get(f.page).body, "has been changed since") {
		t.Error("it is told after saving")
	}
}

func TestButtonsHaveLimitsThatKeepTheText(t *testing.T) {
	b := newBoard(t, limited)
	c := b.as(storetest.Member(t, b.store))
	values := url.Values{"title": {"t"}, "body": {"kept here"}, "form_id": {"abc"}}
	for _, button := range []string{"preview", "draft"} {
		pressed := maps.Clone(values)
		pressed.Set(button, "1")
		for range 20 {
			if a := c.post("/posts", pressed); a.status != http.StatusOK && a.status != http.StatusSeeOther {
				t.Fatalf("%s: %d", button, a.status)
			}
		}
		page := c.post("/posts", pressed).wants(http.StatusTooManyRequests).alert("")
		if got := page.field("/posts", "body"); got != "kept here" || page.header.Get("Retry-After") != "60" {
			t.Errorf("%s: the form holds %q, Retry-After %q", button, got, page.header.Get("Retry-After"))
		}
	}
	values.Set("draft", "auto")
	c.post("/posts", values).wants(http.StatusTooManyRequests)
}

// A browser presses the first button of a form when somebody presses Enter in
// the title.
func TestFirstButtonOfAFormPublishes(t *testing.T) {
	everyForm(t, func(t *testing.T, _ *board, c *client, f writtenForm) {
		for page, doc := range map[string]*goquery.Document{
			"the form": c.get(f.page).doc(), "the form with a preview": c.post(f.action, f.fill(c, "preview")).doc(),
		} {
			first := doc.Find("form:has(textarea)").Find("button, input[type=submit], input[type=image]").First()
			_, named := first.Attr("name")
			_, elsewhere := first.Attr("formaction")
			if first.Length() != 1 || named || elsewhere || first.AttrOr("type", "submit") != "submit" {
				t.Errorf("%s: Enter presses %q", page, first.Text())
			}
		}
	})
}
