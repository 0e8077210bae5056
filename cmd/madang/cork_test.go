package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// corkedPair is a corked connection and the peer that reads from it.
func corkedPair(t *testing.T) (*corkedConn, net.Conn) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() //nolint:errcheck // has served its purpose
	peer, err := new(net.Dialer).DialContext(t.Context(), "tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	conn, err := corkedListener{listener}.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = conn.Close(), peer.Close() })
	return conn.(*corkedConn), peer
}

func TestFullPieceWaitsForTheNextOne(t *testing.T) {
	piece := bytes.Repeat([]byte("p"), corkSize)
	for name, release := range map[string]func(*corkedConn) (string, error){
		"next piece": func(c *corkedConn) (string, error) { _, err := c.Write([]byte("end")); return "end", err },
		"idle":       func(c *corkedConn) (string, error) { c.flush(answerWithin); return "", nil },
		"end":        func(c *corkedConn) (string, error) { return "", c.CloseWrite() },
		"close":      func(c *corkedConn) (string, error) { return "", c.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			conn, peer := corkedPair(t)
			if n, err := conn.Write(piece); n != len(piece) || err != nil {
				t.Fatalf("%d bytes written, %v", n, err)
			}
			if err := peer.SetReadDeadline(time.Now().Add(20 * time.Millisecond)); err != nil {
				t.Fatal(err)
			}
			if n, err := peer.Read(make([]byte, 1)); n > 0 || err == nil {
				t.Fatal("the piece was not held back")
			}
			more, err := release(conn)
			if err != nil {
				t.Fatal(err)
			}
			if err := peer.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
				t.Fatal(err)
			}
			got := make([]byte, len(piece)+len(more))
			if _, err := io.ReadFull(peer, got); err != nil || string(got) != string(piece)+more {
				t.Errorf("%d bytes came, %v", len(got), err)
			}
		})
	}
}

func TestCloseCutsOffAWriteToAPeerWhoDoesNotRead(t *testing.T) {
	conn, _ := corkedPair(t)
	failed := make(chan error, 1)
	started := make(chan struct{})
	go func() {
		close(started)
		_, err := conn.Write(make([]byte, 64<<20))
		failed <- err
	}()
	<-started
	for conn.mu.TryLock() {
		conn.mu.Unlock()
		runtime.Gosched()
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; err == nil {
		t.Error("64 MiB went to a peer who read nothing")
	}
}

// A peer who takes no more than a part of the piece must neither hold the
// connection for ever nor get the next answer in its place.
func TestAPeerWhoDoesNotReadLosesTheConnection(t *testing.T) {
	ours, peer := net.Pipe() // which takes nothing that is not read
	conn := &corkedConn{Conn: ours}
	if _, err := conn.Write(make([]byte, corkSize)); err != nil {
		t.Fatal(err)
	}
	flushed := make(chan struct{})
	go func() { conn.flush(100 * time.Millisecond); close(flushed) }()
	if _, err := peer.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	select {
	case <-flushed:
	case <-time.After(10 * time.Second):
		t.Fatal("it still waits for the peer")
	}
	if err := conn.SetWriteDeadline(time.Time{}); err == nil {
		t.Error("the connection can be used again")
	}
	if got, err := io.ReadAll(peer); len(got) > 0 || err != nil {
		t.Errorf("after the gap came %d bytes, %v", len(got), err)
	}
}

// Answers of every length around the sizes of the buffers arrive whole, on a
// connection that stays and on one that ends.
func TestAnswersOfEveryLengthArriveWhole(t *testing.T) {
	f := &front{}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		w.Header().Set("Content-Length", strconv.Itoa(size))
		_, _ = w.Write(bytes.Repeat([]byte("x"), size))
	}))
	server.Listener = corkedListener{server.Listener}
	server.Config.ConnState = f.watch
	server.Start()
	defer server.Close()
	client := server.Client()
	client.Timeout = 10 * time.Second
	for size := range 2*corkSize + 100 {
		if size > 100 && size < corkSize-400 || size > corkSize+100 && size < 2*corkSize-400 {
			continue
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("%s/%d", server.URL, size), nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Close = size%8 == 0
		answer, err := client.Do(r)
		if err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		body, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if len(body) != size || err != nil {
			t.Fatalf("%d bytes of %d, %v", len(body), size, err)
		}
	}
}
