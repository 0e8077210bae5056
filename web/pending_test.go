package web

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// signUp signs somebody up in this browser and returns the form and the id.
func (b *board) signUp(c *client) (url.Values, int64) {
	b.t.Helper()
	form := signupForm()
	c.post("/auth/signup", form).leads("/auth/pending")
	in, err := b.store.Authenticate(b.t.Context(), store.Login{Email: form.Get("email"), Password: storetest.Password})
	if err != nil {
		b.t.Fatal(err)
	}
	return form, in.SignupID
}

func wrongCode(code string) string {
	if code == "000000" {
		return "000001"
	}
	return "000000"
}

func TestPendingPageWithoutASignupAsksForTheAddress(t *testing.T) {
	c := newBoard(t).guest()
	c.get("/auth/pending").wants(http.StatusOK).attr(`form[action="/auth/resend"] [name="email"]`, "type")
}

func TestCodeLogsIn(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	_, id := b.signUp(c)
	before := c.cookie()
	code := storetest.Code(t, b.store, id)
	c.post("/auth/verify/code", url.Values{"code": {" " + code[:3] + "-" + code[3:] + " "}}).leads("/")
	if c.cookie() == before {
		t.Error("the session's token stayed the same")
	}
	if !c.loggedIn() {
		t.Error("not logged in")
	}
	c.get("/auth/pending").wants(http.StatusOK).attr(`form[action="/auth/resend"] [name="email"]`, "type")
}

func TestWrongCodesEndTheCodeAndNotTheLink(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	_, id := b.signUp(c)
	mail := storetest.Mail(t, b.store, id)
	for _, code := range []string{"", "12345", "abcdef", "1234567", "\xff", "１２３"} {
		c.post("/auth/verify/code", url.Values{"code": {code}}).wants(http.StatusUnprocessableEntity).alert("code")
	}
	for range 5 {
		c.post("/auth/verify/code", url.Values{"code": {wrongCode(mail.Code)}}).wants(http.StatusUnprocessableEntity).alert("code")
	}
	c.post("/auth/verify/code", url.Values{"code": {mail.Code}}).wants(http.StatusUnprocessableEntity).
		has("The link in the mail still does")
	c.post("/auth/verify", url.Values{"token": {mail.Token}}).leads("/")
}

func TestCodeWithoutASignupIsRefused(t *testing.T) {
	b := newBoard(t)
	other := b.guest()
	_, id := b.signUp(other)
	code := storetest.Code(t, b.store, id)
	c := b.guest()
	c.post("/auth/verify/code", url.Values{"code": {code}}).wants(http.StatusUnprocessableEntity).alert("")
	if c.loggedIn() {
		t.Error("logged in by the code of another session")
	}
}

func TestResendSupersedesTheMail(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	_, id := b.signUp(c)
	old := storetest.Mail(t, b.store, id)
	c.post("/auth/resend", nil).leads("/auth/pending")
	c.get("/auth/pending").has("on its way again")
	c.get("/auth/verify?token=" + old.Token).wants(http.StatusGone)
	c.post("/auth/verify", url.Values{"token": {storetest.Token(t, b.store, id)}}).leads("/")
}

func TestResendNamesTheOwnAddressHoweverItIsTyped(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	form, _ := b.signUp(c)
	for _, address := range []string{form.Get("email"), " " + strings.ToUpper(form.Get("email")) + " "} {
		c.post("/auth/resend", url.Values{"email": {address}}).leads("/auth/pending")
		c.get("/auth/pending").has("The mail is on its way again")
	}
	c.post("/auth/resend", url.Values{"email": {"other@example.com"}}).leads("/auth/pending")
	c.get("/auth/pending").has("If a sign-up waits for this address")
}

func TestOfTwentyResendsAtOnceOneIsTaken(t *testing.T) {
	b := newBoard(t, limited)
	c := b.guest()
	b.signUp(c)
	a := c.post("/auth/resend", nil).wants(http.StatusTooManyRequests).alert("")
	if a.header.Get("Retry-After") == "" || a.doc().Find("#delivery").Length() == 0 {
		t.Error("not the pending page with a time to wait")
	}
	b.clock.Advance(61 * time.Second)
	answers := make(chan int, 20)
	var group sync.WaitGroup
	for range cap(answers) {
		group.Go(func() { answers <- c.post("/auth/resend", nil).status })
	}
	group.Wait()
	close(answers)
	got := map[int]int{}
	for status := range answers {
		got[status]++
	}
	if diff := cmp.Diff(map[int]int{303: 1, 429: 19}, got); diff != "" {
		t.Errorf("statuses (-want +got):\n%s", diff)
	}
}

