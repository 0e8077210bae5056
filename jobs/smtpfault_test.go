package jobs

import (
	"context"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// faults are the ways in which a server can misbehave at a verb.
var faults = []struct{ name, reply string }{
	{"4xx", "451 4.3.0 try again later"},
	{"5xx", "550 5.7.1 never"},
	{"hang", hang},
	{"drop", drop},
	{"one byte a second", trickle},
}

// faultRow is a verb and how a mail ends with each of the faults there.
type faultRow struct {
	verb  string
	wants [5]string // in the order of faults
	url   func(*scriptedServer) string
	mails int // that the server has kept
}

func faultTable() []faultRow {
	all := func(end string) [5]string { return [5]string{end, end, end, end, end} }
	return []faultRow{
		{"banner", all(outage), plainURL, 0},
		// A server that does not know EHLO is greeted with HELO.
		{"EHLO", [5]string{delivered, delivered, outage, outage, outage}, plainURL, 0},
		{"EHLO and HELO", all(outage), plainURL, 0},
		{"STARTTLS", all(outage), tlsURL, 0},
		{"AUTH", all(outage), loginURL, 0},
		{"MAIL", [5]string{again, outage, outage, outage, outage}, plainURL, 0},
		{"RCPT", [5]string{again, dead, again, again, again}, plainURL, 0},
		{"DATA", all(again), plainURL, 0},
		{"dot", [5]string{again, dead, again, again, again}, plainURL, 0},
		// Between two mails: the second goes out on another line.
		{"RSET", all(delivered), plainURL, 2},
		// After the last mail.
		{"QUIT", all(delivered), plainURL, 1},
	}
}

func plainURL(s *scriptedServer) string { return s.url() }
func tlsURL(s *scriptedServer) string {
	return strings.Replace(s.url(), "tls=none", "tls=starttls", 1)
}

func loginURL(s *scriptedServer) string {
	return strings.Replace(s.url(), "://", "://user:secret-word@", 1)
}

// impatient is a sender for servers that hang.
func impatient(t *testing.T, url string) *SMTP {
	t.Helper()
	s := newTestSMTP(t, url)
	s.patience = patience{connect: 300 * time.Millisecond, send: 400 * time.Millisecond, ask: 200 * time.Millisecond, idle: time.Minute}
	return s
}

func TestEachFaultAtEachVerbEndsTheRightWay(t *testing.T) {
	var ran atomic.Int64
	t.Run("table", func(t *testing.T) {
		for _, row := range faultTable() {
			for i, f := range faults {
				t.Run(row.verb+"/"+f.name, func(t *testing.T) {
					t.Parallel()
					ran.Add(1)
					row.check(t, f.reply, row.wants[i])
				})
			}
		}
	})
	t.Logf("%d of %d cases of verb and fault ran", ran.Load(), len(faultTable())*len(faults))
}

func (row faultRow) check(t *testing.T, reply, want string) {
	var script []fault
	for verb := range strings.SplitSeq(row.verb, " and ") {
		script = append(script, fault{verb: verb, reply: reply})
	}
	server := newScriptedServer(t, script...)
	server.extensions = append(server.extensions, "STARTTLS", "AUTH PLAIN LOGIN")
	sender := impatient(t, row.url(server))
	if row.verb == "RSET" { // is said before the second mail
		if err := sender.Send(t.Context(), letter); err != nil {
			t.Fatal(err)
		}
	}
	err := sender.Send(t.Context(), letter)
	if got := ending(err); got != want {
		t.Errorf("ended %s (%v), want %s", got, err, want)
	}
	sender.Close()
	mails := row.mails
	if want == delivered {
		mails = max(mails, 1)
	}
	if got := len(server.mails()); got != mails {
		t.Errorf("%d mails taken, want %d", got, mails)
	}
	if server.heard("NOOP") {
		t.Error("NOOP was said")
	}
}

func TestTheWordsOfAServerThatDecidesDecideTheMail(t *testing.T) {
	cases := []struct{ verb, reply, want string }{
		{"banner", "554 5.3.2 no service", outage},
		{"banner", "421 4.3.2 too many connections", outage},
		{"MAIL", "530 5.7.0 authentication required", outage},
		{"MAIL", "501 5.1.7 bad sender", outage},
		{"MAIL", "421 4.3.2 closing", again},
		{"RCPT", "553 5.1.3 bad address", dead},
		{"RCPT", "530 5.7.0 authentication required", again},
		{"RCPT", "450 4.2.1 greylisted", again},
		{"RCPT", "421 4.3.2 closing", again},
		{"RCPT", "nonsense", again},
		{"dot", "552 5.2.2 mailbox full", dead},
		{"dot", "554 5.7.1 looks like spam", dead},
		{"dot", "nonsense", again},
		// It has the mail, and its 250 is lost on the way.
		{"taken", drop, again},
		{"taken", hang, again},
		{"taken", trickle, again},
	}
	for _, c := range cases {
		t.Run(c.verb+" "+c.reply, func(t *testing.T) {
			t.Parallel()
			err := impatient(t, newScriptedServer(t, fault{verb: c.verb, reply: c.reply}).url()).Send(t.Context(), letter)
			if got := ending(err); got != c.want {
				t.Errorf("ended %s (%v), want %s", got, err, c.want)
			}
		})
	}
	t.Logf("%d cases of words", len(cases))
}

func TestAServerThatCannotBeReachedIsAnOutage(t *testing.T) {
	refusing := "smtp://" + closedPort(t) + "?tls=none"
	if got := ending(newTestSMTP(t, refusing).Send(t.Context(), letter)); got != outage {
		t.Errorf("refused: ended %s, want %s", got, outage)
	}
	server := newScriptedServer(t)
	if got := ending(newTestSMTP(t, tlsURL(server)).Send(t.Context(), letter)); got != outage {
		t.Errorf("without STARTTLS: ended %s, want %s", got, outage)
	}
	if got := ending(newTestSMTP(t, loginURL(server)).Send(t.Context(), letter)); got != outage {
		t.Errorf("without AUTH: ended %s, want %s", got, outage)
	}
	if server.heard("MAIL") {
		t.Error("a mail began in clear or without a login")
	}
}

// closedPort is an address where nobody listens.
func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return listener.Addr().String()
}

