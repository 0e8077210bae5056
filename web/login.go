package web

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// loginForm is the form to log in.
func (s *Server) loginForm(c echo.Context) error {
	if visitOf(c).user.ID != 0 {
		return s.redirect(c, "/")
	}
	page := views.LoginPage{Page: s.page(c), Next: local(c.QueryParam("next"))}
	if strings.Contains(page.Next, "token=") {
		hideToken(c)
	}
	if page.Notice.Key == "" && s.forMembers(page.Next) {
		page.Notice.Key = views.NoticeLoginFirst
	}
	return s.render(c, http.StatusOK, views.Login(page))
}

// login opens a session for a member. Whoever has signed up but not proven the
// address yet goes on with that.
func (s *Server) login(c echo.Context) error {
	if visitOf(c).user.ID != 0 {
		return s.redirect(c, "/")
	}
	f, err := readForm(c)
	if err != nil {
		return err
	}
	page := views.LoginPage{Email: shown(f.get("email")), Next: local(f.get("next"))}
	if problems := missing(f, "email", "password"); problems != nil {
		return s.loginFailed(c, page, problems)
	}
	ctx := c.Request().Context()
	in, err := s.store.Authenticate(ctx, store.Login{
		Email: f.get("email"), Password: f.get("password"), Client: visitOf(c).client,
		Reset: s.sessions.GetInt64(ctx, resetKey),
	})
	if err != nil {
		return s.loginRefused(c, page, f.get("email"), err)
	}
	return s.loggedIn(c, in, page.Next)
}

// loginRefused shows the form again. Neither the words nor the way on tell
// whether the address has a member.
func (s *Server) loginRefused(c echo.Context, page views.LoginPage, address string, err error) error {
	page.Refused = true
	switch status, wait := statusOf(err); {
	case errors.Is(err, store.ErrLogin):
		s.event(c, slog.LevelInfo, "login failed", email(address))
		return s.loginFailed(c, page, map[string]store.Problem{"form": problemLogin})
	case status == http.StatusTooManyRequests:
		s.event(c, slog.LevelInfo, "login throttled", email(address))
		setRetryAfter(c, wait)
		page.Page, page.Wait = s.page(c), wholeSeconds(wait)
		page.Problems = map[string]store.Problem{"form": problemThrottled}
		return s.render(c, status, views.Login(page))
	}
	return fmt.Errorf("log in: %w", err)
}

func (s *Server) loggedIn(c echo.Context, in store.LoggedIn, next string) error {
	if in.User.ID == 0 {
		s.event(c, slog.LevelInfo, "logged in before the proof", slog.Int64("signup", in.SignupID))
		if err := s.await(c, in.SignupID); err != nil {
			return err
		}
		return s.redirect(c, "/auth/pending")
	}
	if err := s.enter(c, in.User); err != nil {
		return err
	}
	s.rememberLang(c, views.LangOf(in.User.Lang))
	s.event(c, slog.LevelInfo, "logged in")
	s.notify(c, views.NoticeLoggedIn, in.User.Nickname)
	return s.redirect(c, next)
}

func (s *Server) loginFailed(c echo.Context, page views.LoginPage, problems map[string]store.Problem) error {
	page.Page = s.page(c)
	page.Problems = problems
	return s.render(c, http.StatusUnprocessableEntity, views.Login(page))
}

// missing lists the fields that are empty, nil when there are none.
func missing(f form, names ...string) map[string]store.Problem {
	var problems map[string]store.Problem
	for _, name := range names {
		if f.get(name) == "" {
			if problems == nil {
				problems = make(map[string]store.Problem)
			}
			problems[name] = store.Missing
		}
	}
	return problems
}

// logout ends the session, if there is one: logging out twice is no mistake.
func (s *Server) logout(c echo.Context) error {
	if visitOf(c).user.ID != 0 {
		s.event(c, slog.LevelInfo, "logged out")
	}
	return s.goOut(c, views.NoticeLoggedOut)
}
