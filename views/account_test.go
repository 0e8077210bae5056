package views

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"madang/store"
)

// accountGallery renders the account page in every state, and what belongs to it.
func accountGallery(p Page, text string) map[string]templ.Component {
	p.User.Email = text
	sessions := []store.OpenSession{
		{ID: 3, Device: "Firefox on Linux", CreatedAt: now, SeenAt: now, Current: true},
		{ID: 4, Device: "curl", CreatedAt: now, SeenAt: now},
		{ID: 5, CreatedAt: now, SeenAt: now},
	}
	page := func(form string, wrong ...string) AccountPage {
		own := p
		if form != "" {
			own = failing(p, wrong...)
		}
		return AccountPage{Page: own, Nickname: text, Email: text, Pending: text, Sessions: sessions, Form: form}
	}
	all := map[string]templ.Component{
		"account":           Account(page("")),
		"account nickname":  Account(page(AccountNickname, "nickname")),
		"account password":  Account(page(AccountPassword, "current", "password")),
		"account email":     Account(page(AccountEmail, "email", "current")),
		"account delete":    Account(page(AccountDelete, "current", "form")),
		"account throttled": Account(AccountPage{Page: failing(p, "current"), Form: AccountDelete, Wait: time.Minute}),
		"email taken":       EmailChange(EmailPage{Page: failing(p, "email"), State: EmailReady, Token: text, Email: text}),
	}
	for _, state := range []EmailState{
		EmailReady, EmailDone, EmailExpired, EmailReplaced, EmailOvertaken, EmailForged, EmailForeign,
	} {
		all["change "+string(state)] = EmailChange(EmailPage{Page: p, State: state, Token: text, Email: text})
	}
	return all
}

func TestEachAccountFormKeepsItsProblemsToItself(t *testing.T) {
	page := failing(member(testPage(English, "mina"), "mina"), "current")
	doc := document(t, Account(AccountPage{Page: page, Form: AccountEmail, Email: "typed@example.com"}))
	if got := doc.Find("[aria-invalid]"); got.Length() != 1 || got.AttrOr("id", "") != "email-current" {
		t.Errorf("%d fields are marked, among them %q", got.Length(), got.AttrOr("id", ""))
	}
	if got := doc.Find(".summary a").AttrOr("href", ""); got != "#email-current" {
		t.Errorf("the summary leads to %q", got)
	}
	if got := doc.Find("#email-email").AttrOr("value", ""); got != "typed@example.com" {
		t.Errorf("the address typed came back as %q", got)
	}
	doc.Find("input[type=password]").Each(func(_ int, s *goquery.Selection) {
		if _, filled := s.Attr("value"); filled {
			t.Errorf("%s is filled", s.AttrOr("id", ""))
		}
	})
}

func TestPasswordManagersKnowWhoseAccountItIs(t *testing.T) {
	page := member(testPage(English, "mina"), "mina")
	page.User.Email = "mina@example.com"
	doc := document(t, Account(AccountPage{Page: page}))
	forms := doc.Find("form:has(input[type=password])")
	if forms.Length() != 3 {
		t.Errorf("%d forms ask for a password, want 3", forms.Length())
	}
	forms.Each(func(_ int, form *goquery.Selection) {
		user := form.Find("input[autocomplete=username]")
		if user.AttrOr("value", "") != "mina@example.com" || user.AttrOr("name", "") != "" {
			t.Errorf("%s names %q, as %q", form.AttrOr("action", ""), user.AttrOr("value", ""), user.AttrOr("name", ""))
		}
		form.Find("input[type=password]").Each(func(_ int, field *goquery.Selection) {
			want := field.AttrOr("name", "") + "-password"
			if want == "password-password" {
				want = "new-password"
			}
			if got := field.AttrOr("autocomplete", ""); got != want {
				t.Errorf("%s: autocomplete %q, want %q", field.AttrOr("id", ""), got, want)
			}
		})
	})
}

func TestWhoHasLeftHasNoName(t *testing.T) {
	post := store.Post{ID: 7, AuthorID: 5, Title: "Title", CreatedAt: now}
	comments := []store.Comment{{ID: 11, AuthorID: 5, CreatedAt: now}, {ID: 12, Parent: 11, AuthorID: 6, Author: "mina", CreatedAt: now}}
	for lang, want := range map[Lang]string{English: "deleted member", Korean: "탈퇴한 회원"} {
		page := testPage(lang, "")
		for name, doc := range map[string]*goquery.Document{
			"list": document(t, Home(HomePage{Page: page, List: store.PostList{Posts: []store.Post{post}}})),
			"post": document(t, Post(PostPage{Page: page, Post: post, Comments: comments})),
		} {
			if got := doc.Find("main .by bdi").First().Text(); got != want {
				t.Errorf("%s %s: %q, want %q", lang, name, got, want)
			}
			if name == "post" && strings.Count(doc.Find(".comments").Text(), want) < 2 {
				t.Errorf("%s: neither the comment nor the answer to it says so: %s", lang, doc.Find(".comments").Text())
			}
		}
	}
}

func TestMailsOfAChangedAddressReadAsWritten(t *testing.T) {
	for _, lang := range []Lang{Korean, English} {
		site := testMail(lang).Site
		for name, mail := range map[string]interface {
			Render(ctx context.Context) (MailBody, error)
		}{
			"email":        EmailMail{Site: site, Lang: lang, Nickname: "감나무", Link: link, Until: testMail(lang).Until},
			"email_known":  EmailMail{Site: site, Lang: lang, Nickname: "감나무"},
			"email_notice": EmailNotice{Site: site, Lang: lang},
		} {
			body, err := mail.Render(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			golden(t, "mail_"+name+"_"+string(lang)+".txt", "Subject: "+body.Subject+"\n\n"+body.Text)
			golden(t, "mail_"+name+"_"+string(lang)+".html", body.HTML)
			holds := strings.Contains(body.Text, "token") || strings.Contains(body.HTML, "token")
			if holds != (name == "email") {
				t.Errorf("%s: a link in the mail: %v", name, holds)
			}
		}
	}
}
