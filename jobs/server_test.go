package jobs

import (
	"strings"
	"testing"
)

func TestTheAddressOfTheMailServerIsRead(t *testing.T) {
	cases := map[string]MailServer{
		"smtp://mail.example.org":                       {host: "mail.example.org", port: 587, encryption: startTLS},
		"smtp://u:p@mail.example.org:2525?tls=starttls": {host: "mail.example.org", port: 2525, user: "u", pass: "p", encryption: startTLS},
		"smtps://u%40d:p%2F%3A@mail.example.org":        {host: "mail.example.org", port: 465, user: "u@d", pass: "p/:", encryption: implicitTLS},
		"smtp://mail.example.org?tls=none":              {host: "mail.example.org", port: 25, encryption: noTLS},
		"smtp://u:p@localhost:1025?tls=none":            {host: "localhost", port: 1025, user: "u", pass: "p", encryption: noTLS},
		"smtp://u:p@[::1]:1025/?tls=none":               {host: "::1", port: 1025, user: "u", pass: "p", encryption: noTLS},
	}
	for raw, want := range cases {
		if got, err := ParseMailServer(raw); err != nil || got != want {
			t.Errorf("%s is %+v (%v), want %+v", raw, got, err, want)
		}
	}
}

func TestABadAddressOfTheMailServerIsOneLineWithoutThePassword(t *testing.T) {
	for _, raw := range []string{
		"", "mail.example.org", "mail.example.org:25", "http://u:secret@mail.example.org", "smtp://", "smtp://:25",
		"smtp://u:secret%zz@mail.example.org", "smtp://u:se cret@mail.example.org", "smtp://u:secret@mail.example.org/path",
		"smtp://u:secret@mail.example.org?tls=maybe", "smtp://u:secret@mail.example.org?tls=none",
		"smtp://u:secret@192.0.2.1?tls=none", "smtps://u:secret@mail.example.org?tls=none",
		"smtps://u:secret@mail.example.org?tls=starttls", "smtp://u:secret@mail.example.org?tls=starttls&x=y",
		"smtp://u:secret@mail.example.org?tls=starttls&tls=none", "smtp://u:secret@mail.example.org:0",
		"smtp://u:secret@mail.example.org:65536", "smtp://u:secret@mail.example.org:x", "smtp://u@mail.example.org",
		"smtp://:secret@mail.example.org", "smtp://u:secret@mail.example.org#x", "smtp://u:secret#1@mail.example.org",
		"smtp://u:secret\n@mail.example.org",
	} {
		got, err := ParseMailServer(raw)
		if err == nil {
			t.Errorf("%q is taken as %v", raw, got)
			continue
		}
		if strings.Contains(err.Error(), "secret") || strings.ContainsAny(err.Error(), "\r\n") {
			t.Errorf("%q: %v", raw, err)
		}
	}
}

func TestAPrintedMailServerHasNoPassword(t *testing.T) {
	s, err := ParseMailServer("smtps://user:secret@mail.example.org")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.String(), "mail.example.org:465 (tls: smtps)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
