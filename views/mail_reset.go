package views

import (
	"context"
	"time"
)

// ResetMail holds the link to a new password.
type ResetMail struct {
	Site  Site
	Lang  Lang
	Link  string
	Until time.Time
}

// PasswordMail tells a member that the password was changed.
type PasswordMail struct {
	Site Site
	Lang Lang
}

// Render writes the mail with the link to a new password.
func (m ResetMail) Render(ctx context.Context) (MailBody, error) {
	text := paragraphs(
		m.Lang.Word("mail.hello"),
		m.Lang.Word("mail.reset.lead", m.Site.Name),
		m.Link,
		m.until(),
		m.Lang.Word("mail.reset.not_you"),
		m.Site.signature(),
	)
	return body(ctx, m.Lang.Word("mail.reset.subject", m.Site.Name), text, resetMail(m))
}

// Render writes the mail that says the password was changed. It holds nothing
// that opens anything.
func (m PasswordMail) Render(ctx context.Context) (MailBody, error) {
	text := paragraphs(
		m.Lang.Word("mail.hello"),
		m.Lang.Word("mail.password.lead", m.Site.Name),
		m.Lang.Word("mail.password.not_you"),
		forgotURL(m.Site),
		m.Site.signature(),
	)
	return body(ctx, m.Lang.Word("mail.password.subject", m.Site.Name), text, passwordMail(m))
}

func (m ResetMail) until() string {
	return m.Lang.Word("mail.reset.until", m.Site.moment(m.Lang, m.Until))
}

// forgotURL is where whoever does not know the password goes.
func forgotURL(s Site) string { return s.BaseURL + "/auth/forgot" }
