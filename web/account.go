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

const accountPath = "/account"

// account is where members change what is held about them.
func (s *Server) account(c echo.Context) error {
	page, err := s.accountPage(c, views.AccountPage{})
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, views.Account(page))
}

// accountPage completes a page with what is held about the member.
func (s *Server) accountPage(c echo.Context, page views.AccountPage) (views.AccountPage, error) {
	v, ctx := visitOf(c), c.Request().Context()
	var err error
	if page.Sessions, err = s.store.Sessions().OfUser(ctx, v.user.ID, hashed(v.token)); err != nil {
		return page, fmt.Errorf("list sessions: %w", err)
	}
	if page.Pending, err = s.store.PendingEmail(ctx, v.user); err != nil {
		return page, fmt.Errorf("read pending address: %w", err)
	}
	page.Page = s.page(c)
	return page, nil
}

// accountFailed shows the page again with what was wrong with one of its forms.
func (s *Server) accountFailed(c echo.Context, page views.AccountPage, err error) error {
	status, problems := accountProblems(err)
	if problems == nil {
		return fmt.Errorf("account: %w", err)
	}
	if problems["current"] == store.Wrong {
		s.event(c, slog.LevelInfo, "wrong password at the account page", slog.String("form", page.Form))
	}
	s.logError(c, err, status)
	_, page.Wait = statusOf(err)
	setRetryAfter(c, page.Wait)
	page, err = s.accountPage(c, page)
	if err != nil {
		return err
	}
	page.Problems = problems
	return s.render(c, status, views.Account(page))
}

const problemLastAdmin store.Problem = "last_admin"

func accountProblems(err error) (int, map[string]store.Problem) {
	if errors.Is(err, store.ErrLastAdmin) {
		return http.StatusUnprocessableEntity, map[string]store.Problem{"form": problemLastAdmin}
	}
	if errors.Is(err, store.ErrPasswordTries) {
		return http.StatusTooManyRequests, map[string]store.Problem{"current": problemTooSoon}
	}
	if _, ok := errors.AsType[*store.TooSoonError](err); ok {
		return http.StatusTooManyRequests, map[string]store.Problem{"email": problemTooSoon}
	}
	return http.StatusUnprocessableEntity, invalid(err)
}

// reentry is the password that the member typed once more.
func reentry(c echo.Context, f form) store.Reentry {
	return store.Reentry{UserID: visitOf(c).user.ID, Current: f.get("current"), Client: visitOf(c).client}
}

// backToAccount leads to a section of the page.
func (s *Server) backToAccount(c echo.Context, section, notice string) error {
	s.notify(c, notice)
	return s.redirect(c, accountPath+"#"+section)
}

// changeNickname gives the member another nickname.
func (s *Server) changeNickname(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	nickname := f.get("nickname")
	if err := s.store.SetNickname(c.Request().Context(), visitOf(c).user.ID, nickname); err != nil {
		return s.accountFailed(c, views.AccountPage{Form: views.AccountNickname, Nickname: shown(nickname)}, err)
	}
	s.event(c, slog.LevelInfo, "nickname changed")
	return s.backToAccount(c, views.AccountNickname, views.NoticeNickname)
}

// changeLanguage sets the language of the member's pages and mails.
func (s *Server) changeLanguage(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	lang, ok := langNamed(f.get("lang"))
	if !ok {
		return s.accountFailed(c, views.AccountPage{}, &store.InvalidError{Fields: map[string]store.Problem{"lang": store.Malformed}})
	}
	if err := s.setLang(c, lang); err != nil {
		return err
	}
	return s.backToAccount(c, "language", views.NoticeLanguage)
}

// changePassword gives the member another password. Every session ends; this
// one begins anew.
func (s *Server) changePassword(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	user, err := s.store.ChangePassword(c.Request().Context(), reentry(c, f), f.get("password"))
	if err != nil {
		return s.accountFailed(c, views.AccountPage{Form: views.AccountPassword}, err)
	}
	s.event(c, slog.LevelInfo, "password changed")
	if err := s.enter(c, user); err != nil {
		return err
	}
	return s.backToAccount(c, views.AccountPassword, views.NoticePassword)
}
