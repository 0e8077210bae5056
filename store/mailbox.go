package store

import "time"

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
