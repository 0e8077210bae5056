package web

import (
	"fmt"
	"log/slog"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// endSession ends one session of the member, or all but this one.
func (s *Server) endSession(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	v, ctx := visitOf(c), c.Request().Context()
	if f.get("all") == "1" {
		if err := s.store.Sessions().EndOthers(ctx, v.user.ID, hashed(v.token)); err != nil {
			return fmt.Errorf("end other sessions: %w", err)
		}
		s.event(c, slog.LevelInfo, "other sessions ended")
		return s.backToAccount(c, "sessions", views.NoticeSessionsEnded)
	}
	id, err := parseID(f.get("id"))
	if err != nil {
		return store.ErrNotFound
	}
	if err := s.store.Sessions().End(ctx, v.user.ID, id); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	s.event(c, slog.LevelInfo, "session ended", slog.Int64("session", id))
	return s.backToAccount(c, "sessions", views.NoticeSessionEnded)
}
