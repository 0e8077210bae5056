package views

import "context"

// Render writes the mail with the link to a new password.
func (m ResetMail) Render(ctx context.Context) (MailBody, error) {
	text := paragraphs(
		m.word("mail.hello"),
		m.word("mail.reset.lead", m.Site.Name),
		m.Link,
		m.until(),
		m.word("mail.reset.not_you"),
		m.Site.Name+"\n"+m.Site.BaseURL+"/",
	)
	return body(ctx, m.word("mail.reset.subject", m.Site.Name), text, resetMail(m))
}

// Render writes the mail that says the password was changed. It holds nothing
// that opens anything.
func (m PasswordMail) Render(ctx context.Context) (MailBody, error) {
	text := paragraphs(
		m.word("mail.hello"),
		m.word("mail.password.lead", m.Site.Name),
		m.word("mail.password.not_you"),
		forgotURL(m.Site),
		m.Site.Name+"\n"+m.Site.BaseURL+"/",
	)
	return body(ctx, m.word("mail.password.subject", m.Site.Name), text, passwordMail(m))
}

func (m ResetMail) word(key string, args ...any) string { return m.Lang.Word(key, args...) }

func (m ResetMail) until() string {
	return m.word("mail.reset.until", m.Site.moment(m.Lang, m.Until))
}

func (m PasswordMail) word(key string, args ...any) string { return m.Lang.Word(key, args...) }

// forgotURL is where whoever does not know the password goes.
func forgotURL(s Site) string { return s.BaseURL + "/auth/forgot" }
