package store

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// emailMax and localMax are the lengths that SMTP allows (RFC 5321, 4.5.3.1).
const (
	emailMax = 254
	localMax = 64
)

// cleanEmail returns an address as it was typed and its canonical form, under
// which it is compared: the whole in lower case, the domain as A-label. Quoted
// local parts, comments and anything else that could mean two things to two
// programs is refused.
func cleanEmail(typed string) (email, key string, p Problem) {
	if len(typed) > 4*emailMax {
		return "", "", TooLong
	}
	email = strings.Trim(typed, " \t\u00a0\u3000\u200b\u2060\ufeff") // as it is pasted; a line end is no accident
	if email == "" {
		return "", "", Missing
	}
	local, domain, found := strings.Cut(email, "@")
	if !found || !utf8.ValidString(email) || !goodLocal(local) || strings.ContainsFunc(domain, dropped) {
		return "", "", Malformed
	}
	ascii, err := idna.Lookup.ToASCII(domain)
	if err != nil || !goodDomain(ascii) {
		return "", "", Malformed
	}
	key = strings.ToLower(local) + "@" + strings.ToLower(ascii)
	if len(email) > emailMax || len(key) > emailMax || len(local) > localMax {
		return "", "", TooLong
	}
	return email, key, ""
}

// goodLocal reports whether a local part is a dot-atom (RFC 5322, 3.2.3)
// without the characters that shells and mail programs take for their own.
func goodLocal(local string) bool {
	for atom := range strings.SplitSeq(local, ".") {
		if atom == "" || strings.ContainsFunc(atom, notInAtom) {
			return false
		}
	}
	return true
}

func notInAtom(r rune) bool {
	letter := r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r))
	return !letter && !strings.ContainsRune("!#$%&'*+-/=?^_{|}~", r)
}

// dropped reports what names of domains are read without: an address that holds
// it looks like one without, on every page that shows it. Joiners, which some
// scripts need, are judged with their neighbours.
func dropped(r rune) bool {
	return unseen(r) || unicode.Is(unicode.Cf, r) && r != '\u200c' && r != '\u200d'
}

// goodDomain asks for at least two labels of letters, digits and hyphens, the
// last of which is no number: an address of a mail server is no domain.
func goodDomain(domain string) bool {
	labels := strings.Split(domain, ".")
	for _, label := range labels {
		bad := func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-'
		}
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' || strings.ContainsFunc(label, bad) {
			return false
		}
	}
	last := labels[len(labels)-1]
	return len(labels) > 1 && strings.Trim(last, "0123456789") != ""
}

// deliverable is the address for the mail server: the local part as typed, the
// domain as A-label, which every server takes.
func deliverable(email, key string) string {
	local, _, _ := strings.Cut(email, "@")
	_, domain, _ := strings.Cut(key, "@")
	return local + "@" + domain
}

// MaskEmail leaves the first letter and the domain of an address: j***@example.com.
// What has no such domain may be a password that was typed into the wrong field.
func MaskEmail(address string) string {
	at := strings.LastIndexByte(address, '@')
	if at < 1 || len(address) > emailMax || !strings.Contains(address[at:], ".") {
		return "***"
	}
	_, size := utf8.DecodeRuneInString(address)
	return address[:size] + "***" + address[at:]
}
