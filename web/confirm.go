package web

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// provenLife is for how long a password that was typed is proof enough for an
// act that can do harm.
const provenLife = 15 * time.Minute

// prove notes that the member of the session has just shown who they are.
func (s *Server) prove(c echo.Context) { s.put(c, provenKey, s.now().Unix()) }

func (s *Server) proven(c echo.Context) bool {
	at := time.Unix(s.sessions.GetInt64(c.Request().Context(), provenKey), 0)
	ago := s.now().Sub(at)
	return ago >= 0 && ago < provenLife
}

// confirmed reports whether an act that can do harm may go on: a borrowed
// session is not enough for it. When it may not, the page that asks for the
// password, and repeats the act with it, is the answer.
func (s *Server) confirmed(c echo.Context, f form, page views.ConfirmPage) (bool, error) {
	if s.proven(c) {
		return true, nil
	}
	err := s.store.ConfirmPassword(c.Request().Context(), reentry(c, f))
	problems := invalid(err)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return false, store.ErrForbidden
	case err != nil && problems == nil:
		return false, err //nolint:wrapcheck // wrapped by whoever asked
	case problems["current"] == store.Wrong:
		s.event(c, slog.LevelInfo, "wrong password at confirmation")
	}
	if problems != nil {
		page.Page = s.page(c)
		if f.has("current") { // else nobody has been asked yet
			page.Problems = problems
		}
		return false, s.render(c, http.StatusUnprocessableEntity, views.Confirm(page))
	}
	s.prove(c)
	return true, s.renew(c)
}
