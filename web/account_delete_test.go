package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

func TestDeletedAccountLeavesTheTextsWithoutAName(t *testing.T) {
	b := newBoard(t)
	u, reader := storetest.Member(t, b.store), storetest.Member(t, b.store)
	post := storetest.Post(t, b.store, u)
	commented := b.comment(u)
	if err := b.store.Like(t.Context(), u, post); err != nil {
		t.Fatal(err)
	}
	c, second := b.as(u), b.as(u)
	token := second.cookie()
	c.get("/account").has("signed “deleted member”").has("Your likes stay in the counts")
	c.post("/account/delete", nil).wants(http.StatusUnprocessableEntity).alert("current")
	c.post("/account/delete", url.Values{"current": {"wrong password"}}).wants(http.StatusUnprocessableEntity).alert("current")
	c.post("/account/delete", typed()).leads("/")
	c.get("/").wants(http.StatusOK).has("Your account is deleted.")
	if c.loggedIn() || b.withCookie(token).loggedIn() {
		t.Error("a session lives on")
	}
	b.guest().login(u).wants(http.StatusUnprocessableEntity)
	for who, page := range map[string]*answer{
		"guest": b.guest().get("/"), "member": b.as(reader).get("/"),
	} {
		page.wants(http.StatusOK).has("deleted member")
		for _, gone := range []string{u.Email, u.Name} {
			if strings.Contains(page.body, gone) {
				t.Errorf("the list for a %s still holds %q", who, gone)
			}
		}
		if got := page.doc().Find(".by bdi").Text(); strings.Contains(got, u.Nickname) {
			t.Errorf("the list for a %s names %q", who, got)
		}
	}
	thread := b.thread(post)
	if thread.Post.Author != "" || thread.Post.Likes != 1 {
		t.Errorf("the post is by %q with %d likes", thread.Post.Author, thread.Post.Likes)
	}
	if comment, err := b.store.CommentByID(t.Context(), commented); err != nil || comment.Author != "" {
		t.Errorf("the comment is by %q, %v", comment.Author, err)
	}
}

func TestAddressAndNicknameOfADeletedAccountAreFreeAgain(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	b.as(u).post("/account/delete", typed()).leads("/")
	c := b.guest()
	form := signupForm()
	form.Set("email", u.Email)
	form.Set("nickname", u.Nickname)
	c.post("/auth/signup", form).leads("/auth/pending")
	in, err := b.store.Authenticate(t.Context(), store.Login{Email: u.Email, Password: storetest.Password})
	if err != nil {
		t.Fatal(err)
	}
	c.post("/auth/verify/code", url.Values{"code": {storetest.Code(t, b.store, in.SignupID)}}).leads("/")
	if !c.loggedIn() {
		t.Error("nobody can come under the old address")
	}
}

func TestTheLastAdministratorStays(t *testing.T) {
	b := newBoard(t)
	first := storetest.Admin(t, b.store)
	c := b.as(first)
	c.post("/account/delete", typed()).wants(http.StatusUnprocessableEntity).alert("").has("You are the last administrator.")
	if !c.loggedIn() {
		t.Fatal("the last administrator has left")
	}
	storetest.Admin(t, b.store)
	c.post("/account/delete", typed()).leads("/")
}

func TestDeletionEndsWhatWasUnderWay(t *testing.T) {
	b := newBoard(t)
	u := storetest.Member(t, b.store)
	c := b.as(u)
	b.guest().post("/auth/forgot", url.Values{"email": {u.Email}}).leads("/auth/forgot/sent")
	reset := b.sent(store.KindResetMail)[0].Token
	c.post("/account/email", typed("email", "new-"+u.Email)).leads("/account#email")
	change := b.sent(store.KindEmailMail)[0].Token
	c.post("/account/email", typed("email", "newer-"+u.Email)).leads("/account#email")
	c.post("/account/password", url.Values{"current": {storetest.Password}, "password": {newPassword}}).leads("/account#password")
	c.post("/account/delete", url.Values{"current": {newPassword}}).leads("/")
	if mails := b.sent(store.KindEmailMail); len(mails) != 0 {
		t.Errorf("the new address is written to after all: %s", mails[0].To)
	}
	for kind, want := range map[string]int{store.KindEmailNotice: 2, store.KindPasswordMail: 1, store.KindDeletedMail: 1} {
		if mails := b.sent(kind); len(mails) != want || mails[0].To != u.Email {
			t.Errorf("%s tells the owner: %+v", kind, mails)
		}
	}
	b.guest().get("/auth/reset?token=" + reset).wants(http.StatusNotFound)
	other := b.as(storetest.Member(t, b.store))
	other.get("/auth/email?token=" + change).wants(http.StatusNotFound)
}
