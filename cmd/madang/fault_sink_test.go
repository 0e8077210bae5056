package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"net"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"
)

// moment is a point in a conversation with a mail server: the verb of a
// command, or one of those below.
type moment struct {
	verb string
	to   string // of the mail, once it is known
	talk int    // the number of the connection, from 1
}

const (
	banner = "banner"
	begun  = "begun" // the first line of the mail has come
	dot    = "dot"   // the mail is complete and not kept yet
	kept   = "kept"  // it is kept, and the client does not know yet
	taken  = "taken" // the client has been told
)

const (
	usual = ""       // what a mail server does
	drop  = "(drop)" // close the connection without a word
	hang  = "(hang)" // say nothing until the client goes away
)

// script says what the mail server does at a moment: usual, drop, hang, or the
// line it says instead. It may take its time, and kill whom it likes.
type script func(moment) string

// accepted is a mail that the server has taken.
type accepted struct {
	id   string // Message-ID before the "@"
	to   string
	text string
}

func (a accepted) letter() letter { return letter{to: a.to, text: a.text} }

func (a accepted) token() string {
	_, token, _ := strings.Cut(a.letter().link(), "token=")
	return token
}

// sink is a mail server on a socket that does as its script says.
type sink struct {
	url    string
	offers []string // EHLO keywords
	tls    *tls.Config

	mu     sync.Mutex
	does   script
	mails  []accepted
	heard  map[string]int
	talks  int
	listen net.Listener // nil while it is down
	ended  sync.WaitGroup
	stop   context.CancelFunc
}

func newSink(t *testing.T) *sink {
	t.Helper()
	s := &sink{heard: map[string]int{}, does: func(moment) string { return usual }}
	s.up(t, "127.0.0.1:0")
	t.Cleanup(s.down)
	s.url = "smtp://" + s.listen.Addr().String() + "?tls=none"
	return s
}

// up lets the server listen, again if it was down.
func (s *sink) up(t *testing.T, address string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listen, s.stop = listener, stop
	s.ended.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			s.ended.Go(func() { s.converse(ctx, conn) })
		}
	})
}

// down closes the server with all its connections.
func (s *sink) down() {
	s.mu.Lock()
	if s.listen != nil {
		s.stop()
		_ = s.listen.Close()
		s.listen = nil
	}
	s.mu.Unlock()
	s.ended.Wait()
}

// follow gives the server another script.
func (s *sink) follow(does script) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.does = does
}

// all returns the mails taken so far.
func (s *sink) all() []accepted {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]accepted(nil), s.mails...)
}

// to returns the mails taken for an address so far.
func (s *sink) to(address string) []accepted {
	var found []accepted
	for _, a := range s.all() {
		if a.to == address {
			found = append(found, a)
		}
	}
	return found
}

// times is how often a client said a verb.
func (s *sink) times(verb string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.heard[verb]
}

func (s *sink) keep(to string, mail []byte) {
	a := accepted{to: to}
	if message, err := netmail.ReadMessage(bytes.NewReader(mail)); err == nil {
		a.id, _, _ = strings.Cut(strings.Trim(message.Header.Get("Message-Id"), "<>"), "@")
	}
	a.text, _ = plainText(bytes.NewReader(mail))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mails = append(s.mails, a)
}
