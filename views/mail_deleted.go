package views

import "context"

// DeletedMail tells the owner of an account that it was deleted.
type DeletedMail struct {
	Site Site
	Lang Lang
}

// Render writes the mail. There is nothing left to open, so it holds no link
// but that of the site.
func (m DeletedMail) Render(ctx context.Context) (MailBody, error) {
	text := paragraphs(
		m.Lang.Word("mail.hello"),
		m.Lang.Word("mail.deleted.lead", m.Site.Name),
		m.Lang.Word("mail.deleted.address"),
		m.Lang.Word("mail.deleted.not_you"),
		m.Site.signature(),
	)
	return body(ctx, m.Lang.Word("mail.deleted.subject", m.Site.Name), text, deletedMail(m))
}
