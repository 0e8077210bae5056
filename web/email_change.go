package web

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// changeEmail asks for another address; it changes when it is proven. The
// answer does not tell whether somebody else has it.
func (s *Server) changeEmail(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	address := f.get("email")
	asked, err := s.store.ChangeEmail(c.Request().Context(), reentry(c, f), address)
	if err != nil {
		return s.accountFailed(c, views.AccountPage{Form: views.AccountEmail, Email: shown(address)}, err)
	}
	if !asked {
		s.event(c, slog.LevelInfo, "address respelled", email(address))
		return s.backToAccount(c, views.AccountEmail, views.NoticeEmailRespelled)
	}
	s.event(c, slog.LevelInfo, "change of address asked for", email(address))
	return s.backToAccount(c, views.AccountEmail, views.NoticeEmailAsked)
}

// emailForm is the page behind the link to a new address. It changes nothing
// however often it is fetched.
func (s *Server) emailForm(c echo.Context) error {
	hideToken(c)
	token := c.QueryParam("token")
	address, err := s.store.LookEmail(c.Request().Context(), visitOf(c).user.ID, token)
	if err != nil {
		return s.emailEnded(c, err)
	}
	page := views.EmailPage{Page: s.page(c), State: views.EmailReady, Token: token, Email: address}
	return s.render(c, http.StatusOK, views.EmailChange(page))
}

// proveEmail is the button: from now on the address is that of the member.
func (s *Server) proveEmail(c echo.Context) error {
	hideToken(c)
	f, err := readForm(c)
	if err != nil {
		return err
	}
	token := f.get("token")
	address, err := s.store.LookEmail(c.Request().Context(), visitOf(c).user.ID, token)
	if err != nil {
		return s.emailEnded(c, err)
	}
	user, err := s.store.ProveEmail(c.Request().Context(), visitOf(c).user.ID, token)
	if problems := invalid(err); problems != nil {
		page := views.EmailPage{Page: s.page(c), State: views.EmailReady, Token: token, Email: address}
		page.Path = "/auth/email?token=" + escapeQuery(token)
		page.Problems = problems
		return s.render(c, http.StatusUnprocessableEntity, views.EmailChange(page))
	}
	if err != nil {
		return s.emailEnded(c, err)
	}
	s.event(c, slog.LevelInfo, "address changed", email(user.Email))
	return s.backToAccount(c, views.AccountEmail, views.NoticeEmailChanged)
}

// emailEnded shows a link that proves nothing, and the way on.
func (s *Server) emailEnded(c echo.Context, err error) error {
	states := []struct {
		is     error
		status int
		state  views.EmailState
	}{
		{store.ErrAlreadyVerified, http.StatusOK, views.EmailDone},
		{store.ErrTokenExpired, http.StatusGone, views.EmailExpired},
		{store.ErrTokenReplaced, http.StatusGone, views.EmailReplaced},
		{store.ErrTokenOvertaken, http.StatusGone, views.EmailOvertaken},
		{store.ErrTokenForged, http.StatusNotFound, views.EmailForged},
		{store.ErrForbidden, http.StatusForbidden, views.EmailForeign},
	}
	for _, known := range states {
		if errors.Is(err, known.is) {
			s.linkRefused(c, err)
			return s.render(c, known.status, views.EmailChange(views.EmailPage{Page: s.page(c), State: known.state}))
		}
	}
	return fmt.Errorf("prove address: %w", err)
}
