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
		m.Lang.Word("mail.hello"),
		m.Lang.Word("mail.verify.lead", m.Site.Name),
		m.Link,
		m.Lang.Word("mail.verify.code"),
		m.Code,
		m.until(),
		m.who(),
		m.Site.signature(),
	)
	return body(ctx, m.Lang.Word("mail.verify.subject", m.Site.Name), text, verifyMail(m))
}

// Render writes the mail to an address that already has an account. It holds
// nothing that opens anything.
func (m AccountMail) Render(ctx context.Context) (MailBody, error) {
	text := paragraphs(
		m.Lang.Word("mail.hello"),
		m.Lang.Word("mail.account.lead", m.Site.Name),
		m.Lang.Word("mail.account.login"),
		m.loginURL(),
		m.Lang.Word("mail.account.forgot"),
		forgotURL(m.Site),
		m.Lang.Word("mail.account.not_you"),
		m.Site.signature(),
	)
	return body(ctx, m.Lang.Word("mail.account.subject", m.Site.Name), text, accountMail(m))
}

// Render writes the mail by which an operator sees that mail goes out.
func (m TrialMail) Render(ctx context.Context) (MailBody, error) {
	text := paragraphs(
		m.Lang.Word("mail.hello"),
		m.Lang.Word("mail.trial.text", m.Site.Name),
		m.Site.signature(),
	)
	return body(ctx, m.Lang.Word("mail.trial.subject", m.Site.Name), text, trialMail(m))
}

func body(ctx context.Context, subject, text string, page templ.Component) (MailBody, error) {
	var html strings.Builder
	if err := page.Render(ctx, &html); err != nil {
		return MailBody{}, fmt.Errorf("render mail: %w", err)
	}
	return MailBody{Subject: subject, Text: text, HTML: html.String()}, nil
}

// signature ends the plain text of a mail.
func (s Site) signature() string { return s.Name + "\n" + s.BaseURL + "/" }

func paragraphs(parts ...string) string { return strings.Join(parts, "\n\n") + "\n" }

func (m VerifyMail) until() string {
	return m.Lang.Word("mail.verify.until", m.Site.moment(m.Lang, m.Until))
}

func (m VerifyMail) who() string { return m.Lang.Word("mail.verify.who", inert(m.Nickname)) }

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
