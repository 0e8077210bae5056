package views

// ForgotPage asks for a link to a new password, or says that one was asked for.
type ForgotPage struct {
	Page
	Email string
}

func (p ForgotPage) fields() []field { return []field{emailField(p.Email, "username")} }
