package web

import (
	"net/http"
	"net/url"
	"testing"

	"madang/store"
	"madang/store/storetest"
	"madang/views"
)

func TestSignupSentTwiceIsOne(t *testing.T) {
	b := newBoard(t, limited)
	form := signupForm()
	c := b.guest()
	form.Set("form_id", c.field("/auth/signup", "/auth/signup", "form_id"))
	got := crowd(5, func(int) int { return b.guest().post("/auth/signup", form).status }) // no session yet to know it by
	if got[http.StatusSeeOther] != 5 || b.jobs(store.KindVerifyMail) != 1 {
		t.Errorf("statuses %v, %d mails", got, b.jobs(store.KindVerifyMail))
	}
	c.post("/auth/signup", form).leads("/auth/pending")
	id := b.newestSignup(form.Get("email"))
	c.post("/auth/verify/code", url.Values{"code": {storetest.Code(t, b.store, id)}}).leads("/")
}

func TestSignupThatDiffersIsAnotherOne(t *testing.T) {
	b := newBoard(t)
	form := signupForm("form_id", "oneandthesame")
	b.guest().post("/auth/signup", form).leads("/auth/pending")
	for i, change := range [][2]string{{"password", "another horse"}, {"nickname", "other-" + form.Get("nickname")[:8]}, {"name", "Lee"}, {"form_id", "other"}} {
		next := signupForm("form_id", "oneandthesame", "email", form.Get("email"), "nickname", form.Get("nickname"))
		next.Set(change[0], change[1])
		b.guest().post("/auth/signup", next).leads("/auth/pending")
		if got := b.jobs(store.KindVerifyMail); got != int64(i+2) {
			t.Errorf("another %s: %d mails", change[0], got)
		}
	}
}

func TestSignupWithTheTrapFilledIsToldAndGoesOn(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	form := signupForm(views.TrapField, "https://spam.test")
	page := c.post("/auth/signup", form).wants(http.StatusUnprocessableEntity).alert("").has("send the form once more")
	if page.field("/auth/signup", views.TrapField) != "" || page.field("/auth/signup", "email") != form.Get("email") {
		t.Error("the form cannot be sent again as it is")
	}
	b.guest().postJSON(`{"email":"a@example.com","name":"Kim","nickname":"kim","password":"correct horse","website":"x"}`).
		wants(http.StatusUnprocessableEntity)
	if got := b.jobs(store.KindVerifyMail); got != 0 {
		t.Errorf("%d mails", got)
	}
	form.Set(views.TrapField, "")
	c.post("/auth/signup", form).leads("/auth/pending")
}
