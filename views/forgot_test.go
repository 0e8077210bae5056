package views

import (
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
)

func resetStates() []ResetState {
	return []ResetState{ResetReady, ResetUsed, ResetExpired, ResetReplaced, ResetOvertaken, ResetForged}
}

// forgotGallery is the pages of whoever forgot the password.
func forgotGallery(guest Page, text string) map[string]templ.Component {
	bad := func(fields ...string) Page { return failing(guest, fields...) }
	all := map[string]templ.Component{
		"forgot":        Forgot(ForgotPage{Page: bad("email"), Email: text}),
		"forgot sent":   ForgotSent(ForgotPage{Page: guest}),
		"reset refused": Reset(ResetPage{Page: bad("password"), State: ResetReady, Token: text, Email: text, Admin: true}),
		"login refused": Login(LoginPage{Page: bad("form"), Email: text, Refused: true}),
		"login throttled": Login(LoginPage{
			Page: bad("form"), Email: text, Next: text, Refused: true, Wait: 2 * time.Minute,
		}),
	}
	for _, state := range resetStates() {
		all["reset "+string(state)] = Reset(ResetPage{Page: guest, State: state, Token: text, Email: text})
	}
	return all
}

func testReset(lang Lang) ResetMail {
	return ResetMail{
		Site: testMail(lang).Site, Lang: lang, Until: now.Add(time.Hour),
		Link: strings.Replace(link, "/auth/verify", "/auth/reset", 1),
	}
}

func TestEveryDeadLinkToANewPasswordHasAWayOn(t *testing.T) {
	for _, state := range resetStates() {
		doc := document(t, Reset(ResetPage{Page: testPage(English, ""), State: state, Token: "token", Email: "k***@example.com"}))
		asks, sets := doc.Find(`form[action="/board/auth/forgot"] #email`).Length(), doc.Find(`form[action="/board/auth/reset"] #password`).Length()
		if ready := state == ResetReady; ready != (sets == 1) || ready == (asks == 1) {
			t.Errorf("%s: %d forms ask for a link, %d set a password", state, asks, sets)
		}
	}
}

func TestWhoeverIsStuckAtTheLoginHasAWayOn(t *testing.T) {
	doc := document(t, Login(LoginPage{Page: testPage(English, ""), Email: "kim@example.com", Refused: true, Wait: 90 * time.Second}))
	if doc.Find(`a[href="/board/auth/forgot"]`).Length() != 1 {
		t.Error("no way to a new password")
	}
	if got, _ := doc.Find(`form[action="/board/auth/resend"] [name=email]`).Attr("value"); got != "kim@example.com" {
		t.Errorf("the mail is sent again to %q", got)
	}
	if words := doc.Find("main").Text(); !strings.Contains(words, "90 seconds") {
		t.Errorf("how long to wait is not said:\n%s", words)
	}
}

func TestTheTrapIsSeenByRobotsOnly(t *testing.T) {
	doc := document(t, Signup(SignupPage{Page: testPage(Korean, ""), FormID: "id"}))
	trap := doc.Find("div[hidden] > #" + TrapField)
	if trap.Length() != 1 || trap.AttrOr("autocomplete", "") != "off" || trap.AttrOr("tabindex", "") != "-1" || trap.AttrOr("value", "x") != "" {
		t.Errorf("the trap is %d fields: %+v", trap.Length(), trap.Nodes)
	}
}
