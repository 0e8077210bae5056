package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// wire is a connection to a board on which anything may be said.
type wire struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
}

// wire opens a connection. What is said and heard on it has to end in time.
func (s *site) wire(within time.Duration) *wire {
	s.t.Helper()
	conn, err := new(net.Dialer).DialContext(s.t.Context(), "tcp", s.host())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(within)); err != nil {
		s.t.Fatal(err)
	}
	return &wire{t: s.t, conn: conn, in: bufio.NewReader(conn)}
}

// host is where the board listens.
func (s *site) host() string { return strings.TrimPrefix(s.running().url, "http://") }

// say sends some bytes. Whoever is not listened to any more hears why.
func (w *wire) say(text string) {
	_, _ = io.WriteString(w.conn, text)
}

// hear returns the next answer.
func (w *wire) hear() (reply, error) {
	response, err := http.ReadResponse(w.in, nil)
	if err != nil {
		return reply{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return reply{status: response.StatusCode, place: response.Header.Get("Location"), header: response.Header, body: string(body)}, err
}

// rest is all that is still said until the board ends the connection, and
// whether it did.
func (w *wire) rest() (text string, ended bool) {
	said, err := io.ReadAll(w.in)
	timeout, ok := err.(net.Error) //nolint:errorlint // of our own connection, as it comes
	return string(said), !ok || !timeout.Timeout()
}

// form is a request to a path with a form in it; headers end with a line each.
func form(path, body string, headers ...string) string {
	return "POST " + path + " HTTP/1.1\r\nHost: board\r\nContent-Type: application/x-www-form-urlencoded\r\n" +
		strings.Join(append(headers, ""), "\r\n") + "\r\n" + body
}

// wantAnswered fails the test unless somebody who behaves gets the list.
func (s *site) wantAnswered(after string) {
	s.t.Helper()
	w := s.wire(10 * time.Second * slower)
	defer w.conn.Close()
	w.say("GET / HTTP/1.1\r\nHost: board\r\nConnection: close\r\n\r\n")
	if a, err := w.hear(); err != nil || a.status != http.StatusOK {
		s.t.Errorf("after %s the list is answered with %d: %v", after, a.status, err)
	}
}

// warm asks for so much at once that the board opens what it keeps open, and
// returns how many files those are.
func (s *site) warm(p *process) int {
	s.t.Helper()
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() { s.wantAnswered("the start") })
	}
	all.Wait()
	open, same := openFiles(s.t, p), 0
	s.wait(20*time.Second*slower, "connections of the start are still open", func() bool {
		before := open
		if open = openFiles(s.t, p); open != before {
			same = 0
		}
		same++
		return same > 20 // a second: a server lingers half of that with each
	})
	return open
}

// further is how many more connections to its database a board may open under load.
func (s *site) further() int {
	if s.database != "" {
		return 64 // kept for a while
	}
	return 16 // two files for each reader
}
