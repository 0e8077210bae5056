package store

import (
	"net/netip"
	"time"
)

// NewSignup is what somebody types to join.
type NewSignup struct {
	Email    string
	Name     string
	Nickname string
	Password string
	Lang     string // language of the mail: "ko" or "en"
	Client   netip.Addr
}

// Delivery is how far the mail of a sign-up has come.
type Delivery string

// The states of a mail as the pending page shows them.
const (
	Queued  Delivery = "queued"
	Sending Delivery = "sending"
	Sent    Delivery = "sent" // taken by the mail server
	Failed  Delivery = "failed"
)

// Signup is a pending sign-up as its own browser sees it.
type Signup struct {
	ID       int64
	Email    string
	Nickname string
	Delivery Delivery
	// ResendAt is when the next mail may be asked for; zero when limits are off.
	ResendAt time.Time
}

// Proof is a click on the button of a link.
type Proof struct {
	Token string
	// SignupID is the pending sign-up of the browser's session, 0 without one.
	SignupID int64
	// Password of the sign-up, needed from any other browser.
	Password string
	// Nickname replaces one that was taken since the sign-up; else empty.
	Nickname string
}

// Resend asks for another mail.
type Resend struct {
	// SignupID is the pending sign-up of the browser's session, 0 without one.
	SignupID int64
	// Email, when it is not the address of that sign-up, asks from outside.
	Email  string
	Client netip.Addr
}

// Correction gives a pending sign-up another address.
type Correction struct {
	SignupID int64
	Email    string
	Client   netip.Addr
}
