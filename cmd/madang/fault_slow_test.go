package main

import (
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"madang/static"
)

// laggard is a client that keeps a connection for as long as it is let.
type laggard struct {
	first string        // said at once
	then  string        // repeated for ever, a byte at each beat
	many  int           // how many there are
	limit time.Duration // after which the board has had enough
}

// laggards are the ways to be slow, by the time-out that ends them. What it
// takes to wait for the longer ones is left to a soak.
func laggards() map[string]laggard {
	kinds := map[string]laggard{
		"say nothing":             {many: 250, limit: 5 * time.Second},
		"never end their headers": {first: "GET / HTTP/1.1\r\nHost: board\r\nX-Slow: ", then: "x", many: 500, limit: 5 * time.Second},
	}
	if *soak {
		pages := strings.Repeat("GET "+static.URL("madang.css")+" HTTP/1.1\r\nHost: board\r\n\r\n", 5000)
		kinds["never end their form"] = laggard{first: form("/auth/login", "email=", "Content-Length: 200000"), then: "x", many: 500, limit: 15 * time.Second}
		kinds["never read"] = laggard{first: pages, many: 50, limit: 30 * time.Second}
		kinds["never ask again"] = laggard{first: "GET / HTTP/1.1\r\nHost: board\r\n\r\n", many: 500, limit: 60 * time.Second}
	}
	return kinds
}

// TestFaultSlowClients: hundreds who are slow on purpose lose their connections
// when their time is up, and others are answered all along.
func TestFaultSlowClients(t *testing.T) {
	for name, kind := range laggards() {
		t.Run("who "+name, func(t *testing.T) {
			t.Parallel() // it waits most of the time
			s := newSite(t)
			p := s.start()
			base := s.warm(p)
			begin := time.Now()
			s.beset(kind)
			s.wait(kind.limit/2, "they are not all there", func() bool { return openFiles(t, p) >= base+kind.many*9/10 })
			var waits []time.Duration
			visitor := newClient(s, "visitor")
			s.wait(kind.limit+5*time.Second*slower, "their connections are still open", func() bool {
				waits = append(waits, answeredIn(t, visitor))
				return openFiles(t, p) <= base+s.further()+1 // the visitor's
			})
			took := time.Since(begin)
			slices.Sort(waits)
			p95 := waits[len(waits)*95/100]
			t.Logf("%d of them were gone after %v; the p95 of %d pages meanwhile is %v", kind.many, took, len(waits), p95)
			if took < kind.limit-time.Second {
				t.Errorf("they were cut off after %v: that would hit people on bad lines", took)
			}
			if p95 > 250*time.Millisecond*slower {
				t.Errorf("pages took %v meanwhile", p95)
			}
			visitor.close()
			s.stop()
			wantNoFaults(t, s)
		})
	}
}

func answeredIn(t *testing.T, c *client) time.Duration {
	t.Helper()
	begin := time.Now()
	if a, err := c.get(t.Context(), "/"); err != nil || a.status != http.StatusOK {
		t.Errorf("the list is answered with %d: %v", a.status, err)
	}
	return time.Since(begin)
}

// beset opens the connections of laggards and keeps them until the test ends.
func (s *site) beset(kind laggard) {
	s.t.Helper()
	var talks sync.WaitGroup
	var conns []net.Conn
	for range kind.many {
		conn, err := new(net.Dialer).DialContext(s.t.Context(), "tcp", s.host())
		if err != nil {
			s.t.Fatal(err)
		}
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetReadBuffer(4 << 10) // what is not read stays with the board
		}
		conns = append(conns, conn)
		talks.Go(func() { kind.talk(conn) })
	}
	s.t.Cleanup(func() {
		for _, conn := range conns {
			_ = conn.Close()
		}
		talks.Wait()
	})
}

// talk goes on until the other side hangs up.
func (l laggard) talk(conn net.Conn) {
	const beat = 500 * time.Millisecond
	if _, err := io.WriteString(conn, l.first); err != nil || l.then == "" {
		return
	}
	for {
		<-time.After(beat)
		if _, err := io.WriteString(conn, l.then); err != nil {
			return
		}
	}
}
