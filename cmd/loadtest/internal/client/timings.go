package client

import (
	"context"
	"crypto/tls"
	"net/http/httptrace"
	"sync"
	"time"
)

// Timings are the parts of one hop; Duration is sending, waiting and receiving.
type Timings struct {
	Blocked, Connecting, TLS, Sending, Waiting, Receiving time.Duration
}

// Duration is how long the server took, without the making of the connection.
func (t Timings) Duration() time.Duration { return t.Sending + t.Waiting + t.Receiving }

// watcher notes when each step of a hop happened. The transport may report a
// step of a connection that another request then uses, hence the lock.
type watcher struct {
	mu                                                        sync.Mutex
	start, dialing, dialed, shaking, shook, got, wrote, first time.Time
	remote                                                    string
}

func watchHop(ctx context.Context) (context.Context, *watcher) {
	w := &watcher{start: time.Now()}
	note := func(at *time.Time) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if at.IsZero() {
			*at = time.Now()
		}
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		ConnectStart:      func(_, _ string) { note(&w.dialing) },
		ConnectDone:       func(_, _ string, _ error) { note(&w.dialed) },
		TLSHandshakeStart: func() { note(&w.shaking) },
		TLSHandshakeDone:  func(tls.ConnectionState, error) { note(&w.shook) },
		GotConn: func(info httptrace.GotConnInfo) {
			note(&w.got)
			w.mu.Lock()
			w.remote = info.Conn.RemoteAddr().String()
			w.mu.Unlock()
		},
		WroteRequest:         func(httptrace.WroteRequestInfo) { note(&w.wrote) },
		GotFirstResponseByte: func() { note(&w.first) },
	}), w
}

func (w *watcher) timings(end time.Time) (Timings, string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := Timings{Connecting: between(w.dialing, w.dialed), TLS: between(w.shaking, w.shook)}
	if w.got.IsZero() { // no connection: all of it was waiting for one
		t.Blocked = end.Sub(w.start)
		return t, ""
	}
	t.Blocked = max(w.got.Sub(w.start)-t.Connecting-t.TLS, 0)
	if w.first.IsZero() {
		w.first = end
	}
	if w.wrote.IsZero() || w.wrote.After(w.first) { // answered before it had read everything
		w.wrote = w.first
	}
	t.Sending, t.Waiting, t.Receiving = between(w.got, w.wrote), between(w.wrote, w.first), between(w.first, end)
	return t, w.remote
}

func between(from, to time.Time) time.Duration {
	if from.IsZero() || to.IsZero() {
		return 0
	}
	return max(to.Sub(from), 0)
}
