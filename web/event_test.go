package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/store/storetest"
	"madang/views"
)

// logged are the lines of the log, each of which has to be JSON by itself.
func (b *board) logged() []map[string]any {
	b.t.Helper()
	var lines []map[string]any
	for line := range strings.Lines(b.logs.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			b.t.Fatalf("%v: %s", err, line)
		}
		lines = append(lines, fields)
	}
	return lines
}

// story is what happens on a board, and what must not be told of it.
type story struct {
	*board
	secrets []string
}

// hides notes what must not stand in the log.
func (s *story) hides(secrets ...string) { s.secrets = append(s.secrets, secrets...) }

// post sends a form whose fields, and the cookies around it, are secret.
func (s *story) post(c *client, path string, form url.Values) *answer {
	s.t.Helper()
	s.hides(c.cookie())
	for _, field := range []string{"password", "current", "code", "token", "email", "body"} {
		s.hides(form.Get(field))
	}
	a := c.post(path, form)
	s.hides(c.cookie())
	return a
}

func (s *story) logsIn(u store.User) *client {
	s.t.Helper()
	c := s.guest()
	s.post(c, "/auth/login", url.Values{"email": {u.Email}, "password": {storetest.Password}}).wants(http.StatusSeeOther)
	return c
}

// signsUp goes the long way to a member.
func (s *story) signsUp() {
	s.t.Helper()
	c, form := s.guest(), signupForm()
	trapped := signupForm(views.TrapField, "https://spam.test")
	s.post(c, "/auth/signup", trapped).wants(http.StatusUnprocessableEntity)
	s.post(c, "/auth/signup", form).leads("/auth/pending")
	in, err := s.store.Authenticate(s.t.Context(), store.Login{Email: form.Get("email"), Password: storetest.Password})
	if err != nil {
		s.t.Fatal(err)
	}
	s.post(s.guest(), "/auth/login", form).leads("/auth/pending")
	s.clock.Advance(2 * time.Minute)
	s.post(c, "/auth/pending/email", url.Values{"email": {"right." + form.Get("email")}}).leads("/auth/pending")
	s.clock.Advance(2 * time.Minute)
	s.post(c, "/auth/resend", nil).leads("/auth/pending")
	s.post(c, "/auth/resend", nil).wants(http.StatusTooManyRequests)
	mail := storetest.Mail(s.t, s.store, in.SignupID)
	s.hides(mail.Code, mail.Token, mail.MessageID, mail.To)
	s.post(c, "/auth/verify/code", url.Values{"code": {wrongCode(mail.Code)}}).wants(http.StatusUnprocessableEntity)
	s.post(s.guest(), "/auth/verify", url.Values{"token": {mail.Token}, "password": {"wrong at the link"}}).wants(http.StatusUnprocessableEntity)
	c.get("/auth/verify?token=" + mail.Token).wants(http.StatusOK)
	s.guest().get("/auth/verify?token=" + mail.Token + "x").wants(http.StatusNotFound)
	s.post(c, "/auth/verify", url.Values{"token": {mail.Token}}).leads("/")
}

// forgets has a new password mailed and sets it.
func (s *story) forgets(u store.User) {
	s.t.Helper()
	c := s.guest()
	for range 11 {
		s.post(c, "/auth/login", url.Values{"email": {u.Email}, "password": {"wrong at the door"}})
	}
	s.post(c, "/auth/forgot", url.Values{"email": {u.Email}}).leads("/auth/forgot/sent")
	token := storetest.ResetToken(s.t, s.store, u.Email)
	c.get("/auth/reset?token=" + token).wants(http.StatusOK)
	s.post(c, "/auth/reset", url.Values{"token": {token}, "password": {storetest.Password}}).leads("/auth/login")
	s.post(c, "/auth/reset", url.Values{"token": {token}, "password": {storetest.Password}}).wants(http.StatusGone)
	s.clock.Advance(2 * time.Hour)
}

