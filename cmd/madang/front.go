package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"madang/web"
)

// requestsWithin is what the requests under way get to finish when the board
// stops.
const requestsWithin = 5 * time.Second

// answerWithin is what an answer gets to be sent, however slowly it is read.
const answerWithin = 30 * time.Second

// farewell is how long a board that stops goes on reading requests from the
// connections it has, each answer being the last on its connection. After that
// the server reads none, and a request that is on its way already gets lost.
const farewell = 200 * time.Millisecond

// front answers the requests that come in at a listener.
type front struct {
	server   *http.Server
	listener net.Listener
	drain    func()
	delay    time.Duration // between readyz's no and the end of the listener
	stopping atomic.Bool
	fresh    sync.Map // connections without a request so far
	log      *slog.Logger
}

func newFront(board *web.Server, listener net.Listener, delay time.Duration, log *slog.Logger) *front {
	f := &front{
		server: &http.Server{
			ReadHeaderTimeout: 5 * time.Second,
			ReadTimeout:       15 * time.Second,
			WriteTimeout:      answerWithin,
			IdleTimeout:       60 * time.Second,
			MaxHeaderBytes:    32 << 10,
			ErrorLog:          slog.NewLogLogger(log.With(slog.String("component", "http")).Handler(), slog.LevelWarn),
		},
		listener: corkedListener{listener},
		drain:    board.Drain,
		delay:    delay,
		log:      log,
	}
	f.server.Handler = f.endConnections(board.Handler())
	f.server.ConnState = f.watch
	f.server.RegisterOnShutdown(f.closeFresh)
	return f
}

// watch remembers the connections that have brought no request yet, since
// browsers open some ahead of need, and a shutdown waits five seconds for them.
// It also lets the last piece of an answer go.
func (f *front) watch(conn net.Conn, state http.ConnState) {
	if state == http.StateNew {
		f.fresh.Store(conn, nil)
	} else {
		f.fresh.Delete(conn)
	}
	if corked, ok := conn.(*corkedConn); ok && state == http.StateIdle {
		corked.flush(answerWithin)
	}
}

// closeFresh ends them. It is called within a shutdown, when the server answers
// no request any more that it has not read by then: so none gets lost here.
func (f *front) closeFresh() {
	f.fresh.Range(func(key, _ any) bool {
		if conn, ok := key.(net.Conn); ok {
			_ = conn.Close() // closed already, or ended by the client
		}
		return true
	})
}

// endConnections asks, once the board stops, for a new connection for the next
// request. So it does after a form in chunks, as no browser sends one: its length
// may have been said a second time in the header, which net/http passes over and
// a proxy may have gone by, so that the two disagree where the next one begins.
func (f *front) endConnections(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f.stopping.Load() || len(r.TransferEncoding) > 0 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// run serves until ctx ends: then readyz turns 503, the listener closes after
// the delay, the connections end with their answers and the requests under way
// are finished.
func (f *front) run(ctx context.Context) error {
	failed := make(chan error, 1)
	go func() { failed <- f.server.Serve(f.listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	f.log.LogAttrs(ctx, slog.LevelInfo, "stopping")
	f.drain()
	f.stopping.Store(true)
	<-time.After(f.delay)
	_ = f.listener.Close() // a new connection is refused, not taken in vain
	<-time.After(farewell)
	return f.stop(context.WithoutCancel(ctx))
}

func (f *front) stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, requestsWithin)
	defer cancel()
	err := f.server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		f.log.LogAttrs(ctx, slog.LevelWarn, "requests cut off, since they did not end in time")
		return f.server.Close()
	}
	return err
}
