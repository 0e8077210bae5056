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

// verifyForm is the page behind the link of a mail. It changes nothing however
// often it is fetched: scanners of mail follow every link.
func (s *Server) verifyForm(c echo.Context) error {
	hideToken(c)
	token := c.QueryParam("token")
	signup, err := s.lookToken(c, token)
	if err != nil {
		return s.verifyEnded(c, signup, err)
	}
	return s.renderVerify(c, http.StatusOK, s.readyPage(c, token, signup))
}

// lookToken reads a token. A locked link is one for its own browser only.
func (s *Server) lookToken(c echo.Context, token string) (store.Signup, error) {
	signup, err := s.store.LookToken(c.Request().Context(), token)
	if err == nil && signup.Locked && signup.ID != s.signupID(c) {
		return signup, store.ErrLinkLocked
	}
	return signup, err
}

// verifyLink is the button: it turns the sign-up into a member.
func (s *Server) verifyLink(c echo.Context) error {
	hideToken(c)
	f, err := readForm(c)
	if err != nil {
		return err
	}
	token := f.get("token")
	signup, err := s.lookToken(c, token)
	if err != nil {
		return s.verifyEnded(c, signup, err)
	}
	user, err := s.store.VerifyLink(c.Request().Context(), store.Proof{
		Token:    token,
		SignupID: s.signupID(c),
		Password: f.get("password"),
		Nickname: f.get("nickname"),
	})
	if err != nil {
		return s.verifyFailed(c, f, signup, err)
	}
	return s.verified(c, user)
}

// verified goes on with a member whose address has just been proven. Somebody
// else who is logged in here stays so, and is told whose address it was.
func (s *Server) verified(c echo.Context, user store.User) error {
	s.event(c, slog.LevelInfo, "verified", email(user.Email), slog.Int64("member", user.ID))
	if visitOf(c).user.ID != 0 {
		s.notify(c, views.NoticeVerifiedOther, user.Nickname)
		return s.redirect(c, "/")
	}
	if err := s.enter(c, user); err != nil {
		return err
	}
	s.rememberLang(c, views.LangOf(user.Lang))
	s.notify(c, views.NoticeWelcome, user.Nickname)
	return s.redirect(c, "/")
}

// readyPage is the page with the button. The address is whole only in the
// browser that signed up: a link may have been forwarded.
func (s *Server) readyPage(c echo.Context, token string, signup store.Signup) views.VerifyPage {
	own := s.signupID(c) == signup.ID
	page := views.VerifyPage{
		Page:        s.page(c),
		State:       views.VerifyReady,
		Token:       token,
		Email:       signup.Email,
		AskPassword: !own,
		OtherUser:   visitOf(c).user.ID != 0,
	}
	if !own {
		page.Email = store.MaskEmail(signup.Email)
	}
	page.Path = "/auth/verify?token=" + escapeQuery(token)
	return page
}

// verifyFailed shows the button again with what was wrong.
func (s *Server) verifyFailed(c echo.Context, f form, signup store.Signup, err error) error {
	page := s.readyPage(c, f.get("token"), signup)
	page.Nickname = shown(f.get("nickname"))
	switch problems := invalid(err); {
	case problems != nil:
		page.AskNickname, page.Problems = true, problems
	case errors.Is(err, store.ErrPasswordNeeded):
		page.AskPassword = true
		page.Problems = map[string]store.Problem{"password": store.Missing}
	case errors.Is(err, store.ErrPasswordWrong):
		s.event(c, slog.LevelInfo, "wrong password at verification", email(signup.Email))
		page.AskPassword = true
		page.Problems = map[string]store.Problem{"password": problemWrong}
	default:
		return s.verifyEnded(c, signup, err)
	}
	return s.renderVerify(c, http.StatusUnprocessableEntity, page)
}

// verifyEnded shows a link that verifies nothing, and the way on.
func (s *Server) verifyEnded(c echo.Context, signup store.Signup, err error) error {
	states := []struct {
		is     error
		status int
		state  views.VerifyState
	}{
		{store.ErrAlreadyVerified, http.StatusOK, views.VerifyDone},
		{store.ErrTokenExpired, http.StatusGone, views.VerifyExpired},
		{store.ErrTokenReplaced, http.StatusGone, views.VerifyReplaced},
		{store.ErrTokenForged, http.StatusNotFound, views.VerifyForged},
		{store.ErrNotFound, http.StatusNotFound, views.VerifyForged},
		{store.ErrLinkLocked, http.StatusUnprocessableEntity, views.VerifyLocked},
	}
	for _, known := range states {
		if errors.Is(err, known.is) {
			s.linkRefused(c, err)
			page := views.VerifyPage{Page: s.page(c), State: known.state, AskPassword: true}
			if signup.ID != 0 && s.signupID(c) == signup.ID {
				page.AskPassword, page.Email = false, signup.Email
			}
			return s.renderVerify(c, known.status, page)
		}
	}
	return fmt.Errorf("verify link: %w", err)
}

func (s *Server) renderVerify(c echo.Context, status int, page views.VerifyPage) error {
	return s.render(c, status, views.Verify(page))
}
