package web

import (
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"
)

// healthz says that the process answers; it asks nothing else.
func (s *Server) healthz(c echo.Context) error {
	return s.answer(c, http.StatusOK, plainText, []byte("ok"))
}

// readyFor is how long a good answer of the database is believed: everybody
// may ask, and each question is a write.
const readyFor = time.Second

// readiness remembers when the database last took a write.
type readiness struct{ at atomic.Pointer[time.Time] }

// ask returns the answer of probe, or the last one when that was good and is
// still fresh.
func (r *readiness) ask(now time.Time, probe func() error) error {
	if last := r.at.Load(); last != nil {
		if age := now.Sub(*last); age >= 0 && age < readyFor {
			return nil
		}
	}
	err := probe()
	if err == nil {
		r.at.Store(&now)
	}
	return err
}

// readyz says whether work may be sent here: the database takes writes and
// the process is not on its way out.
func (s *Server) readyz(c echo.Context) error {
	if s.draining.Load() {
		return s.answer(c, http.StatusServiceUnavailable, plainText, []byte("draining\n"))
	}
	err := s.ready.ask(s.now(), func() error { return s.store.Ready(c.Request().Context()) })
	if err != nil {
		s.log.LogAttrs(c.Request().Context(), slog.LevelError, "not ready", slog.Any("err", err))
		return s.answer(c, http.StatusServiceUnavailable, plainText, []byte("database refuses writes\n"))
	}
	return s.answer(c, http.StatusOK, plainText, []byte("ok"))
}
