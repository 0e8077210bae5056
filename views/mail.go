package views

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/a-h/templ"
)

// MailBody is a mail ready to be sent.
type MailBody struct {
	Subject, Text, HTML string
}

// Render writes the mail of a sign-up. Link and code stand on lines of their own.
func (m VerifyMail) Render(ctx context.Context) (MailBody, error) {
	text := paragraphs(
		m.word("mail.hello"),
		m.word("mail.verify.lead", m.Site.Name),
		m.Link,
		m.word("mail.verify.code"),
		m.Code,
		m.until(),
		m.who(),
		m.Site.Name+"\n"+m.Site.BaseURL+"/",
	)
	return body(ctx, m.word("mail.verify.subject", m.Site.Name), text, verifyMail(m))
}

// Render writes the mail to an address that already has an account. It holds
// nothing that opens anything.
func (m AccountMail) Render(ctx context.Context) (MailBody, error) {
	text := paragraphs(
		m.word("mail.hello"),
		m.word("mail.account.lead", m.Site.Name),
		m.word("mail.account.login"),
		m.loginURL(),
		m.word("mail.account.forgot"),
		forgotURL(m.Site),
		m.word("mail.account.not_you"),
		m.Site.Name+"\n"+m.Site.BaseURL+"/",
	)
	return body(ctx, m.word("mail.account.subject", m.Site.Name), text, accountMail(m))
}

// Render writes the mail by which an operator sees that mail goes out.
func (m TrialMail) Render(ctx context.Context) (MailBody, error) {
	text := paragraphs(
		m.word("mail.hello"),
		m.word("mail.trial.text", m.Site.Name),
		m.Site.Name+"\n"+m.Site.BaseURL+"/",
	)
	return body(ctx, m.word("mail.trial.subject", m.Site.Name), text, trialMail(m))
}

func body(ctx context.Context, subject, text string, page templ.Component) (MailBody, error) {
	var html strings.Builder
	if err := page.Render(ctx, &html); err != nil {
		return MailBody{}, fmt.Errorf("render mail: %w", err)
	}
	return MailBody{Subject: subject, Text: text, HTML: html.String()}, nil
}

func paragraphs(parts ...string) string { return strings.Join(parts, "\n\n") + "\n" }

func (m VerifyMail) word(key string, args ...any) string { return m.Lang.Word(key, args...) }

func (m VerifyMail) until() string {
	return m.word("mail.verify.until", m.Site.moment(m.Lang, m.Until))
}

func (m VerifyMail) who() string { return m.word("mail.verify.who", inert(m.Nickname)) }

func (m AccountMail) word(key string, args ...any) string { return m.Lang.Word(key, args...) }

func (m TrialMail) word(key string, args ...any) string { return m.Lang.Word(key, args...) }

func (m AccountMail) loginURL() string { return m.Site.BaseURL + "/auth/login" }

// inert keeps of a stranger's text what a nickname may hold, so that no mail
// reader makes a link of it or a line.
func inert(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.M, unicode.N) || r == '_' || r == '-' {
			return r
		}
		return '·'
	}, text)
}
