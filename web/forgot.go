package web

import (
	"fmt"
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// forgotForm asks whoever forgot the password for the address.
func (s *Server) forgotForm(c echo.Context) error {
	return s.render(c, http.StatusOK, views.Forgot(views.ForgotPage{Page: s.page(c)}))
}

// forgot has a link to a new password mailed. The answer is one for every
// address; what is mailed to whom is decided behind it.
func (s *Server) forgot(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	address := f.get("email")
	err = s.store.AskReset(c.Request().Context(), store.Forgotten{Email: address, Client: visitOf(c).client})
	if problems := invalid(err); problems != nil {
		page := views.ForgotPage{Page: s.page(c), Email: shown(address)}
		page.Problems = problems
		return s.render(c, http.StatusUnprocessableEntity, views.Forgot(page))
	}
	if err != nil {
		return fmt.Errorf("forgot password: %w", err)
	}
	s.event(c, slog.LevelInfo, "new password asked for", email(address))
	return s.redirect(c, "/auth/forgot/sent")
}

// forgotSent says where to look for the mail.
func (s *Server) forgotSent(c echo.Context) error {
	return s.render(c, http.StatusOK, views.ForgotSent(views.ForgotPage{Page: s.page(c)}))
}
