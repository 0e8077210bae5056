package jobs

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

var letter = Mail{
	To: "minsu@example.com", Lang: "ko", MessageID: "abc123", Subject: "마당 가입 확인",
	Text: "링크: https://example.org/auth/verify?token=TOKEN-OF-THE-LINK\n코드: 012345\n", HTML: "<p>링크</p>",
	Link: "https://example.org/auth/verify?token=TOKEN-OF-THE-LINK", Code: "012345",
}

func newTestSMTP(t testing.TB, url string) *SMTP {
	t.Helper()
	s, err := NewSMTP(SMTPOptions{URL: url, From: "Madang <no-reply@example.org>"})
	if err != nil {
		t.Fatal(err)
	}
	s.patience.send = 10 * time.Second
	t.Cleanup(s.Close)
	return s
}

// The ways a hand-over can end.
const (
	delivered = "delivered"
	dead      = "dead"
	again     = "again"
	outage    = "outage"
)

func ending(err error) string {
	_, permanent := errors.AsType[*PermanentError](err)
	_, out := errors.AsType[*OutageError](err)
	switch {
	case err == nil:
		return delivered
	case permanent:
		return dead
	case out:
		return outage
	}
	return again
}

func TestAHangingServerIsNamedAsTheReason(t *testing.T) {
	sender := newTestSMTP(t, newScriptedServer(t, fault{verb: "dot", reply: hang}).url())
	sender.patience.send = 100 * time.Millisecond
	if err := sender.Send(t.Context(), letter); !errors.Is(err, errSlowServer) {
		t.Errorf("got %v, want %v", err, errSlowServer)
	}
}

func TestTheEndOfTheContextInterruptsASend(t *testing.T) {
	server := newScriptedServer(t, fault{verb: "dot", reply: hang})
	sender := newTestSMTP(t, server.url())
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error)
	go func() { result <- sender.Send(ctx, letter) }()
	eventually(t, "the text is sent", func() bool { return server.heard("dot") })
	cancel()
	select {
	case err := <-result:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
	case <-time.After(3 * time.Second):
		t.Error("the send goes on")
	}
}

func TestAFailedLoginSaysNothingOfThePassword(t *testing.T) {
	for _, reply := range []string{"535 5.7.8 wrong password: secret-word", "454 4.7.0 AHVzZXIAc2VjcmV0LXdvcmQ=", drop} {
		server := newScriptedServer(t, fault{verb: "AUTH", reply: reply})
		server.extensions = append(server.extensions, "AUTH PLAIN LOGIN")
		url := strings.Replace(server.url(), "://", "://user:secret-word@", 1)
		err := newTestSMTP(t, url).Send(t.Context(), letter)
		if got := ending(err); got != outage {
			t.Errorf("%s: ended %s, want %s", reply, got, outage)
		}
		if err == nil || strings.Contains(err.Error(), "secret-word") || strings.Contains(err.Error(), "c2VjcmV0LXdvcmQ") {
			t.Errorf("the error holds the password: %v", err)
		}
		if server.heard("MAIL") {
			t.Errorf("%s: the mail began without a login", reply)
		}
	}
}

func TestInjectedLinesGoNowhere(t *testing.T) {
	for _, to := range []string{
		"a@example.com\r\nRCPT TO:<evil@example.com>", "a@example.com>\r\nDATA", `"a@b> ORCPT=x"@example.com`,
		"a@example.com, evil@example.com", "a@@example.com", "", "a b@example.com", "a@example.com\x00",
		"민수@example.com", "Kim <a@example.com>", "a(b)@example.com",
	} {
		server := newScriptedServer(t)
		if got := ending(newTestSMTP(t, server.url()).Send(t.Context(), Mail{To: to, MessageID: "1"})); got != dead {
			t.Errorf("%q ended %s, want %s", to, got, dead)
		}
		if server.heard("EHLO") {
			t.Errorf("%q reached the server", to)
		}
	}

	server := newScriptedServer(t)
	m := letter
	m.Subject, m.MessageID, m.Lang = "hello\r\nBcc: evil@example.com", "1\r\nBcc: evil@example.com", "ko\r\nX: y"
	m.Text = "a line\r\n.\r\nMAIL FROM:<evil@example.com>\r\n"
	if err := newTestSMTP(t, server.url()).Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	mails := server.mails()
	if len(mails) != 1 || mails[0].to != m.To {
		t.Fatalf("taken: %+v", mails)
	}
	header := mails[0].parse(t).Header
	if header.Get("Bcc") != "" || header.Get("X") != "" {
		t.Errorf("injected header: %v", header)
	}
}

// eventually polls until ok holds, and fails the test when it never does.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.NewTimer(time.Minute)
	defer deadline.Stop()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline.C:
			t.Fatalf("never happened: %s", what)
		}
	}
}
