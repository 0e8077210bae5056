package jobs

import (
	"bufio"
	"bytes"
	"context"
	"net"
	netmail "net/mail"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// fault is what a scripted mail server does at a verb: a command, or "banner",
// "dot" (after the text) or "taken" (the same once the mail is kept).
type fault struct {
	verb  string
	reply string // the line to send, or drop, hang or trickle
	times int    // how often; 0: always
}

const (
	drop    = "(drop)"    // close the connection without a word
	hang    = "(hang)"    // say nothing until the client goes away
	trickle = "(trickle)" // say everything, one byte a second
)

// received is a mail that a scripted server has taken.
type received struct {
	from, to string
	data     []byte
}

func (r received) parse(t *testing.T) *netmail.Message {
	t.Helper()
	msg, err := netmail.ReadMessage(bytes.NewReader(r.data))
	if err != nil {
		t.Fatalf("unreadable mail: %v\n%s", err, r.data)
	}
	return msg
}

// scriptedServer is a mail server on a socket that misbehaves as told.
type scriptedServer struct {
	listener   net.Listener
	extensions []string
	// strict refuses parameters of MAIL although it offers their extensions.
	strict bool
	// slow is how long it thinks about each text.
	slow time.Duration
	// most is how many mails it takes on a connection, 0: any number; then it
	// says enough, which may be drop.
	most   int
	enough string

	mu     sync.Mutex
	faults []fault
	taken  []received
	verbs  []string
	talks  int           // connections so far
	texts  int           // that it thinks about
	busy   int           // the most of them at once
	news   chan struct{} // closed and renewed at each taken mail
}

// newScriptedServer starts a server that is closed when the test ends.
func newScriptedServer(t testing.TB, faults ...fault) *scriptedServer {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &scriptedServer{
		listener: listener, faults: faults, extensions: []string{"8BITMIME", "SMTPUTF8"}, news: make(chan struct{}),
	}
	ctx, stop := context.WithCancel(t.Context())
	var talks sync.WaitGroup
	talks.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			talks.Go(func() { s.talk(ctx, conn) })
		}
	})
	t.Cleanup(func() {
		stop()
		_ = listener.Close()
		talks.Wait()
	})
	return s
}

func (s *scriptedServer) url() string { return "smtp://" + s.listener.Addr().String() + "?tls=none" }

// mails returns what the server has taken so far.
func (s *scriptedServer) mails() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.taken)
}

// heard reports whether a client said the verb.
func (s *scriptedServer) heard(verb string) bool { return s.count(verb) > 0 }

// count is how often clients said the verb.
func (s *scriptedServer) count(verb string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.verbs {
		if v == verb {
			n++
		}
	}
	return n
}

// connections is how often somebody has connected.
func (s *scriptedServer) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.talks
}

// think takes its time over a text.
func (s *scriptedServer) think() {
	s.mu.Lock()
	s.texts++
	s.busy = max(s.busy, s.texts)
	s.mu.Unlock()
	<-time.After(s.slow)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts--
}

// busiest is how many texts it has had to think about at once.
func (s *scriptedServer) busiest() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.busy
}

// script replaces what the server does from now on.
func (s *scriptedServer) script(faults ...fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = faults
}

// await waits until the server has taken so many mails.
func (s *scriptedServer) await(t *testing.T, count int) []received {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		s.mu.Lock()
		taken, news := slices.Clone(s.taken), s.news
		s.mu.Unlock()
		if len(taken) >= count {
			return taken
		}
		select {
		case <-news:
		case <-deadline:
			t.Fatalf("%d mails taken, want %d", len(taken), count)
		}
	}
}

func (s *scriptedServer) talk(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	s.mu.Lock()
	s.talks++
	s.mu.Unlock()
	c := &conversation{server: s, conn: conn, in: bufio.NewReader(conn)}
	ok := c.answer("banner", "220 script.test ESMTP")
	for ok {
		line, err := c.in.ReadString('\n')
		if err != nil {
			return
		}
		ok = c.command(strings.TrimRight(line, "\r\n"))
	}
}

// fault notes the verb and returns what the script wants there.
func (s *scriptedServer) fault(verb string) (fault, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.verbs = append(s.verbs, verb)
	for i, f := range s.faults {
		if f.verb != verb {
			continue
		}
		switch f.times {
		case 0:
		case 1:
			s.faults = slices.Delete(s.faults, i, i+1)
		default:
			s.faults[i].times--
		}
		return f, true
	}
	return fault{}, false
}

func (s *scriptedServer) keep(r received) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken = append(s.taken, r)
	close(s.news)
	s.news = make(chan struct{})
}
