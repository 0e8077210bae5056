package web

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// The forms of the pending page, as views.PendingPage names them.
const (
	codeForm   = "code"
	resendForm = "resend"
	emailForm  = "email"
)

// pending waits for the proof of an address.
func (s *Server) pending(c echo.Context) error {
	signup, err := s.ownSignup(c)
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, views.Pending(views.PendingPage{Page: s.page(c), Signup: signup}))
}

// ownSignup is the pending sign-up of this browser. Its ID is 0 without one;
// one that has ended is forgotten.
func (s *Server) ownSignup(c echo.Context) (store.Signup, error) {
	id := s.signupID(c)
	if id == 0 {
		return store.Signup{}, nil
	}
	signup, err := s.store.SignupByID(c.Request().Context(), id)
	if errors.Is(err, store.ErrNotFound) {
		s.remove(c, signupKey)
		return store.Signup{}, nil
	}
	if err != nil {
		return store.Signup{}, fmt.Errorf("read sign-up: %w", err)
	}
	return signup, nil
}

// resend asks for another mail. The answer does not tell whether a sign-up
// waits for an address that came from outside.
func (s *Server) resend(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	signup, err := s.ownSignup(c)
	if err != nil {
		return err
	}
	address := f.get("email")
	own, err := s.store.Resend(c.Request().Context(), store.Resend{
		SignupID: signup.ID, Email: address, Client: visitOf(c).client,
	})
	if err != nil {
		return s.pendingFailed(c, signup, views.PendingPage{Form: resendForm, Email: shown(address)}, err)
	}
	s.event(c, slog.LevelInfo, "sign-up mail asked for", email(cmp.Or(address, signup.Email)))
	if own {
		s.notify(c, views.NoticeResent)
	} else {
		s.notify(c, views.NoticeResentMaybe)
	}
	return s.redirect(c, "/auth/pending")
}

// correctEmail gives the pending sign-up another address.
func (s *Server) correctEmail(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	signup, err := s.ownSignup(c)
	if err != nil {
		return err
	}
	address := f.get("email")
	failed := views.PendingPage{Form: emailForm, Email: shown(address)}
	if signup.ID == 0 {
		return s.noSignup(c, failed)
	}
	err = s.store.CorrectEmail(c.Request().Context(), store.Correction{
		SignupID: signup.ID, Email: address, Client: visitOf(c).client,
	})
	if err != nil {
		return s.pendingFailed(c, signup, failed, err)
	}
	s.event(c, slog.LevelInfo, "address corrected", email(address))
	s.notify(c, views.NoticeCorrected)
	return s.redirect(c, "/auth/pending")
}

// verifyCode takes the code of the mail.
func (s *Server) verifyCode(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	signup, err := s.ownSignup(c)
	if err != nil {
		return err
	}
	failed := views.PendingPage{Form: codeForm, Nickname: shown(f.get("nickname"))}
	if signup.ID == 0 {
		return s.noSignup(c, failed)
	}
	user, err := s.store.VerifyCode(c.Request().Context(), signup.ID, f.get("code"), f.get("nickname"))
	if problems := invalid(err); problems != nil {
		// The code was right and is still good; only the nickname is missing.
		failed.AskNickname, failed.Code = true, shown(f.get("code"))
	}
	if errors.Is(err, store.ErrCodeWrong) || errors.Is(err, store.ErrCodeDead) {
		s.event(c, slog.LevelInfo, "code refused", email(signup.Email), slog.String("why", err.Error()))
	}
	if err != nil {
		return s.pendingFailed(c, signup, failed, err)
	}
	return s.verified(c, user)
}

// noSignup shows the address form to a browser without a pending sign-up,
// where what was posted needs one.
func (s *Server) noSignup(c echo.Context, page views.PendingPage) error {
	page.Page = s.page(c)
	page.Form = resendForm
	page.Problems = map[string]store.Problem{"form": problemNoSignup}
	return s.render(c, http.StatusUnprocessableEntity, views.Pending(page))
}

// pendingFailed shows the pending page again with what was wrong. A limit in
// time is told there only to the sign-up's own browser.
func (s *Server) pendingFailed(c echo.Context, signup store.Signup, page views.PendingPage, err error) error {
	status, problems := pendingProblems(err)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return s.noSignup(c, page)
	case problems == nil, status == http.StatusTooManyRequests && signup.ID == 0:
		return fmt.Errorf("pending sign-up: %w", err)
	}
	s.logError(c, err, status)
	_, wait := statusOf(err)
	setRetryAfter(c, wait)
	page.Page, page.Signup = s.page(c), signup
	page.Problems = problems
	return s.render(c, status, views.Pending(page))
}

// Problems that no store method names as such.
const (
	problemWrong     store.Problem = "wrong"
	problemDead      store.Problem = "dead"
	problemTooSoon   store.Problem = "too_soon"
	problemNoSignup  store.Problem = "no_signup"
	problemLogin     store.Problem = "login"
	problemThrottled store.Problem = "throttled"
	problemTrap      store.Problem = "trap"
	problemTooOften  store.Problem = "too_often"
	problemOther     store.Problem = "other_member"
)

func pendingProblems(err error) (int, map[string]store.Problem) {
	if _, ok := errors.AsType[*store.TooSoonError](err); ok {
		return http.StatusTooManyRequests, map[string]store.Problem{"form": problemTooSoon}
	}
	switch {
	case errors.Is(err, store.ErrCodeFormat):
		return http.StatusUnprocessableEntity, map[string]store.Problem{"code": store.Malformed}
	case errors.Is(err, store.ErrCodeWrong):
		return http.StatusUnprocessableEntity, map[string]store.Problem{"code": problemWrong}
	case errors.Is(err, store.ErrCodeDead):
		return http.StatusUnprocessableEntity, map[string]store.Problem{"code": problemDead}
	}
	return http.StatusUnprocessableEntity, invalid(err)
}
