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
	return map[string]Handler{
		store.KindVerifyMail:  m.deliver,
		store.KindAccountMail: m.deliver,
	}
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
		return fmt.Errorf("a newer mail replaced this one, the address is proven, or the sign-up has ended: %w", ErrObsolete)
	}
	mail, err := m.write(ctx, out)
	if err != nil {
		return fmt.Errorf("write mail: %w", err)
	}
	if err := m.sender.Send(ctx, mail); err != nil {
		return conceal(err, mail)
	}
	return nil
}

// write renders the mail: an address that has an account already is told so,
// any other gets its link and code.
func (m *Mailer) write(ctx context.Context, out store.OutgoingMail) (Mail, error) {
	mail := Mail{To: out.To, Lang: out.Lang, MessageID: out.MessageID, Code: out.Code}
	lang := views.LangOf(out.Lang)
	var body views.MailBody
	var err error
	if out.Token == "" {
		body, err = views.AccountMail{Site: m.site, Lang: lang}.Render(ctx)
	} else {
		mail.Link = m.site.BaseURL + "/auth/verify?token=" + url.QueryEscape(out.Token)
		body, err = views.VerifyMail{
			Site: m.site, Lang: lang, Nickname: out.Nickname, Link: mail.Link, Code: out.Code, Until: out.Until,
		}.Render(ctx)
	}
	mail.Subject, mail.Text, mail.HTML = body.Subject, body.Text, body.HTML
	return mail, err
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
