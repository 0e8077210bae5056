package jobs

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"
)

var letter = Mail{
	To: "minsu@example.com", Lang: "ko", MessageID: "abc123", Subject: "마당 가입 확인",
	Text: "링크: https://example.org/auth/verify?token=TOKEN-OF-THE-LINK\n코드: 012345\n", HTML: "<p>링크</p>",
	Link: "https://example.org/auth/verify?token=TOKEN-OF-THE-LINK", Code: "012345",
}

func newTestSMTP(t *testing.T, url string) *SMTP {
	t.Helper()
	s, err := NewSMTP(SMTPOptions{URL: url, From: "Madang <no-reply@example.org>"})
	if err != nil {
		t.Fatal(err)
	}
	s.within = 10 * time.Second
	return s
}

// The three ways a hand-over can end.
const (
	delivered = "delivered"
	dead      = "dead"
	again     = "again"
)

func ending(err error) string {
	var permanent *PermanentError
	switch {
	case err == nil:
		return delivered
	case errors.As(err, &permanent):
		return dead
	}
	return again
}

func TestEachFaultOfAMailServerEndsTheRightWay(t *testing.T) {
	cases := []struct {
		verb, reply, want string
		mails             int
	}{
		{"banner", "554 5.3.2 no service", again, 0},
		{"banner", "421 4.3.2 try later", again, 0},
		{"banner", drop, again, 0},
		{"banner", hang, again, 0},
		{"EHLO", "550 5.7.1 who are you", delivered, 1}, // HELO is tried then
		{"EHLO", "421 4.3.2 try later", delivered, 1},
		{"EHLO", drop, again, 0},
		{"EHLO", hang, again, 0},
		{"MAIL", "550 5.7.1 not from you", again, 0},
		{"MAIL", "501 5.1.7 bad sender", again, 0},
		{"MAIL", "451 4.3.0 later", again, 0},
		{"MAIL", drop, again, 0},
		{"MAIL", hang, again, 0},
		{"RCPT", "550 5.1.1 no such user", dead, 0},
		{"RCPT", "553 5.1.3 bad address", dead, 0},
		{"RCPT", "450 4.2.1 greylisted", again, 0},
		{"RCPT", "421 4.3.2 closing", again, 0},
		{"RCPT", drop, again, 0},
		{"RCPT", hang, again, 0},
		{"DATA", "554 5.5.1 no", again, 0},
		{"DATA", "451 4.3.0 later", again, 0},
		{"DATA", drop, again, 0},
		{"DATA", hang, again, 0},
		{"dot", "554 5.7.1 looks like spam", dead, 0},
		{"dot", "552 5.2.2 mailbox full", dead, 0},
		{"dot", "451 4.3.0 later", again, 0},
		{"dot", drop, again, 0},
		{"dot", hang, again, 0},
		{"dot", "nonsense", again, 0},
		{"QUIT", "500 5.5.1 no", delivered, 1},
		{"QUIT", drop, delivered, 1},
		{"QUIT", hang, delivered, 1},
	}
	for _, c := range cases {
		t.Run(c.verb+" "+c.reply, func(t *testing.T) {
			t.Parallel()
			server := newScriptedServer(t, fault{verb: c.verb, reply: c.reply})
			sender := newTestSMTP(t, server.url())
			if c.reply == hang {
				sender.within = 500 * time.Millisecond
			}
			err := sender.Send(t.Context(), letter)
			if got := ending(err); got != c.want {
				t.Errorf("ended %s (%v), want %s", got, err, c.want)
			}
			if got := len(server.mails()); got != c.mails {
				t.Errorf("%d mails taken, want %d", got, c.mails)
			}
		})
	}
}

func TestAHangingServerIsNamedAsTheReason(t *testing.T) {
	sender := newTestSMTP(t, newScriptedServer(t, fault{verb: "dot", reply: hang}).url())
	sender.within = 100 * time.Millisecond
	if err := sender.Send(t.Context(), letter); !errors.Is(err, errSlowServer) {
		t.Errorf("got %v, want %v", err, errSlowServer)
	}
}

func TestARefusedConnectionIsTriedAgain(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	if got := ending(newTestSMTP(t, "smtp://"+address+"?tls=none").Send(t.Context(), letter)); got != again {
		t.Errorf("ended %s, want %s", got, again)
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

func TestAServerThatRefusesItsOwnExtensionsGetsTheMail(t *testing.T) {
	server := newScriptedServer(t)
	server.strict = true
	if err := newTestSMTP(t, server.url()).Send(t.Context(), letter); err != nil {
		t.Fatal(err)
	}
	if got := server.mails(); len(got) != 1 || got[0].from != "no-reply@example.org" || got[0].to != letter.To {
		t.Errorf("taken: %+v", got)
	}
}

func TestWithoutSTARTTLSNothingIsSent(t *testing.T) {
	server := newScriptedServer(t)
	url := strings.Replace(server.url(), "tls=none", "tls=starttls", 1)
	if got := ending(newTestSMTP(t, url).Send(t.Context(), letter)); got != again {
		t.Errorf("ended %s, want %s", got, again)
	}
	if server.heard("MAIL") {
		t.Error("the mail began in clear")
	}
}

func TestAFailedLoginIsTriedAgain(t *testing.T) {
	for _, reply := range []string{"535 5.7.8 wrong password", "454 4.7.0 later", drop} {
		server := newScriptedServer(t, fault{verb: "AUTH", reply: reply})
		server.extensions = append(server.extensions, "AUTH PLAIN LOGIN")
		url := strings.Replace(server.url(), "://", "://user:secret-word@", 1)
		err := newTestSMTP(t, url).Send(t.Context(), letter)
		if got := ending(err); got != again {
			t.Errorf("%s: ended %s, want %s", reply, got, again)
		}
		if err != nil && strings.Contains(err.Error(), "secret-word") {
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
	deadline := time.NewTimer(20 * time.Second)
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
