package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// MailboxMail is a mail kept by the built-in mailbox. Link and Code are empty
// where the mail has none.
type MailboxMail struct {
	ID      int64     `json:"id"`
	To      string    `json:"to"`
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	HTML    string    `json:"html"`
	Link    string    `json:"link"`
	Code    string    `json:"code"`
	At      time.Time `json:"at"`
}

// mailboxMax bounds how many mails are listed at once.
const mailboxMax = 1000

// AddMail puts a mail into the mailbox, under the time of the store's clock.
func (s *Store) AddMail(ctx context.Context, m MailboxMail) error {
	_, key, _ := cleanEmail(m.To) // an address that is none is found in the whole list only
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx,
			`INSERT INTO mailbox (recipient, recipient_key, subject, text, html, link, code, at)
			 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
			m.To, key, m.Subject, m.Text, m.HTML, m.Link, m.Code, millis(s.now()))
		return err
	})
	if err != nil {
		return fmt.Errorf("add mail: %w", err)
	}
	return nil
}

// Mailbox returns the newest mails, newest first: those to an address however
// it is written, or with an empty one all.
func (s *Store) Mailbox(ctx context.Context, to string, limit int) ([]MailboxMail, error) {
	limit = min(max(limit, 1), mailboxMax)
	query := `SELECT id, recipient, subject, text, html, link, code, at FROM mailbox ORDER BY id DESC LIMIT $1`
	args := []any{limit}
	if to != "" {
		_, key, problem := cleanEmail(to)
		if problem != "" {
			return []MailboxMail{}, nil
		}
		query = `SELECT id, recipient, subject, text, html, link, code, at FROM mailbox
			WHERE recipient_key = $1 ORDER BY id DESC LIMIT $2`
		args = []any{key, limit}
	}
	mails, err := s.listMails(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("mailbox: %w", err)
	}
	return mails, nil
}

// MailByID returns a mail of the mailbox. It returns ErrNotFound.
func (s *Store) MailByID(ctx context.Context, id int64) (MailboxMail, error) {
	m, err := scanMail(s.readers.QueryRowContext(ctx,
		`SELECT id, recipient, subject, text, html, link, code, at FROM mailbox WHERE id = $1`, id).Scan)
	if err != nil {
		return MailboxMail{}, fmt.Errorf("mail %d: %w", id, notFound(err))
	}
	return m, nil
}

// listMails never returns nil: the JSON list of none is [].
func (s *Store) listMails(ctx context.Context, query string, args ...any) (_ []MailboxMail, err error) {
	rows, err := s.readers.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	mails := []MailboxMail{}
	for rows.Next() {
		m, err := scanMail(rows.Scan)
		if err != nil {
			return nil, err
		}
		mails = append(mails, m)
	}
	return mails, rows.Err()
}

func scanMail(scan func(...any) error) (MailboxMail, error) {
	var m MailboxMail
	var at int64
	err := scan(&m.ID, &m.To, &m.Subject, &m.Text, &m.HTML, &m.Link, &m.Code, &at)
	m.At = fromMillis(at)
	return m, err
}
