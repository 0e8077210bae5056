package web

import (
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v4"
)

// healthz says that the process answers; it asks nothing else.
func (s *Server) healthz(c echo.Context) error {
	return s.answer(c, http.StatusOK, plainText, []byte("ok"))
}

// readyz says whether work may be sent here: the database takes writes and
// the process is not on its way out.
func (s *Server) readyz(c echo.Context) error {
	if s.draining.Load() {
		return s.answer(c, http.StatusServiceUnavailable, plainText, []byte("draining\n"))
	}
	if err := s.store.Ready(c.Request().Context()); err != nil {
		s.log.LogAttrs(c.Request().Context(), slog.LevelError, "not ready", slog.Any("err", err))
		return s.answer(c, http.StatusServiceUnavailable, plainText, []byte("database refuses writes\n"))
	}
	return s.answer(c, http.StatusOK, plainText, []byte("ok"))
}
