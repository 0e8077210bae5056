package main

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// dial opens a connection without a word.
func (b *board) dial(t *testing.T) net.Conn {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(b.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return conn
}

func TestEndToEndAStopWaitsForNoSilentConnection(t *testing.T) {
	site := startBoard(t, newData(t))
	silent := site.dial(t)
	// Connections are accepted in order: after this one the silent one is in.
	site.browser(t, "b").get("/healthz")
	begun := time.Now()
	if err := site.halt(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took > 3*time.Second {
		t.Errorf("the stop took %v", took)
	}
	if n, err := silent.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the silent connection reads %d bytes, %v", n, err)
	}
}

// A proxy that looks at readyz stops sending before anything is refused.
func TestEndToEndAStopIsAnnouncedForAsLongAsWanted(t *testing.T) {
	site := startBoard(t, newData(t), "--drain-delay", "1s")
	begun := time.Now()
	site.stop()
	for status := 0; status != http.StatusServiceUnavailable; {
		conn := site.dial(t)
		if _, err := io.WriteString(conn, "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%v after the signal: %v", time.Since(begun), err)
		}
		_ = answer.Body.Close()
		status = answer.StatusCode
		if status == http.StatusServiceUnavailable && !answer.Close {
			t.Fatal("the connection is to be used again")
		}
	}
	if err := site.halt(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took < time.Second {
		t.Errorf("the listener was closed within %v", took)
	}
}

func TestEndToEndAStopAnswersWhatWasSent(t *testing.T) {
	site := startBoard(t, newData(t))
	conn := site.dial(t)
	site.browser(t, "b").get("/healthz")
	if _, err := io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := site.halt(); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || string(text) != "ok" {
		t.Errorf("it reads %q, %v", text, err)
	}
}
