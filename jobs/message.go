package jobs

import (
	"errors"
	"fmt"
	netmail "net/mail"
	"strings"

	"github.com/wneessen/go-mail"
	"golang.org/x/net/idna"
)

// ParseFrom reads the sender of all mails, e.g. `Madang <no-reply@example.org>`
// or `"Kim, Minsu" <kim@example.org>`. A domain in another script is turned
// into the form that every mail server takes.
func ParseFrom(raw string) (netmail.Address, error) {
	const form = `an address like no-reply@example.org or Madang <no-reply@example.org> is needed (a name with a comma stands in "quotes")`
	parsed, err := netmail.ParseAddress(raw)
	if err != nil {
		return netmail.Address{}, errors.New(form)
	}
	at := strings.LastIndexByte(parsed.Address, '@')
	domain, err := idna.Lookup.ToASCII(parsed.Address[at+1:])
	if err != nil {
		return netmail.Address{}, errors.New("the domain does not exist in that spelling: " + form)
	}
	parsed.Address = parsed.Address[:at+1] + domain
	if err := CheckAddress(parsed.Address); err != nil {
		return netmail.Address{}, fmt.Errorf("%w: %s", err, form)
	}
	return *parsed, nil
}

var errAddress = errors.New("the address has characters that are not safe in mail")

// CheckAddress lets plain ASCII addresses pass. The store takes no other; what
// a quoted local part could smuggle past a parser stops here all the same.
func CheckAddress(address string) error {
	unsafe := func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`"(),:;<>[]\`, r) }
	if strings.Count(address, "@") != 1 || strings.ContainsFunc(address, unsafe) {
		return errAddress
	}
	if parsed, err := netmail.ParseAddress(address); err != nil || parsed.Address != address {
		return errAddress
	}
	return nil
}

// compose builds the message. Everything in it is 7-bit ASCII, so that it
// needs no extension of the server it is given to.
func compose(from netmail.Address, m Mail) (*mail.Msg, error) {
	if err := CheckAddress(m.To); err != nil {
		return nil, err
	}
	msg := mail.NewMsg(mail.WithNoDefaultUserAgent())
	msg.FromMailAddress(&from)
	msg.EnvelopeFromMailAddress(&netmail.Address{Address: from.Address})
	msg.AddToMailAddress(&netmail.Address{Address: m.To})
	msg.SetDate()
	msg.SetMessageIDWithValue(m.MessageID + from.Address[strings.LastIndexByte(from.Address, '@'):])
	msg.Subject(m.Subject)
	if m.Lang != "" {
		msg.SetGenHeader(mail.HeaderContentLang, m.Lang)
	}
	// Asks holiday notices and other robots not to answer (RFC 3834).
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.SetGenHeader(mail.HeaderXAutoResponseSuppress, "All")
	msg.SetBodyString(mail.TypeTextPlain, m.Text)
	msg.AddAlternativeString(mail.TypeTextHTML, m.HTML)
	return msg, nil
}
