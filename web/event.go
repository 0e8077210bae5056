package web

import (
	"log/slog"

	"github.com/labstack/echo/v4"

	"madang/store"
)

// event logs something that a watcher of the site looks for: who, from where,
// in which request. It takes no tokens, passwords or whole addresses.
func (s *Server) event(c echo.Context, level slog.Level, what string, attrs ...slog.Attr) {
	v := visitOf(c)
	attrs = append(attrs,
		slog.String("method", c.Request().Method), slog.String("path", c.Request().URL.Path),
		slog.String("id", v.id), slog.Int64("user", v.user.ID), slog.String("client", v.client.String()))
	s.log.LogAttrs(c.Request().Context(), level, what, attrs...)
}

// moderated logs that somebody changed or deleted what another member wrote.
func (s *Server) moderated(c echo.Context, what string, author int64) {
	if author != visitOf(c).user.ID {
		s.event(c, slog.LevelInfo, what+" by moderator", slog.Int64("member", author))
	}
}

// linkRefused logs that the link of a mail opened nothing, and why.
func (s *Server) linkRefused(c echo.Context, err error) {
	s.event(c, slog.LevelInfo, "link refused", slog.String("why", err.Error()))
}

// email is a masked address for the log.
func email(address string) slog.Attr { return slog.String("email", store.MaskEmail(address)) }
