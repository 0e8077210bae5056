package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"madang/store"
	"madang/store/storetest"
)

// setting is a way to set a password, and the status when it is taken.
type setting struct {
	set  func(b *board, password string) *answer
	done int
}

func settings() map[string]setting {
	return map[string]setting{
		"sign-up": {func(b *board, password string) *answer {
			return b.guest().post("/auth/signup", signupForm("password", password))
		}, http.StatusSeeOther},
		"sign-up in JSON": {func(b *board, password string) *answer {
			fields := map[string]string{"password": password}
			for name, values := range signupForm("password", password) {
				fields[name] = values[0]
			}
			text, err := json.Marshal(fields)
			if err != nil {
				b.t.Fatal(err)
			}
			return b.guest().postJSON(string(text))
		}, http.StatusOK},
		"reset": {func(b *board, password string) *answer {
			token := storetest.ResetToken(b.t, b.store, storetest.Member(b.t, b.store).Email)
			return b.guest().post("/auth/reset", url.Values{"token": {token}, "password": {password}})
		}, http.StatusSeeOther},
		"account": {func(b *board, password string) *answer {
			c := b.as(storetest.Member(b.t, b.store))
			return c.post("/account/password", url.Values{"current": {storetest.Password}, "password": {password}})
		}, http.StatusSeeOther},
	}
}

func TestEveryWayToSetAPasswordRefusesTheSameOnes(t *testing.T) {
	b := newBoard(t)
	for way, s := range settings() {
		for name, c := range map[string]struct {
			password string
			words    string
		}{
			"7 characters":            {"k9-vq7x", "at least 8 characters"},
			"7 characters in Hangul":  {"나무늘보가잔다", "at least 8 characters"},
			"129 characters":          {strings.Repeat("x1", 64) + "y", "at most 128 characters"},
			"a common one":            {"password1", "too common"},
			"a common one in a shout": {"QWERTYUIOP", "too common"},
			"the site's name":         {"Madang2026", "too common"},
			"one character":           {"zzzzzzzzz", "too common"},
			"a row":                   {"abcdefghij", "too common"},
		} {
			a := s.set(b, c.password).wants(http.StatusUnprocessableEntity)
			if !strings.Contains(a.body, c.words) || strings.Contains(a.body, c.password) {
				t.Errorf("%s, %s: the answer lacks %q or holds the password:\n%s", way, name, c.words, a.body)
			}
		}
	}
}

func TestEveryWayToSetAPasswordTakesAnyCharacters(t *testing.T) {
	b := newBoard(t)
	for way, s := range settings() {
		for name, password := range map[string]string{
			"8 characters":              "k9-vq7xm",
			"8 characters in Hangul":    "나무늘보가잔다네",
			"lower-case letters":        "kqzvwpxjmbtyhgrldcsf",
			"spaces, Hangul and emoji":  "비밀 번호  \u00e9 🎉",
			"64 characters":             strings.Repeat("k9vq", 16),
			"128 characters":            strings.Repeat("나무늘보가잔다네", 16),
			"what looks like an attack": `'; DROP TABLE users; --<b>"`,
		} {
			if a := s.set(b, password); a.status != s.done {
				t.Errorf("%s, %s: status %d, want %d", way, name, a.status, s.done)
			}
		}
	}
}

func TestPasswordThatIsNoTextIsRefusedWithoutAFault(t *testing.T) {
	b := newBoard(t)
	for way, s := range settings() {
		if way != "sign-up in JSON" { // JSON has no such text
			s.set(b, "\xff\xfe12345678").wants(http.StatusUnprocessableEntity).alert("password")
		}
		if a := s.set(b, strings.Repeat("x", 1<<20)); a.status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s, a megabyte: status %d", way, a.status)
		}
	}
}

func TestPasswordIsComparedWhole(t *testing.T) {
	b := newBoard(t)
	long := strings.Repeat("Correct 말 ", 11) + "!" // 100 characters
	form := signupForm("password", long)
	c := b.guest()
	c.post("/auth/signup", form).leads("/auth/pending")
	for name, password := range map[string]string{
		"the first 72": string([]rune(long)[:72]), "one changed at the end": long[:len(long)-1] + "?",
		"another case": strings.ToUpper(long), "a space behind it": long + " ", "a space before it": " " + long,
	} {
		if a := b.guest().post("/auth/login", url.Values{"email": form["email"], "password": {password}}); a.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d", name, a.status)
		}
	}
	b.guest().post("/auth/login", url.Values{"email": form["email"], "password": {long}}).leads("/auth/pending")
}

