package web

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// openSession loads the session that the cookie names, and its member. A token
// that names none is not taken over: what is saved gets a fresh one.
func (s *Server) openSession(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if s.isProbe(c) {
			return next(c)
		}
		var token string
		if cookie, err := c.Cookie(s.sessions.Cookie.Name); err == nil {
			token = cookie.Value
		}
		r, v := c.Request(), visitOf(c)
		ctx, user, err := s.loadSession(r.Context(), token)
		if err != nil {
			return err
		}
		c.SetRequest(r.WithContext(ctx))
		v.loaded, v.token = true, s.sessions.Token(ctx)
		if user.ID != 0 {
			v.user, v.lang = user, views.LangOf(user.Lang)
		}
		s.touch(c)
		return next(c)
	}
}

// loadSession returns the session that a token names, and its member, who is
// looked up for each request: a changed role counts from the next one on. A
// session whose member is kept out, has left, or has another password since is
// none any more, even one of a login that was under way meanwhile: the browser
// begins anew.
func (s *Server) loadSession(ctx context.Context, token string) (context.Context, store.User, error) {
	loaded, err := s.sessions.Load(ctx, token)
	if err != nil {
		return nil, store.User{}, fmt.Errorf("load session: %w", err)
	}
	id := s.sessions.GetInt64(loaded, userKey)
	if id == 0 {
		return loaded, store.User{}, nil
	}
	user, err := s.store.UserByID(ctx, id)
	if err == nil && user.Credentials == s.sessions.GetInt64(loaded, credentialsKey) {
		return loaded, user, nil
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, store.User{}, fmt.Errorf("load member of session: %w", err)
	}
	fresh, err := s.sessions.Load(ctx, "")
	return fresh, store.User{}, err
}

// touch has the session written when its idle time is to be put off, or when
// it began before sessions knew their device.
func (s *Server) touch(c echo.Context) {
	v, ctx := visitOf(c), c.Request().Context()
	if v.token != "" && s.now().Unix()-s.sessions.GetInt64(ctx, seenKey) > int64(seenStep/time.Second) {
		v.changed = true
	}
	if v.user.ID != 0 && !s.sessions.Exists(ctx, deviceKey) {
		s.put(c, deviceKey, device(c.Request().UserAgent()))
	}
}
