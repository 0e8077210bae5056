package jobs

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"madang/store"
	"madang/views"
)

// Sender hands one mail over for delivery. It returns nil once the mail is
// taken, a [PermanentError] when the recipient is refused, an [OutageError]
// when no mail at all goes out now, and any other error when another try of
// this mail may go better.
type Sender interface {
	Send(ctx context.Context, m Mail) error
}

// Mail is a mail to one recipient, ready to be sent.
type Mail struct {
	To        string
	Lang      string // of the text, e.g. "ko"
	MessageID string // the part before the "@"; the same at each try
	Subject   string
	Text      string
	HTML      string
	// Link and Code are what the text asks the reader to use; empty when it
	// asks for nothing.
	Link string
	Code string
}

// Mailer writes the mails of the outbox and gives them to its sender.
type Mailer struct {
	store  *store.Store
	sender Sender
	site   views.Site
}

// NewMailer returns a mailer whose links begin with the site's base URL.
func NewMailer(s *store.Store, sender Sender, site views.Site) (*Mailer, error) {
	if s == nil || sender == nil || site.BaseURL == "" {
		return nil, errors.New("mailer: store, sender and base URL are needed")
	}
	return &Mailer{store: s, sender: sender, site: site}, nil
}

// Handlers returns the handlers of all kinds of mail, for [NewPool].
func (m *Mailer) Handlers() map[string]Handler {
	handlers := make(map[string]Handler)
	for _, kind := range store.MailKinds() {
		handlers[kind] = m.deliver
	}
	return handlers
}

// deliver sends the mail of a job. What the mail says is decided here and not
// when it was asked for, so that it is right at the moment it leaves.
func (m *Mailer) deliver(ctx context.Context, job store.Job) error {
	out, err := m.store.OutgoingMail(ctx, job)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return fmt.Errorf("nobody waits for the mail: %w", ErrObsolete)
	case errors.Is(err, store.ErrPayload):
		return Permanent(err)
	case err != nil:
		return fmt.Errorf("read the mail of job %d: %w", job.ID, err)
	case out.Obsolete:
		return fmt.Errorf("a newer mail replaced this one, or nobody could use what it holds any more: %w", ErrObsolete)
	}
	mail, err := m.write(ctx, job.Kind, out)
	if err != nil {
		return fmt.Errorf("write mail: %w", err)
	}
	if err := m.sender.Send(ctx, mail); err != nil {
		return conceal(err, mail)
	}
	return nil
}

// write renders the mail: an address of a sign-up that has an account already
// is told so.
func (m *Mailer) write(ctx context.Context, kind string, out store.OutgoingMail) (Mail, error) {
	mail := Mail{To: out.To, Lang: out.Lang, MessageID: out.MessageID, Code: out.Code}
	lang := views.LangOf(out.Lang)
	var letter interface {
		Render(ctx context.Context) (views.MailBody, error)
	}
	switch {
	case kind == store.KindResetMail:
		mail.Link = m.link("/auth/reset", out.Token)
		letter = views.ResetMail{Site: m.site, Lang: lang, Link: mail.Link, Until: out.Until}
	case kind == store.KindPasswordMail:
		letter = views.PasswordMail{Site: m.site, Lang: lang}
	case kind == store.KindDeletedMail:
		letter = views.DeletedMail{Site: m.site, Lang: lang}
	case kind == store.KindEmailMail:
		mail.Link = m.link("/auth/email", out.Token)
		letter = views.EmailMail{Site: m.site, Lang: lang, Nickname: out.Nickname, Link: mail.Link, Until: out.Until}
	case kind == store.KindEmailNotice:
		letter = views.EmailNotice{Site: m.site, Lang: lang}
	case out.Token == "":
		letter = views.AccountMail{Site: m.site, Lang: lang}
	default:
		mail.Link = m.link("/auth/verify", out.Token)
		letter = views.VerifyMail{
			Site: m.site, Lang: lang, Nickname: out.Nickname, Link: mail.Link, Code: out.Code, Until: out.Until,
		}
	}
	body, err := letter.Render(ctx)
	mail.Subject, mail.Text, mail.HTML = body.Subject, body.Text, body.HTML
	return mail, err
}

// link is the address of a page that a token opens.
func (m *Mailer) link(path, token string) string {
	if token == "" {
		return ""
	}
	return m.site.BaseURL + path + "?token=" + url.QueryEscape(token)
}

// concealedError is a failure without the secrets and the address of its mail.
type concealedError struct {
	text string
	err  error
}

func (e *concealedError) Error() string { return e.text }
func (e *concealedError) Unwrap() error { return e.err }

// conceal takes out of err what must stand neither in a log nor in the table
// of jobs. A server may well quote the link or the recipient it refuses.
func conceal(err error, m Mail) error {
	_, token, _ := strings.Cut(m.Link, "token=")
	var pairs []string
	for _, p := range [][2]string{{m.Link, "[link]"}, {token, "[token]"}, {m.Code, "[code]"}, {m.To, store.MaskEmail(m.To)}} {
		if p[0] != "" {
			pairs = append(pairs, p[0], p[1])
		}
	}
	return &concealedError{text: strings.NewReplacer(pairs...).Replace(err.Error()), err: err}
}
