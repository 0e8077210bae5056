package web

import (
	"log/slog"

	"github.com/labstack/echo/v4"

	"madang/views"
)

// deleteAccount takes the member away at their own wish.
func (s *Server) deleteAccount(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	if err := s.store.DeleteAccount(c.Request().Context(), reentry(c, f)); err != nil {
		return s.accountFailed(c, views.AccountPage{Form: views.AccountDelete}, err)
	}
	s.event(c, slog.LevelInfo, "account deleted")
	return s.goOut(c, views.NoticeAccountDeleted)
}