// changesAccount goes through the forms of the account page.
func (s *story) changesAccount(u store.User) {
	s.t.Helper()
	c, current := s.logsIn(u), storetest.Password
	s.post(c, "/account/nickname", url.Values{"nickname": {"other-" + u.Nickname[5:]}}).wants(http.StatusSeeOther)
	s.post(c, "/account/email", url.Values{"email": {"new." + u.Email}, "current": {"wrong at home"}}).wants(http.StatusUnprocessableEntity)
	s.post(c, "/account/email", url.Values{"email": {"new." + u.Email}, "current": {current}}).wants(http.StatusSeeOther)
	token := s.sent(store.KindEmailMail)[0].Token
	s.post(c, "/auth/email", url.Values{"token": {token}}).wants(http.StatusSeeOther)
	s.post(c, "/account/password", url.Values{"current": {current}, "password": {"another long password"}}).wants(http.StatusSeeOther)
	s.post(c, "/account/sessions/end", url.Values{"all": {"1"}}).wants(http.StatusSeeOther)
	c.get("/account/data.json").wants(http.StatusOK)
	c.get("/admin").wants(http.StatusForbidden)
	c.post("/auth/logout", nil, "Origin", "https://evil.test").wants(http.StatusForbidden)
	s.post(c, "/auth/logout", nil).leads("/")
	c = s.guest()
	s.post(c, "/auth/login", url.Values{"email": {"new." + u.Email}, "password": {"another long password"}}).leads("/")
	s.post(c, "/account/delete", url.Values{"current": {"another long password"}}).leads("/")
}

// administers changes what members may do, and what they wrote.
func (s *story) administers(u store.User) {
	s.t.Helper()
	admin := s.logsIn(storetest.Admin(s.t, s.store))
	s.clock.Advance(provenLife)
	s.post(admin, userPath(u, "role"), url.Values{"role": {"moderator"}, "current": {"wrong at work"}}).wants(http.StatusUnprocessableEntity)
	s.post(admin, userPath(u, "role"), url.Values{"role": {"moderator"}, "current": {storetest.Password}}).wants(http.StatusSeeOther)
	s.post(admin, userPath(u, "disable"), nil).wants(http.StatusSeeOther)
	s.post(admin, userPath(u, "enable"), nil).wants(http.StatusSeeOther)
	for _, act := range []string{"retry", "drop"} {
		_, job := storetest.DeadMail(s.t, s.store, "550 no")
		s.post(admin, fmt.Sprintf("/admin/jobs/%d/%s", job, act), nil).wants(http.StatusSeeOther)
	}
	comment := s.comment(u)
	s.post(admin, fmt.Sprint("/comments/", comment), goodText()).wants(http.StatusSeeOther)
	s.post(admin, fmt.Sprintf("/comments/%d/delete", comment), nil).wants(http.StatusSeeOther)
	post := storetest.Post(s.t, s.store, u)
	s.post(admin, fmt.Sprint("/posts/", post), goodText()).wants(http.StatusSeeOther)
	s.post(admin, fmt.Sprintf("/posts/%d/delete", post), nil).wants(http.StatusSeeOther)
}

func newStory(t *testing.T) *story {
	t.Helper()
	return &story{board: newBoard(t, func(b *board) {
		b.store = storetest.Open(b.t, store.Options{Now: b.clock.Now, Log: b.options.Log})
	})}
}

func TestWhatWatchersLookForIsLoggedAndNoSecretWithIt(t *testing.T) {
	s := newStory(t)
	u, other := storetest.Member(t, s.store), storetest.Member(t, s.store)
	s.signsUp()
	s.forgets(u)
	s.changesAccount(u)
	s.administers(other)
	counted := map[string]int{}
	for _, line := range s.logged() {
		what, _ := line["msg"].(string)
		counted[what]++
		if line["component"] != "web" {
			continue
		}
		if line["client"] != "127.0.0.1" || line["id"] == "" || line["time"] == "" {
			t.Errorf("%q says not from where, when or in which request: %v", what, line)
		}
	}
	for _, want := range []string{
		"sign-up trapped", "signed up", "logged in before the proof", "address corrected", "sign-up mail asked for", "limit hit", "code refused",
		"wrong password at verification", "link refused", "verified",
		"login failed", "login throttled", "new password asked for", "password reset",
		"logged in", "nickname changed", "wrong password at the account page", "change of address asked for", "address changed",
		"password changed", "other sessions ended", "data downloaded", "denied", "logged out", "account deleted",
		"wrong password at confirmation", "role changed", "member disabled", "member enabled", "job retried", "job dropped",
		"comment changed by moderator", "comment deleted by moderator", "post changed by moderator", "post deleted by moderator",
	} {
		if counted[want] == 0 {
			t.Errorf("%q is not logged", want)
		}
	}
	s.keepsSecrets()
}

