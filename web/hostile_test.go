package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"madang/store/storetest"
)

// hostile are texts that other programs took for something else.
func hostile() []string {
	return []string{
		"'", `"`, "' OR '1'='1", "1; DROP TABLE users; --", "1 UNION SELECT password_hash FROM users", "%27%20OR%201=1", "%", "_", `\`,
		`" OR 1=1 --`, "NEAR(", `"a`, "a*", "^", "AND", "(", "-", "col:x", "{{7*7}}", "${7*7}", "<script>alert(1)</script>", "javascript:alert(1)",
		"\x00", "\xff\xfe", "\u202e", "\r\nX-Evil: 1", "-1", "0", "1e9", "9223372036854775807", "9223372036854775808", "٣", "../../etc/passwd",
		strings.Repeat("a", 5000), strings.Repeat("가", 3000),
	}
}

// parameters are all that any page reads from its address or its form.
func parameters() []string {
	return []string{
		"before", "after", "sort", "q", "show", "comments", "part", "role", "state", "kind", "token", "next", "to", "reply", "email", "name", "nickname", "password",
		"code", "title", "body", "parent", "form_id", "lang", "current", "id", "all",
	}
}

func TestHostileTextsAreTextsOnEveryRoute(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	admin := b.staying(storetest.Admin(t, b.store))
	for _, name := range b.everyRoute() {
		method, pattern, _ := strings.Cut(name, " ")
		path := b.fill(pattern, author)
		for _, c := range []*client{b.guest(), admin()} {
			for _, text := range hostile() {
				fields := url.Values{}
				for _, parameter := range parameters() {
					fields.Set(parameter, text)
				}
				a := c.ask(method, path, fields)
				if a.status >= http.StatusInternalServerError || a.header.Get("X-Evil") != "" || strings.HasPrefix(a.header.Get("Location"), "http") {
					t.Errorf("%s with %.40q: %d, %v", name, text, a.status, a.header)
				}
				if a.doc().Find("main script, [onerror], [href^='javascript:']").Length() > 0 {
					t.Errorf("%s with %.40q: the text became HTML", name, text)
				}
			}
		}
	}
	b.as(author).get("/").wants(http.StatusOK)
}

// ask sends fields in the query of a GET or the form of a POST.
func (c *client) ask(method, path string, fields url.Values) *answer {
	c.t.Helper()
	if method == http.MethodGet {
		return c.get(path + "?" + fields.Encode())
	}
	return c.post(path, fields)
}

func TestWhatIsNoNumberIsTheNumberOfNothing(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Admin(t, b.store))
	for _, name := range b.everyRoute() {
		method, pattern, _ := strings.Cut(name, " ")
		if !strings.Contains(pattern, ":id") {
			continue
		}
		for _, text := range []string{"%27", "0", "-1", "+1", "01", "1e3", "9223372036854775808", "1%00", "%ff", "1%2f2", "1;2", "%EF%BC%91"} {
			a := c.ask(method, strings.ReplaceAll(pattern, ":id", text), url.Values{"role": {"admin"}})
			if a.status != http.StatusNotFound {
				t.Errorf("%s of %s: %d", name, text, a.status)
			}
		}
	}
}

func TestOnlyFormsAreTakenOnEveryRoute(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	come := b.staying(storetest.Admin(t, b.store))
	for _, name := range b.everyRoute() {
		method, pattern, _ := strings.Cut(name, " ")
		if method != http.MethodPost {
			continue
		}
		path := b.fill(pattern, author)
		for _, kind := range []string{"text/plain", "multipart/form-data; boundary=x", "application/xml", "application/json", "", "x"} {
			if kind == "application/json" && path == signupPath {
				continue
			}
			a := come().send(method, path, strings.NewReader(`{"role":"admin"}`), "Content-Type", kind)
			if a.status != http.StatusUnsupportedMediaType {
				t.Errorf("%s as %q: %d", name, kind, a.status)
			}
		}
	}
}

func TestNoAnswerIsOpenToOtherSites(t *testing.T) {
	b := newBoard(t)
	author := storetest.Member(t, b.store)
	come := b.staying(storetest.Admin(t, b.store))
	for _, name := range b.everyRoute() {
		method, pattern, _ := strings.Cut(name, " ")
		path := b.fill(pattern, author)
		for _, asked := range []string{method, http.MethodOptions} {
			a := come().send(asked, path, nil, "Origin", "https://evil.test", "Access-Control-Request-Method", method)
			for header := range a.header {
				if strings.HasPrefix(header, "Access-Control-") {
					t.Errorf("%s %s answers with %s", asked, path, header)
				}
			}
		}
	}
}
