package views

// Signatures only, while the rooms are being built; deleted as the components come.

import (
	"context"

	"github.com/a-h/templ"
)

func Home(p HomePage) templ.Component         { panic("stub") }
func Post(p PostPage) templ.Component         { panic("stub") }
func PostForm(p PostFormPage) templ.Component { panic("stub") }
func Comment(p CommentPage) templ.Component   { panic("stub") }
func Signup(p SignupPage) templ.Component     { panic("stub") }
func Login(p LoginPage) templ.Component       { panic("stub") }
func Pending(p PendingPage) templ.Component   { panic("stub") }
func Verify(p VerifyPage) templ.Component     { panic("stub") }
func Error(p ErrorPage) templ.Component       { panic("stub") }
func Admin(p AdminPage) templ.Component       { panic("stub") }
func Mailbox(p MailboxPage) templ.Component   { panic("stub") }
func Mail(p MailPage) templ.Component         { panic("stub") }

// MailBody is a mail ready to be sent.
type MailBody struct {
	Subject, Text, HTML string
}

func (m VerifyMail) Render(ctx context.Context) (MailBody, error)  { panic("stub") }
func (m AccountMail) Render(ctx context.Context) (MailBody, error) { panic("stub") }

// Word returns the text of a catalogue key, e.g. for the JSON errors of a sign-up.
func (l Lang) Word(key string, args ...any) string { panic("stub") }

// ProblemWords returns what to say beside a field.
// func (l Lang) Problem(field string, p store.Problem) string
