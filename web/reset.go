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

// resetForm is the page behind the link to a new password. It changes nothing
// however often it is fetched.
func (s *Server) resetForm(c echo.Context) error {
	hideToken(c)
	token := c.QueryParam("token")
	user, err := s.store.LookReset(c.Request().Context(), token)
	if err != nil {
		return s.resetEnded(c, err)
	}
	return s.render(c, http.StatusOK, views.Reset(s.resetPage(c, token, user)))
}

// resetPassword sets the new password. Nobody is logged in by it: whoever can
// read the mail has to know the password as well.
func (s *Server) resetPassword(c echo.Context) error {
	hideToken(c)
	f, err := readForm(c)
	if err != nil {
		return err
	}
	token := f.get("token")
	user, err := s.store.LookReset(c.Request().Context(), token)
	if err != nil {
		return s.resetEnded(c, err)
	}
	_, err = s.store.ResetPassword(c.Request().Context(), store.NewPassword{Token: token, Password: f.get("password")})
	if problems := invalid(err); problems != nil {
		page := s.resetPage(c, token, user)
		page.Problems = problems
		return s.render(c, http.StatusUnprocessableEntity, views.Reset(page))
	}
	if err != nil {
		return s.resetEnded(c, err)
	}
	return s.hasReset(c, user)
}

// hasReset goes on once all sessions of the member have ended. That of somebody
// else in this browser stays as it is: it comes to stand for nothing more, and
// is not to live any longer.
func (s *Server) hasReset(c echo.Context, user store.User) error {
	s.event(c, slog.LevelInfo, "password reset", email(user.Email), slog.Int64("member", user.ID))
	if here := visitOf(c).user.ID; here == 0 || here == user.ID {
		if err := s.begin(c, user); err != nil {
			return err
		}
	}
	s.notify(c, views.NoticePasswordReset)
	return s.redirect(c, "/auth/login")
}

// begin opens a session of nobody, in which the member can log in with the new
// password whoever else guesses at it.
func (s *Server) begin(c echo.Context, user store.User) error {
	next := s.renew
	if visitOf(c).user.ID == user.ID {
		next = s.leave
	}
	if err := next(c); err != nil {
		return err
	}
	s.put(c, resetKey, user.ID)
	return nil
}

func (s *Server) resetPage(c echo.Context, token string, user store.User) views.ResetPage {
	page := views.ResetPage{
		Page:  s.page(c),
		State: views.ResetReady,
		Token: token,
		Email: store.MaskEmail(user.Email),
		Admin: user.Role == store.Admin,
	}
	page.Path = "/auth/reset?token=" + escapeQuery(token)
	return page
}

// resetEnded shows a link that gives no new password, and the way on.
func (s *Server) resetEnded(c echo.Context, err error) error {
	states := []struct {
		is     error
		status int
		state  views.ResetState
	}{
		{store.ErrTokenUsed, http.StatusGone, views.ResetUsed},
		{store.ErrTokenExpired, http.StatusGone, views.ResetExpired},
		{store.ErrTokenReplaced, http.StatusGone, views.ResetReplaced},
		{store.ErrTokenOvertaken, http.StatusGone, views.ResetOvertaken},
		{store.ErrTokenForged, http.StatusNotFound, views.ResetForged},
	}
	for _, known := range states {
		if errors.Is(err, known.is) {
			s.linkRefused(c, err)
			return s.render(c, known.status, views.Reset(views.ResetPage{Page: s.page(c), State: known.state}))
		}
	}
	return fmt.Errorf("reset password: %w", err)
}