func TestAnAdministratorsPasswordHasFifteenCharactersOnEveryWay(t *testing.T) {
	b := newBoard(t)
	chief := storetest.Admin(t, b.store)
	token := storetest.ResetToken(t, b.store, chief.Email)
	c := b.guest()
	c.get("/auth/reset?token=" + token).has("At least 15 characters")
	c.post("/auth/reset", url.Values{"token": {token}, "password": {"fourteen chars"}}).
		wants(http.StatusUnprocessableEntity).alert("password").has("at least 15 characters")
	b.as(chief).post("/account/password", url.Values{"current": {storetest.Password}, "password": {"fourteen chars"}}).
		wants(http.StatusUnprocessableEntity).alert("password").has("at least 15 characters")
	c.post("/auth/reset", url.Values{"token": {token}, "password": {"fifteen of them"}}).leads("/auth/login")
}

func TestEveryFormWithAPasswordHelpsManagers(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	_, id := b.signUp(b.guest())
	pages := map[string]*client{
		"/auth/signup": b.guest(), "/auth/login": b.guest(), "/account": b.as(u),
		"/auth/reset?token=" + storetest.ResetToken(t, b.store, u.Email): b.guest(),
		"/auth/verify?token=" + storetest.Token(t, b.store, id):          b.guest(),
	}
	for path, c := range pages {
		inputs := c.get(path).wants(http.StatusOK).doc().Find("main input")
		found := 0
		inputs.Each(func(_ int, input *goquery.Selection) {
			if name := input.AttrOr("name", ""); name != "password" && name != "current" {
				return
			}
			found++
			if input.AttrOr("type", "") != "password" ||
				!slices.Contains([]string{"new-password", "current-password"}, input.AttrOr("autocomplete", "")) {
				t.Errorf("%s: %s", path, input.AttrOr("autocomplete", "no autocomplete"))
			}
			if _, blocked := input.Attr("onpaste"); blocked || input.AttrOr("value", "") != "" || input.AttrOr("maxlength", "") != "" {
				t.Errorf("%s: the field hinders or tells", path)
			}
		})
		if found == 0 {
			t.Errorf("%s: no password is asked for", path)
		}
	}
}

func TestPasswordIsNeverShownAgain(t *testing.T) {
	b := newBoard(t)
	const typed = "wrong horse battery"
	u := storetest.Member(t, b.store)
	for _, a := range []*answer{
		b.guest().post("/auth/login", url.Values{"email": {u.Email}, "password": {typed}}),
		b.guest().post("/auth/signup", signupForm("password", typed, "email", "nonsense")),
		b.guest().postJSON(`{"email":"nonsense","name":"Kim","nickname":"kim","password":"` + typed + `"}`),
		b.as(u).post("/account/password", url.Values{"current": {typed}, "password": {typed}}),
	} {
		if a.wants(http.StatusUnprocessableEntity); strings.Contains(a.body, typed) {
			t.Errorf("%s shows it", a.what)
		}
	}
	if strings.Contains(b.logs.String(), typed) {
		t.Error("it stands in the log")
	}
}

func TestNothingAsksForARotationOrASecretQuestion(t *testing.T) {
	b := newBoard(t)
	for _, name := range b.everyRoute() {
		for _, word := range []string{"question", "hint", "expire", "rotate"} {
			if strings.Contains(name, word) {
				t.Errorf("%s is about a %s", name, word)
			}
		}
	}
	form := signupForm()
	c := b.guest()
	c.post("/auth/signup", form).leads("/auth/pending")
	id := b.newestSignup(form.Get("email"))
	c.post("/auth/verify/code", url.Values{"code": {storetest.Code(t, b.store, id)}}).leads("/")
	b.clock.Advance(5 * 365 * 24 * 60 * 60 * 1e9) // no password grows too old
	b.guest().post("/auth/login", url.Values{"email": form["email"], "password": form["password"]}).leads("/")
}

// newestSignup is the sign-up that the password of everybody leads to.
func (b *board) newestSignup(email string) int64 {
	b.t.Helper()
	in, err := b.store.Authenticate(b.t.Context(), store.Login{Email: email, Password: storetest.Password})
	if err != nil {
		b.t.Fatal(err)
	}
	return in.SignupID
}
