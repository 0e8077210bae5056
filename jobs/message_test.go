package jobs

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheSenderOfMailIsRead(t *testing.T) {
	cases := map[string]netmail.Address{
		"no-reply@example.org":                 {Address: "no-reply@example.org"},
		"Madang <no-reply@localhost>":          {Name: "Madang", Address: "no-reply@localhost"},
		"마당 게시판 <no-reply@example.org>":        {Name: "마당 게시판", Address: "no-reply@example.org"},
		`"Kim, Minsu" <kim@example.org>`:       {Name: "Kim, Minsu", Address: "kim@example.org"},
		`"The \"board\"" <kim@example.org>`:    {Name: `The "board"`, Address: "kim@example.org"},
		"Zoë Müller <zoe@bücher.example>":      {Name: "Zoë Müller", Address: "zoe@xn--bcher-kva.example"},
		"=?utf-8?q?Zo=C3=AB?= <z@example.org>": {Name: "Zoë", Address: "z@example.org"},
	}
	for raw, want := range cases {
		got, err := ParseFrom(raw)
		if err != nil {
			t.Errorf("%s: %v", raw, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", raw, diff)
		}
	}
	for _, raw := range []string{
		"", "Madang", "a@", "@example.org", "Kim, Minsu <kim@example.org>", "a@b.example, c@d.example", "민수@example.org",
		"a@exa mple.org", "a@example.org\r\nBcc: x@example.org", `"a b"@example.org`, "Madang <>", "a@xn--a.example",
	} {
		if got, err := ParseFrom(raw); err == nil {
			t.Errorf("%q is taken as %v", raw, got)
		} else if strings.ContainsAny(err.Error(), "\r\n") {
			t.Errorf("%q: the error has more than one line: %v", raw, err)
		}
	}
}

func TestAMailReadsTheSameAfterItsJourney(t *testing.T) {
	froms := []string{`"마당, \"광장\" 게시판" <no-reply@example.org>`, "Madang <no-reply@example.org>", "no-reply@example.org"}
	for _, from := range froms {
		server := newScriptedServer(t)
		sender, err := NewSMTP(SMTPOptions{URL: server.url(), From: from})
		if err != nil {
			t.Fatal(err)
		}
		m := letter
		m.Subject = strings.Repeat("마당에 오신 것을 환영합니다, \"민수\" ", 6)
		m.Text = strings.Repeat("긴 줄 ", 400) + "\n.\n..\nFrom here\n" + m.Text
		if err := sender.Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		checkMail(t, server.mails()[0], sender.from, m)
	}
}

func checkMail(t *testing.T, got received, from netmail.Address, want Mail) {
	t.Helper()
	for line := range strings.Lines(string(got.data)) {
		if len(line) > 1000 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
	if i := bytes.IndexFunc(got.data, func(r rune) bool { return r > 126 }); i >= 0 {
		t.Errorf("not 7-bit: %q", got.data[i:min(i+20, len(got.data))])
	}
	msg := got.parse(t)
	if list, err := msg.Header.AddressList("From"); err != nil || len(list) != 1 || *list[0] != from {
		t.Errorf("From %v (%v), want %v", list, err, from)
	}
	if _, err := msg.Header.Date(); err != nil {
		t.Errorf("Date: %v", err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(msg.Header.Get("Subject"))
	if err != nil || strings.TrimSpace(subject) != strings.TrimSpace(want.Subject) {
		t.Errorf("Subject %q (%v), want %q", subject, err, want.Subject)
	}
	for name, value := range map[string]string{
		"To": "<" + want.To + ">", "Message-Id": "<" + want.MessageID + "@example.org>", "Mime-Version": "1.0",
		"Auto-Submitted": "auto-generated", "Content-Language": want.Lang, "User-Agent": "", "X-Mailer": "", "Bcc": "",
	} {
		if msg.Header.Get(name) != value {
			t.Errorf("%s: %q, want %q", name, msg.Header.Get(name), value)
		}
	}
	wantParts := map[string]string{"text/plain": want.Text, "text/html": want.HTML}
	if diff := cmp.Diff(wantParts, parts(t, msg)); diff != "" {
		t.Errorf("bodies: -want +got\n%s", diff)
	}
}

func parts(t *testing.T, msg *netmail.Message) map[string]string {
	t.Helper()
	kind, params, err := mime.ParseMediaType(msg.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("Content-Type %s (%v)", msg.Header.Get("Content-Type"), err)
	}
	found := make(map[string]string)
	reader := multipart.NewReader(msg.Body, params["boundary"])
	for {
		part, err := reader.NextRawPart()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type"))
		if part.Header.Get("Content-Transfer-Encoding") != "quoted-printable" {
			t.Errorf("%s is %s", kind, part.Header.Get("Content-Transfer-Encoding"))
		}
		text, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		found[kind] = strings.ReplaceAll(string(text), "\r\n", "\n")
	}
}

func TestAnErrorKeepsTheSecretsOfItsMail(t *testing.T) {
	text := "550 <minsu@example.com>: your mail with https://example.org/auth/verify?token=TOKEN-OF-THE-LINK " +
		"(TOKEN-OF-THE-LINK) and 012345 is spam"
	err := conceal(Permanent(errors.New(text)), letter)
	if ending(err) != dead {
		t.Error("the error has lost that it is permanent")
	}
	if want := "550 <m***@example.com>: your mail with [link] ([token]) and [code] is spam"; err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
}
