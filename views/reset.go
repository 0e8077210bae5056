package views

// ResetState is what became of a link to a new password.
type ResetState string

// The states of a link to a new password.
const (
	ResetReady     ResetState = "ready"
	ResetUsed      ResetState = "used"
	ResetExpired   ResetState = "expired"
	ResetReplaced  ResetState = "replaced"  // a newer mail has the link that works
	ResetOvertaken ResetState = "overtaken" // the account was changed since
	ResetForged    ResetState = "forged"
)

// ResetPage is the page behind the link to a new password.
type ResetPage struct {
	Page
	State ResetState
	Token string
	Email string // of the member, masked
	// Admin is true when the password of an administrator is asked for.
	Admin bool
}

func (p ResetPage) fields() []field {
	if p.State != ResetReady {
		return nil
	}
	hint := "hint.password"
	if p.Admin {
		hint = "hint.password_admin"
	}
	return []field{passwordField("new-password", hint)}
}

// stateKey is the catalogue key of a state of a link.
func (p ResetPage) stateKey(part string) string { return "reset." + string(p.State) + "." + part }
