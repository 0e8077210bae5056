package views

import (
	"context"
	"time"
)

// EmailMail proves a changed address by its link. Without a link it tells an
// address that it belongs to another account already.
type EmailMail struct {
	Site     Site
	Lang     Lang
	Nickname string // of the member who asked
	Link     string
	Until    time.Time
}

// EmailNotice tells the old address of a member that another was asked for.
type EmailNotice struct {
	Site Site
	Lang Lang
}

// Render writes the mail to the new address.
func (m EmailMail) Render(ctx context.Context) (MailBody, error) {
	if m.Link == "" {
		text := paragraphs(
			m.Lang.Word("mail.hello"),
			m.Lang.Word("mail.email_known.lead", m.Site.Name),
			m.Lang.Word("mail.account.not_you"),
			m.Site.signature(),
		)
		return body(ctx, m.Lang.Word("mail.email_known.subject", m.Site.Name), text, emailKnownMail(m))
	}
	text := paragraphs(
		m.Lang.Word("mail.hello"),
		m.Lang.Word("mail.email.lead", m.Site.Name),
		m.Link,
		m.until(),
		m.who(),
		m.Site.signature(),
	)
	return body(ctx, m.Lang.Word("mail.email.subject", m.Site.Name), text, emailMail(m))
}

// Render writes the mail to the old address. It holds nothing that opens
// anything.
func (m EmailNotice) Render(ctx context.Context) (MailBody, error) {
	text := paragraphs(
		m.Lang.Word("mail.hello"),
		m.Lang.Word("mail.email_notice.lead", m.Site.Name),
		m.Lang.Word("mail.email_notice.stays"),
		m.Lang.Word("mail.email_notice.not_you"),
		forgotURL(m.Site),
		m.Site.signature(),
	)
	return body(ctx, m.Lang.Word("mail.email_notice.subject", m.Site.Name), text, emailNotice(m))
}

func (m EmailMail) until() string {
	return m.Lang.Word("mail.email.until", m.Site.moment(m.Lang, m.Until))
}

func (m EmailMail) who() string { return m.Lang.Word("mail.email.who", inert(m.Nickname)) }
