package store

import "time"

// The kinds of jobs. A kind is a string, never a Go type, so that a row
// outlives the code that wrote it.
const (
	KindVerifyMail  = "verify_mail"  // the mail of a sign-up
	KindAccountMail = "account_mail" // "you already have an account", asked for by resend
	KindViews       = "views"        // a batch of packed view events
)

// The states of a job.
const (
	Available = "available"
	Scheduled = "scheduled"
	Running   = "running"
	Done      = "done"
	Dead      = "dead"
)

// Job is one claimed row of the outbox.
type Job struct {
	ID      int64
	Kind    string
	Attempt int // counted at the claim, from 1
	Payload []byte
	// CreatedAt is when the job was committed; the age decides when retries end.
	CreatedAt time.Time
	// Lease fences every later write: a worker that lost it changes nothing.
	Lease string
}

// JobCount says how many jobs of a kind are in a state.
type JobCount struct {
	Kind  string
	State string
	Count int64
}

// OutgoingMail is everything a mail of a job needs, read when it is sent.
type OutgoingMail struct {
	To        string
	Lang      string
	Nickname  string
	MessageID string // without angle brackets; the same at each retry
	// Token and Code are empty when the address already has an account.
	Token string
	Code  string
	// Until is when the link ends if the mail is handed over now.
	Until time.Time
	// Obsolete is true when a newer mail replaced this one: nothing is sent.
	Obsolete bool
}