func TestACertificateThatCannotBeTrustedStopsTheMail(t *testing.T) {
	tomorrow := time.Now().Add(24 * time.Hour)
	unknown, _ := selfSigned(t, loopback(), tomorrow)
	expired, expiredRoots := selfSigned(t, loopback(), time.Now().Add(-time.Hour))
	other, otherRoots := selfSigned(t, net.IPv4(192, 0, 2, 1), tomorrow)
	for _, e := range []encryption{startTLS, implicitTLS} {
		for name, c := range map[string]trust{
			"self-signed": {unknown, expiredRoots}, "expired": {expired, expiredRoots}, "wrong name": {other, otherRoots},
		} {
			backend := new(post)
			sender := newTestSMTP(t, schemes[e]+"user:pass%2F%3A%40@"+startPost(t, backend, c.cert, e))
			sender.roots = c.roots
			if got := ending(sender.Send(t.Context(), letter)); got != outage {
				t.Errorf("%s, %s: ended %s, want %s", e, name, got, outage)
			}
			if backend.mails.Load() != 0 || backend.logins.Load() != 0 {
				t.Errorf("%s, %s: something was sent", e, name)
			}
		}
	}
}

func TestAServerThatRefusesItsOwnExtensionsGetsTheMail(t *testing.T) {
	for _, extensions := range [][]string{{"8BITMIME"}, {"SMTPUTF8"}, {"8BITMIME", "SMTPUTF8"}} {
		server := newScriptedServer(t)
		server.strict, server.extensions = true, slices.Concat(extensions, []string{"PIPELINING"})
		if err := newTestSMTP(t, server.url()).Send(t.Context(), letter); err != nil {
			t.Fatal(err)
		}
		if got := server.mails(); len(got) != 1 || got[0].from != "no-reply@example.org" || got[0].to != letter.To {
			t.Errorf("taken: %+v", got)
		}
	}
}

func TestAMailEndsWithinTheLeaseOfItsJob(t *testing.T) {
	p := newPool(t, storetest.New(t), 1, func(context.Context, store.Job) error { return nil })
	if most := usualPatience().send + 2*usualPatience().ask; most >= p.opts.Lease {
		t.Errorf("a mail may take %s, its job is leased for %s", most, p.opts.Lease)
	}
}
