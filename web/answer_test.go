package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// answer is what came back, read as a page.
type answer struct {
	t      *testing.T
	what   string
	status int
	header http.Header
	body   string
}

func (a *answer) wants(status int) *answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s: status %d, want %d\n%s", a.what, a.status, status, a.body)
	}
	return a
}

// leads checks a redirect.
func (a *answer) leads(location string) *answer {
	a.t.Helper()
	a.wants(http.StatusSeeOther)
	if got := a.header.Get("Location"); got != location {
		a.t.Fatalf("%s: leads to %q, want %q", a.what, got, location)
	}
	return a
}

func (a *answer) doc() *goquery.Document {
	a.t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(a.body))
	if err != nil {
		a.t.Fatal(err)
	}
	return doc
}

func (a *answer) has(words string) *answer {
	a.t.Helper()
	if !strings.Contains(a.doc().Text(), words) {
		a.t.Fatalf("%s: the page does not say %q:\n%s", a.what, words, a.body)
	}
	return a
}

func (a *answer) attr(selector, name string) string {
	a.t.Helper()
	value, ok := a.doc().Find(selector).Attr(name)
	if !ok {
		a.t.Fatalf("%s: no %s with %s:\n%s", a.what, selector, name, a.body)
	}
	return value
}

func (a *answer) field(action, name string) string {
	a.t.Helper()
	form := `form[action="` + action + `"] `
	if area := a.doc().Find(form + `textarea[name="` + name + `"]`); area.Length() > 0 {
		return strings.TrimPrefix(area.Text(), "\n")
	}
	return a.attr(form+`[name="`+name+`"]`, "value")
}

// alert checks that the page lists a problem and ties it to its field.
func (a *answer) alert(field string) *answer {
	a.t.Helper()
	doc := a.doc()
	if doc.Find(`[role="alert"]`).Length() == 0 {
		a.t.Fatalf("%s: no alert:\n%s", a.what, a.body)
	}
	if field == "" {
		return a
	}
	ids, _ := doc.Find(`[name="` + field + `"][aria-invalid="true"]`).Attr("aria-describedby")
	first, _, _ := strings.Cut(ids, " ")
	if first == "" || doc.Find("#"+first).Text() == "" {
		a.t.Fatalf("%s: no words beside %q:\n%s", a.what, field, a.body)
	}
	return a
}
