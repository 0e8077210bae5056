package jobs

import (
	"context"
	"errors"
	"fmt"

	"madang/store"
)

// Mailbox is the [Sender] of a site without a mail server: mails are kept in
// the database and shown on a page.
type Mailbox struct {
	store *store.Store
}

// NewMailbox returns a mailbox that keeps its mails in s.
func NewMailbox(s *store.Store) (*Mailbox, error) {
	if s == nil {
		return nil, errors.New("mailbox: a store is needed")
	}
	return &Mailbox{store: s}, nil
}

// Send keeps the mail.
func (b *Mailbox) Send(ctx context.Context, m Mail) error {
	err := b.store.AddMail(ctx, store.MailboxMail{
		To: m.To, Subject: m.Subject, Text: m.Text, HTML: m.HTML, Link: m.Link, Code: m.Code,
	})
	if err != nil {
		return fmt.Errorf("keep mail: %w", err)
	}
	return nil
}
