package web

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

const signupPath = "/auth/signup"

// signupForm is the form to join.
func (s *Server) signupForm(c echo.Context) error {
	if visitOf(c).user.ID != 0 {
		return s.redirect(c, "/")
	}
	return s.render(c, http.StatusOK, views.Signup(views.SignupPage{Page: s.page(c)}))
}

// signup records a sign-up and answers at once: the mail goes out behind the
// answer. A known address is answered the same way as a new one.
func (s *Server) signup(c echo.Context) error {
	if visitOf(c).user.ID != 0 {
		return s.redirect(c, "/")
	}
	if strings.Contains(c.Request().Header.Get("Content-Type"), "json") {
		return s.signupJSON(c)
	}
	f, err := readForm(c)
	if err != nil {
		return err
	}
	n := store.NewSignup{
		Email: f.get("email"), Name: f.get("name"), Nickname: f.get("nickname"), Password: f.get("password"),
	}
	err = s.signUp(c, n)
	if problems := invalid(err); problems != nil {
		page := views.SignupPage{
			Page: s.page(c), Email: shown(n.Email), Name: shown(n.Name), Nickname: shown(n.Nickname),
		}
		page.Problems = problems
		return s.render(c, http.StatusUnprocessableEntity, views.Signup(page))
	}
	if err != nil {
		return err
	}
	return s.redirect(c, "/auth/pending")
}

// signUp stores the sign-up and remembers it in the session.
func (s *Server) signUp(c echo.Context, n store.NewSignup) error {
	v := visitOf(c)
	n.Lang, n.Client = string(v.lang), v.client
	id, err := s.store.SignUp(c.Request().Context(), n)
	if err != nil {
		return fmt.Errorf("sign up: %w", err)
	}
	s.event(c, slog.LevelInfo, "signed up", email(n.Email))
	return s.await(c, id)
}

// signupErrors is the JSON answer to a sign-up that was not taken.
type signupErrors struct {
	Errors map[string]string `json:"errors"`
}

// signupJSON is the same sign-up for scripts.
func (s *Server) signupJSON(c echo.Context) error {
	n, err := readSignupJSON(c.Request().Body)
	if err == nil {
		err = s.signUp(c, n)
	}
	if err == nil {
		return s.renderJSON(c, http.StatusOK, map[string]string{"status": "pending"})
	}
	status, wait := statusOf(err)
	s.logError(c, err, status)
	setRetryAfter(c, wait)
	words := make(map[string]string)
	for field, problem := range invalid(err) {
		words[field] = visitOf(c).lang.Problem(field, problem)
	}
	return s.renderJSON(c, status, signupErrors{Errors: words})
}

func readSignupJSON(body io.Reader) (store.NewSignup, error) {
	var fields struct{ Email, Name, Nickname, Password string }
	text, err := io.ReadAll(body)
	if err != nil {
		return store.NewSignup{}, fmt.Errorf("read sign-up: %w", err)
	}
	if !utf8.Valid(text) {
		return store.NewSignup{}, fmt.Errorf("%w: not UTF-8", errBadRequest)
	}
	if err := json.Unmarshal(text, &fields); err != nil {
		return store.NewSignup{}, fmt.Errorf("%w: %w", errBadRequest, err)
	}
	return store.NewSignup{
		Email: fields.Email, Name: fields.Name, Nickname: fields.Nickname, Password: fields.Password,
	}, nil
}
