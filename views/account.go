package views

import (
	"strings"
	"time"

	"madang/store"
)

// The forms of the account page, and the sections they stand in.
const (
	AccountNickname = "nickname"
	AccountPassword = "password"
	AccountEmail    = "email"
	AccountDelete   = "delete"
)

// AccountPage is where members change what is held about them.
type AccountPage struct {
	Page
	// Nickname and Email are what was typed into the form that failed.
	Nickname, Email string
	Pending         string // address that is still to be proven, "" for none
	Sessions        []store.OpenSession
	Form            string // that failed, "" for none
	// Wait is how long no try is taken, 0 for none.
	Wait time.Duration
}

// currentField asks for the password that counts now, in the form of that name.
func currentField(form string) field {
	return field{Name: "current", ID: form + "-current", Type: "password", Autocomplete: "current-password"}
}

func (p AccountPage) fields(form string) []field {
	switch form {
	case AccountNickname:
		f := nicknameField(p.User.Nickname)
		if p.Form == form {
			f.Value = p.Nickname
		}
		f.ID, f.Label = form+"-nickname", "field.new_nickname"
		return []field{f}
	case AccountPassword:
		f := passwordField("new-password", "hint.password")
		if p.admin() {
			f.Hint = "hint.password_admin"
		}
		f.ID, f.Label = form+"-password", "field.new_password"
		return []field{currentField(form), f}
	case AccountEmail:
		f := emailField("", "email")
		if p.Form == form {
			f.Value = p.Email
		}
		f.ID, f.Label = form+"-email", "field.new_email"
		return []field{f, currentField(form)}
	case AccountDelete:
		return []field{currentField(form)}
	}
	return nil
}

// deviceWords name a browser in the reader's language.
func (p Page) deviceWords(device string) string {
	if device == "" {
		return p.Word("account.device_unknown")
	}
	browser, system, both := strings.Cut(device, " on ")
	if !both {
		return device
	}
	return p.Word("account.device", browser, system)
}

// author is the name under which something was written. Whoever has left has
// none.
func (p Page) author(nickname string) string {
	if nickname == "" {
		return p.Word("author.deleted")
	}
	return nickname
}
