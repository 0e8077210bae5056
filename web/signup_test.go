package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

func signupForm(change ...string) url.Values {
	mark := strings.ToLower(newID()[:10])
	form := url.Values{
		"email": {mark + "@example.com"}, "name": {"Kim"}, "nickname": {"n-" + mark}, "password": {storetest.Password},
	}
	for i := 0; i < len(change); i += 2 {
		form.Set(change[i], change[i+1])
	}
	return form
}

func TestSignupLeadsToThePendingPage(t *testing.T) {
	b := newBoard(t)
	c, form := b.guest(), signupForm()
	c.get("/auth/signup").wants(http.StatusOK)
	c.post("/auth/signup", form).leads("/auth/pending")
	page := c.get("/auth/pending").wants(http.StatusOK).has(form.Get("email"))
	if state := page.attr("#delivery", "data-state"); state != string(store.Queued) {
		t.Errorf("delivery is %q", state)
	}
	if got := b.jobs(store.KindVerifyMail); got != 1 {
		t.Errorf("%d mails are queued", got)
	}
}

// jobs counts the jobs of a kind.
func (b *board) jobs(kind string) (n int64) {
	b.t.Helper()
	counts, err := b.store.JobCounts(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	for _, c := range counts {
		if c.Kind == kind {
			n += c.Count
		}
	}
	return n
}

func TestSignupRefusesBadInputAndKeepsTheRest(t *testing.T) {
	b := newBoard(t)
	for name, bad := range map[string]struct{ field, value string }{
		"no address":              {"email", ""},
		"no nickname":             {"nickname", ""},
		"no name":                 {"name", ""},
		"no password":             {"password", ""},
		"long address":            {"email", strings.Repeat("a", 250) + "@example.com"},
		"long nickname":           {"nickname", strings.Repeat("a", 21)},
		"long name":               {"name", strings.Repeat("가", 51)},
		"short password":          {"password", "1234567"},
		"long password":           {"password", strings.Repeat("a", 129)},
		"wrong address":           {"email", "nobody"},
		"quoted local part":       {"email", `"foo@psres.net> ORCPT=admin@admin.com"@example.com`},
		"address with comment":    {"email", "a(b)@example.com"},
		"address with line break": {"email", "a@example.com\r\nBcc: b@example.com"},
		"nickname with CR LF":     {"nickname", "nick\r\nBcc: x@y.z"},
		"nickname like a link":    {"nickname", "evil.test/login"},
		"nickname not UTF-8":      {"nickname", "ni\xff\xfeck"},
		"name not UTF-8":          {"name", "\xff\xfe"},
		"address not UTF-8":       {"email", "a\xff@example.com"},
		"password not UTF-8":      {"password", "\xff\xfe12345678"},
		"control character":       {"name", "Kim\x00\x1b"},
		"bidi override":           {"name", "Kim\u202ecba"},
		"invisible name":          {"name", "\u200b\u3164"},
	} {
		t.Run(name, func(t *testing.T) {
			form := signupForm(bad.field, bad.value)
			page := b.guest().post("/auth/signup", form).wants(http.StatusUnprocessableEntity).alert(bad.field)
			for _, field := range []string{"email", "name", "nickname"} {
				if field != bad.field && page.field("/auth/signup", field) != form.Get(field) {
					t.Errorf("%s was not kept", field)
				}
			}
			if strings.Contains(page.body, storetest.Password) {
				t.Error("the password is shown")
			}
		})
	}
	if got := b.jobs(store.KindVerifyMail); got != 0 {
		t.Errorf("%d mails were queued", got)
	}
}

func TestSignupRefusesTheNicknameOfAMember(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	form := signupForm("nickname", strings.ToUpper(u.Nickname))
	b.guest().post("/auth/signup", form).wants(http.StatusUnprocessableEntity).alert("nickname")
}

func TestSignupTakesTheFirstOfRepeatedFieldsAndNoneOfTheQuery(t *testing.T) {
	b := newBoard(t)
	c, form := b.guest(), signupForm()
	form.Add("email", "second@example.com")
	c.post("/auth/signup?email=query@example.com&name=query", form).leads("/auth/pending")
	c.get("/auth/pending").has(form.Get("email"))
	b.guest().post("/auth/signup?name=query", signupForm("name", "")).wants(http.StatusUnprocessableEntity).alert("name")
}

func TestSignupTakesNoFieldsItDoesNotKnow(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	form := signupForm("role", "admin", "verified", "1", "id", "1")
	c.post("/auth/signup", form).leads("/auth/pending")
	if c.loggedIn() {
		t.Error("logged in without a proof")
	}
}

func TestSignupOfAKnownAddressLooksTheSame(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	known := signupForm("email", u.Email)
	fresh := signupForm("email", strings.Repeat("x", len(u.Email)-len("@example.com"))+"@example.com")
	var bodies []string
	for _, form := range []url.Values{known, fresh} {
		c := b.guest()
		a := c.post("/auth/signup", form).leads("/auth/pending")
		if a.body != "" {
			t.Errorf("a redirect with a body: %q", a.body)
		}
		page := c.get("/auth/pending").wants(http.StatusOK)
		bodies = append(bodies, strings.NewReplacer(form.Get("email"), "ADDRESS", url.QueryEscape(form.Get("email")), "ADDRESS").Replace(page.body))
	}
	if bodies[0] != bodies[1] {
		t.Errorf("the pages differ:\n%s\n%s", bodies[0], bodies[1])
	}
}

func TestSignupOfAMemberLeadsHome(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	c.get("/auth/signup").leads("/")
	c.post("/auth/signup", signupForm()).leads("/")
}

func TestSignupBeyondTheLimitOfAClientIsRefused(t *testing.T) {
	b := newBoard(t, limited)
	for range 20 {
		b.guest().post("/auth/signup", signupForm()).leads("/auth/pending")
	}
	a := b.guest().post("/auth/signup", signupForm(), "X-Forwarded-For", "203.0.113.9").wants(http.StatusTooManyRequests)
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	json := b.guest().postJSON(`{"email":"a@example.com","name":"Kim","nickname":"kim","password":"correct horse"}`)
	if json.wants(http.StatusTooManyRequests); strings.TrimSpace(json.body) != `{"errors":{}}` {
		t.Errorf("body %q", json.body)
	}
}

func (c *client) postJSON(body string) *answer {
	c.t.Helper()
	return c.send(http.MethodPost, "/auth/signup", strings.NewReader(body), "Content-Type", "application/json")
}

func TestSignupInJSON(t *testing.T) {
	b := newBoard(t)
	for name, test := range map[string]struct {
		body   string
		status int
		answer string
	}{
		"good":      {`{"email":"a@example.com","name":"Kim","nickname":"kim","password":"correct horse"}`, 200, `{"status":"pending"}`},
		"invalid":   {`{"email":"nonsense","name":"Kim","nickname":"kim","password":"correct horse"}`, 422, `{"errors":{"email":"Enter an e-mail address like name@example.com."}}`},
		"broken":    {`{"email":`, 400, `{"errors":{}}`},
		"a number":  {`{"email":5}`, 400, `{"errors":{}}`},
		"not UTF-8": {"{\"email\":\"\xff\"}", 400, `{"errors":{}}`},
		"two":       {`{} {}`, 400, `{"errors":{}}`},
		"a list":    {`[]`, 400, `{"errors":{}}`},
		"nothing":   {`null`, 400, `{"errors":{}}`},
	} {
		t.Run(name, func(t *testing.T) {
			a := b.guest().postJSON(test.body).wants(test.status)
			if got := strings.TrimSpace(a.body); got != test.answer {
				t.Errorf("answer %s, want %s", got, test.answer)
			}
			if got := a.header.Get("Content-Type"); !strings.HasPrefix(got, "application/json") {
				t.Errorf("content type %q", got)
			}
		})
	}
}

func TestFieldsOfJSONAreReadAsThoseOfAForm(t *testing.T) {
	c := newBoard(t).guest()
	c.postJSON(`{"role":["admin"],"email":"first@example.com","email":"second@example.com","EMAIL":"third@example.com",
		"name":"Kim","nickname":"kim","password":"correct horse"}`).wants(http.StatusOK)
	c.get("/auth/pending").has("first@example.com")
}

func TestSignupInJSONOfAMemberIsRefused(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	a := c.postJSON(`{"email":"json@example.com","name":"Kim","nickname":"kim","password":"correct horse"}`).wants(http.StatusConflict)
	if got := strings.TrimSpace(a.body); got != `{"errors":{}}` || !strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
		t.Errorf("answer %s of type %q", got, a.header.Get("Content-Type"))
	}
	if !c.loggedIn() || c.get("/auth/pending").doc().Find("#delivery").Length() != 0 {
		t.Error("the session is another than before")
	}
}

func TestSignupInJSONHoldsTheSession(t *testing.T) {
	c := newBoard(t).guest()
	c.postJSON(`{"email":"json@example.com","name":"Kim","nickname":"kim","password":"correct horse"}`).wants(http.StatusOK)
	c.get("/auth/pending").has("json@example.com")
}
