package web

import (
	"bytes"
	"encoding/json"
	"errors"
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
	return s.render(c, http.StatusOK, views.Signup(views.SignupPage{Page: s.page(c), FormID: newID()}))
}

// signup records a sign-up and answers at once: the mail goes out behind the
// answer. A known address is answered the same way as a new one.
func (s *Server) signup(c echo.Context) error {
	if strings.Contains(c.Request().Header.Get("Content-Type"), "json") {
		return s.signupJSON(c)
	}
	if visitOf(c).user.ID != 0 {
		return s.redirect(c, "/")
	}
	f, err := readForm(c)
	if err != nil {
		return err
	}
	n := store.NewSignup{
		Email: f.get("email"), Name: f.get("name"), Nickname: f.get("nickname"), Password: f.get("password"),
		FormID: f.formID(),
	}
	err = s.signUp(c, n, f.get(views.TrapField))
	if problems := invalid(err); problems != nil {
		page := views.SignupPage{
			Page: s.page(c), Email: shown(n.Email), Name: shown(n.Name), Nickname: shown(n.Nickname), FormID: newID(),
		}
		page.Problems = problems
		return s.render(c, http.StatusUnprocessableEntity, views.Signup(page))
	}
	if err != nil {
		return err
	}
	return s.redirect(c, "/auth/pending")
}

// signUp stores the sign-up and remembers it in the session. What fell into the
// trap is from a robot, or from a browser that was too helpful: it is told, so
// that nobody real is dropped in silence.
func (s *Server) signUp(c echo.Context, n store.NewSignup, trapped string) error {
	v := visitOf(c)
	if trapped != "" {
		s.event(c, slog.LevelInfo, "sign-up trapped", email(n.Email))
		return &store.InvalidError{Fields: map[string]store.Problem{"form": problemTrap}}
	}
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

// signupJSON is the same sign-up for scripts. They would take a redirect for a
// success, so in the session of a member they are told that it conflicts with it.
func (s *Server) signupJSON(c echo.Context) error {
	if visitOf(c).user.ID != 0 {
		return s.renderJSON(c, http.StatusConflict, signupErrors{Errors: map[string]string{}})
	}
	n, trapped, err := readSignupJSON(c.Request().Body)
	if err == nil {
		err = s.signUp(c, n, trapped)
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

func readSignupJSON(body io.Reader) (n store.NewSignup, trapped string, err error) {
	text, err := io.ReadAll(body)
	if err != nil {
		return n, "", fmt.Errorf("read sign-up: %w", err)
	}
	if !utf8.Valid(text) {
		return n, "", fmt.Errorf("%w: not UTF-8", errBadRequest)
	}
	var fields firstValues
	if err := json.Unmarshal(text, &fields); err != nil {
		return n, "", fmt.Errorf("%w: %w", errBadRequest, err)
	}
	for name, field := range map[string]*string{
		"email": &n.Email, "name": &n.Name, "nickname": &n.Nickname, "password": &n.Password,
		views.TrapField: &trapped,
	} {
		if value, sent := fields[name]; sent && json.Unmarshal(value, field) != nil {
			return n, "", fmt.Errorf("%w: %s is no text", errBadRequest, name)
		}
	}
	return n, trapped, nil
}

// firstValues is a JSON object read by the rule for forms: names are exact,
// and a field sent more than once has its first value.
type firstValues map[string]json.RawMessage

// UnmarshalJSON is asked for valid JSON only.
func (f *firstValues) UnmarshalJSON(text []byte) error {
	*f = firstValues{}
	dec := json.NewDecoder(bytes.NewReader(text))
	if open, _ := dec.Token(); open != json.Delim('{') {
		return errors.New("no JSON object")
	}
	for dec.More() {
		var value json.RawMessage
		name, _ := dec.Token() // a string: the text is valid
		if err := dec.Decode(&value); err != nil {
			return fmt.Errorf("field %v: %w", name, err)
		}
		if name, _ := name.(string); (*f)[name] == nil {
			(*f)[name] = value
		}
	}
	return nil
}
