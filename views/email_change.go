package views

// EmailState is what became of a link that proves a changed address.
type EmailState string

// The states of a link that proves a changed address.
const (
	EmailReady     EmailState = "ready" // one button
	EmailDone      EmailState = "done"
	EmailExpired   EmailState = "expired"
	EmailReplaced  EmailState = "replaced"  // a newer mail has the link that works
	EmailOvertaken EmailState = "overtaken" // the password was changed since
	EmailForged    EmailState = "forged"
	EmailForeign   EmailState = "foreign" // asked for by another member
)

// EmailPage is the page behind the link that proves a changed address.
type EmailPage struct {
	Page
	State EmailState
	Token string
	Email string
}

func (p EmailPage) stateKey(part string) string { return "change." + string(p.State) + "." + part }