func TestResendFromOutsideTellsNothing(t *testing.T) {
	b := newBoard(t, limited)
	member := storetest.Member(t, b.store)
	form, _ := b.signUp(b.guest())
	var bodies []string
	for _, address := range []string{member.Email, form.Get("email"), "nobody@example.com", form.Get("email")} {
		c := b.guest()
		c.post("/auth/resend", url.Values{"email": {address}}).leads("/auth/pending")
		bodies = append(bodies, c.get("/auth/pending").wants(http.StatusOK).has("If a sign-up waits for this address").body)
	}
	for _, body := range bodies[1:] {
		if diff := cmp.Diff(bodies[0], body); diff != "" {
			t.Errorf("the pages differ:\n%s", diff)
		}
	}
}

func TestResendRefusesWhatIsNoAddress(t *testing.T) {
	b := newBoard(t)
	for _, address := range []string{"", "nobody", "a\xff@example.com", `"a b"@example.com`, strings.Repeat("a", 300) + "@example.com"} {
		page := b.guest().post("/auth/resend", url.Values{"email": {address}}).wants(http.StatusUnprocessableEntity).alert("email")
		if got := page.field("/auth/resend", "email"); got != shown(address) {
			t.Errorf("address %q came back as %q", address, got)
		}
	}
}

func TestCorrectedAddressGetsTheMail(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	form, id := b.signUp(c)
	old := storetest.Mail(t, b.store, id)
	page := c.post("/auth/pending/email", url.Values{"email": {"wrong"}}).wants(http.StatusUnprocessableEntity).alert("email")
	if got := page.field("/auth/pending/email", "email"); got != "wrong" {
		t.Errorf("the form holds %q", got)
	}
	c.post("/auth/pending/email", url.Values{"email": {"right-" + form.Get("email")}}).leads("/auth/pending")
	c.get("/auth/pending").has("right-" + form.Get("email"))
	c.get("/auth/verify?token=" + old.Token).wants(http.StatusGone)
	c.post("/auth/verify/code", url.Values{"code": {old.Code}}).wants(http.StatusUnprocessableEntity)
	c.post("/auth/verify/code", url.Values{"code": {storetest.Code(t, b.store, id)}}).leads("/")
}

func TestCorrectionWithoutASignupIsRefused(t *testing.T) {
	c := newBoard(t).guest()
	c.post("/auth/pending/email", url.Values{"email": {"a@example.com"}}).wants(http.StatusUnprocessableEntity).alert("")
}

func TestTakenNicknameIsAskedForAtTheCode(t *testing.T) {
	b := newBoard(t)
	c, code := b.clash()
	page := c.post("/auth/verify/code", url.Values{"code": {code}}).wants(http.StatusUnprocessableEntity).alert("nickname")
	if got := page.field("/auth/verify/code", "code"); got != code {
		t.Errorf("the code came back as %q", got)
	}
	c.post("/auth/verify/code", url.Values{"code": {code}, "nickname": {"other" + code}}).leads("/")
}

// clash signs somebody up whose nickname is taken before the proof, and
// returns the browser and the code.
func (b *board) clash() (*client, string) {
	b.t.Helper()
	c := b.guest()
	form, id := b.signUp(c)
	code := storetest.Code(b.t, b.store, id)
	b.take(form.Get("nickname"))
	return c, code
}

// take makes a member of that nickname.
func (b *board) take(nickname string) {
	b.t.Helper()
	id, err := b.store.SignUp(b.t.Context(), store.NewSignup{
		Email: "first@example.com", Name: "First", Nickname: nickname, Password: storetest.Password, Lang: "en",
	})
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.store.VerifyCode(b.t.Context(), id, storetest.Code(b.t, b.store, id), ""); err != nil {
		b.t.Fatal(err)
	}
}

func TestTheCodeOfSomebodyElseProvesNothing(t *testing.T) {
	b := newBoard(t)
	mine, other := b.guest(), b.guest()
	b.signUp(mine)
	_, id := b.signUp(other)
	code := url.Values{"code": {storetest.Code(t, b.store, id)}}
	mine.post("/auth/verify/code", code).wants(http.StatusUnprocessableEntity)
	if mine.loggedIn() {
		t.Error("logged in with the code of somebody else")
	}
	other.post("/auth/verify/code", code).leads("/")
}
