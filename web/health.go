package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/sync/singleflight"
)

// healthz says that the process answers; it asks nothing else.
func (s *Server) healthz(c echo.Context) error {
	return s.answer(c, http.StatusOK, plainText, []byte("ok"))
}

const (
	// readyFor is how long a good answer of the database is believed: everybody
	// may ask, and each question is a write.
	readyFor = time.Second
	// readyWithin is how long an answer is waited for: a proxy that asks wants
	// to hear a no, and waits no longer for it itself.
	readyWithin = 2 * time.Second
)

var errNoAnswer = fmt.Errorf("the database has not answered within %v", readyWithin)

// readiness remembers when the database last took a write.
type readiness struct {
	at     atomic.Pointer[time.Time]
	probes singleflight.Group
}

// ask returns the answer of probe, or the last one when that was good and is
// still fresh. While one probe waits for the database no other begins.
func (r *readiness) ask(ctx context.Context, now time.Time, probe func(context.Context) error) error {
	if last := r.at.Load(); last != nil {
		if age := now.Sub(*last); age >= 0 && age < readyFor {
			return nil
		}
	}
	answer := r.probes.DoChan("", func() (any, error) { return nil, probe(context.WithoutCancel(ctx)) })
	patience := time.NewTimer(readyWithin)
	defer patience.Stop()
	select {
	case <-patience.C:
		return errNoAnswer
	case got := <-answer:
		if got.Err == nil {
			r.at.Store(&now)
		}
		return got.Err
	}
}

// readyz says whether work may be sent here: the database takes writes and
// the process is not on its way out.
func (s *Server) readyz(c echo.Context) error {
	if s.draining.Load() {
		return s.answer(c, http.StatusServiceUnavailable, plainText, []byte("draining\n"))
	}
	ctx := c.Request().Context()
	if err := s.ready.ask(ctx, s.now(), s.store.Ready); err != nil {
		s.log.LogAttrs(ctx, slog.LevelError, "not ready", slog.Any("err", err))
		return s.answer(c, http.StatusServiceUnavailable, plainText, []byte("database refuses writes\n"))
	}
	return s.answer(c, http.StatusOK, plainText, []byte("ok"))
}