// figures are digits in the log that nobody typed.
var figures = regexp.MustCompile(`"(time|took|bytes)":("[^"]*"|\d+),?`)

func (s *story) keepsSecrets() {
	s.t.Helper()
	log := figures.ReplaceAllString(s.logs.String(), "")
	slices.Sort(s.secrets)
	secrets := slices.Compact(s.secrets)
	if len(secrets) < 30 {
		s.t.Errorf("only %d secrets were used", len(secrets))
	}
	for _, secret := range secrets {
		if secret != "" && strings.Contains(log, secret) {
			s.t.Errorf("the log holds %q", secret)
		}
	}
	if strings.Contains(log, "token=") || strings.Contains(log, "$argon2") {
		s.t.Error("the log holds an address with a token, or a hash")
	}
}

func TestAnEventSaysWhoDidWhatToWhom(t *testing.T) {
	b := newBoard(t)
	u, chief := storetest.Member(t, b.store), storetest.Admin(t, b.store)
	b.as(chief).post(userPath(u, "role"), url.Values{"role": {"moderator"}}).wants(http.StatusSeeOther)
	for _, line := range b.logged() {
		if line["msg"] != "role changed" {
			continue
		}
		if line["user"] != float64(chief.ID) || line["member"] != float64(u.ID) || line["before"] != "member" || line["role"] != "moderator" ||
			line["email"] != store.MaskEmail(u.Email) {
			t.Errorf("the event is %v", line)
		}
		return
	}
	t.Error("there is no event")
}

func TestARefusalSaysWhy(t *testing.T) {
	b := newBoard(t)
	b.server.echo.GET("/busy", func(echo.Context) error { return fmt.Errorf("log in: %w", &store.BusyError{Wait: time.Second}) })
	c := b.as(storetest.Member(t, b.store))
	c.get("/admin").wants(http.StatusForbidden)
	c.post("/auth/logout", nil, "Sec-Fetch-Site", "cross-site").wants(http.StatusForbidden)
	c.get("/busy").wants(http.StatusServiceUnavailable)
	var why []string
	for _, line := range b.logged() {
		if line["why"] != nil {
			why = append(why, fmt.Sprint(line["msg"], ": ", line["why"]))
		}
		if line["level"] == "ERROR" {
			t.Errorf("nothing is at fault, and yet: %v", line)
		}
	}
	want := []string{"denied: forbidden", "denied: cross-origin request", "limit hit: log in: busy: come again in 1s"}
	if diff := cmp.Diff(want, why); diff != "" {
		t.Error(diff)
	}
}

func TestNothingThatIsTypedMakesALineOfTheLog(t *testing.T) {
	b := newBoard(t)
	forged := "x\n{\"msg\":\"logged in\",\"user\":1}\r\n\u2028{\"msg\":\"forged\"}"
	b.guest().post("/auth/signup", signupForm("nickname", forged, "email", forged+"@example.com")).wants(http.StatusUnprocessableEntity)
	b.guest().post("/auth/login", url.Values{"email": {forged + "@example.com"}, "password": {forged}}).wants(http.StatusUnprocessableEntity)
	b.guest().get("/" + url.PathEscape(forged)).wants(http.StatusNotFound)
	b.guest().get("/", "User-Agent", "x {\"msg\":\"forged\"}", "X-Request-Id", "forged").wants(http.StatusOK)
	for _, line := range b.logged() {
		if what := line["msg"]; what != "request" && what != "login failed" {
			t.Errorf("somebody wrote into the log: %v", line)
		}
	}
}
