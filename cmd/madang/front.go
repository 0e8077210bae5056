package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"madang/web"
)

// requestsWithin is what the requests under way get to finish when the board
// stops.
const requestsWithin = 5 * time.Second

// front answers the requests that come in at a listener.
type front struct {
	server   *http.Server
	listener net.Listener
	drain    func()
	log      *slog.Logger
}

func newFront(board *web.Server, listener net.Listener, log *slog.Logger) *front {
	return &front{
		server: &http.Server{
			Handler:           board.Handler(),
			ReadHeaderTimeout: 5 * time.Second,
			ReadTimeout:       15 * time.Second,
			WriteTimeout:      30 * time.Second,
			IdleTimeout:       60 * time.Second,
			MaxHeaderBytes:    32 << 10,
			ErrorLog:          slog.NewLogLogger(log.With(slog.String("component", "http")).Handler(), slog.LevelWarn),
		},
		listener: listener,
		drain:    board.Drain,
		log:      log,
	}
}

// run serves until ctx ends: then readyz turns 503, the listener closes and
// the requests under way are finished.
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
