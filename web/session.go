package web

import (
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// What a session holds.
const (
	userKey   = "user"   // id of the member who is logged in
	signupKey = "signup" // id of the pending sign-up of this browser
	noticeKey = "notice" // shown on the next page: key and arguments
	keptKey   = "kept"   // owner of the texts kept for this browser
	seenKey   = "seen"   // when the idle time was last put off, Unix seconds
	provenKey = "proven" // when the member last typed the password, Unix seconds
	placeKey  = "place"  // id of the comment the member has just written
	resetKey  = "reset"  // id of the member whose password was just set here by a link
	deviceKey = "device" // short words of the browser the member logged in with
	// credentialsKey is the number of the member's password at login.
	credentialsKey = "credentials"
)

const (
	sessionLifetime = 30 * 24 * time.Hour // absolute
	sessionIdle     = 7 * 24 * time.Hour
	// seenStep spares a write for each request: the idle time is put off at
	// most so often.
	seenStep = time.Hour
)

func newSessionManager(st *store.Store, base *url.URL, prefix string) *scs.SessionManager {
	m := scs.New()
	m.Store = sessionStore{sessions: st.Sessions(), codec: m.Codec, now: st.Now}
	m.Lifetime = sessionLifetime
	m.Cookie.Name = cookieName(base, prefix)
	m.Cookie.Path = cookiePath(prefix)
	m.Cookie.Secure = base.Scheme == "https"
	m.Cookie.HttpOnly = true
	m.Cookie.SameSite = http.SameSiteLaxMode
	return m
}

// cookieName binds the cookie to the host as tightly as the browser allows:
// the __Host- prefix demands https and the path "/".
func cookieName(base *url.URL, prefix string) string {
	switch {
	case base.Scheme != "https":
		return "sid"
	case prefix != "":
		return "__Secure-sid"
	}
	return "__Host-sid"
}

func cookiePath(prefix string) string {
	if prefix == "" {
		return "/"
	}
	return prefix
}

// saveSession writes what changed and sets the cookie where it is new. The
// cookie lives as long as the session may at most; the shorter idle time is
// kept in the database, so that not every answer needs to set it.
func (s *Server) saveSession(c echo.Context) error {
	v, ctx := visitOf(c), c.Request().Context()
	if v.changed && s.isSpent(c) {
		if err := s.leave(c); err != nil {
			return err
		}
	}
	if !v.loaded || !v.changed {
		if v.ended {
			s.sessions.WriteSessionCookie(ctx, c.Response(), "", time.Time{})
			v.ended = false
		}
		return nil
	}
	v.changed = false // a failing save is not tried again for its error page
	s.sessions.Put(ctx, seenKey, s.now().Unix())
	if token := s.sessions.Token(ctx); token == "" || token != v.token {
		s.sessions.SetDeadline(ctx, s.now().Add(sessionLifetime))
	}
	token, _, err := s.sessions.Commit(ctx)
	if err != nil {
		if v.entered {
			v.user = store.User{} // nobody came in
		}
		return fmt.Errorf("save session: %w", err)
	}
	if token != v.token {
		s.sessions.WriteSessionCookie(ctx, c.Response(), token, s.sessions.Deadline(ctx))
		v.token = token
	}
	return nil
}

// isSpent reports whether the session has nothing left to remember, as that of
// a guest whose notice has been shown.
func (s *Server) isSpent(c echo.Context) bool {
	keys := s.sessions.Keys(c.Request().Context())
	return len(keys) == 0 || len(keys) == 1 && keys[0] == seenKey
}

// put keeps a value in the session, which begins with it if there was none.
func (s *Server) put(c echo.Context, key string, value any) {
	s.sessions.Put(c.Request().Context(), key, value)
	visitOf(c).changed = true
}

func (s *Server) remove(c echo.Context, key string) {
	if ctx := c.Request().Context(); s.sessions.Exists(ctx, key) {
		s.sessions.Remove(ctx, key)
		visitOf(c).changed = true
	}
}

// renew gives the session another token, and its full life again. It is done
// whenever the session comes to stand for more than before, so that a token
// planted in a browser beforehand is worth nothing.
func (s *Server) renew(c echo.Context) error {
	if err := s.sessions.RenewToken(c.Request().Context()); err != nil {
		return fmt.Errorf("renew session: %w", err)
	}
	visitOf(c).changed = true
	return nil
}

// enter logs a member in.
func (s *Server) enter(c echo.Context, user store.User) error {
	if err := s.renew(c); err != nil {
		return err
	}
	s.remove(c, signupKey)
	s.remove(c, resetKey)
	s.put(c, userKey, user.ID)
	s.put(c, credentialsKey, user.Credentials)
	s.put(c, deviceKey, device(c.Request().UserAgent()))
	s.prove(c)
	v := visitOf(c)
	v.user, v.entered = user, true
	return nil
}

// leave ends the session on the server, whatever copies of its cookie exist.
func (s *Server) leave(c echo.Context) error {
	v := visitOf(c)
	if v.token == "" {
		v.changed = false // what was begun in this request is not written
		return nil
	}
	if err := s.sessions.Destroy(c.Request().Context()); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	v.user, v.changed, v.ended = store.User{}, false, true
	return nil
}

// goOut ends the session and leads home. The notice for a member stands in a
// session of nobody, which ends when it has been shown.
func (s *Server) goOut(c echo.Context, notice string) error {
	member := visitOf(c).user.ID != 0
	if err := s.leave(c); err != nil {
		return err
	}
	if member {
		s.rememberLang(c, visitOf(c).lang)
		s.notify(c, notice)
	}
	c.Response().Header().Set("Clear-Site-Data", `"cache"`)
	return s.redirect(c, "/")
}

// signupID is the pending sign-up of this browser, 0 without one.
func (s *Server) signupID(c echo.Context) int64 {
	return s.sessions.GetInt64(c.Request().Context(), signupKey)
}

// await remembers the pending sign-up of this browser.
func (s *Server) await(c echo.Context, signupID int64) error {
	if err := s.renew(c); err != nil {
		return err
	}
	s.put(c, signupKey, signupID)
	return nil
}

// notify leaves a message for the next page.
func (s *Server) notify(c echo.Context, key string, args ...string) {
	s.put(c, noticeKey, append([]string{key}, args...))
}

func (s *Server) popNotice(c echo.Context) views.Notice {
	words, _ := s.sessions.Get(c.Request().Context(), noticeKey).([]string)
	if len(words) == 0 {
		return views.Notice{}
	}
	s.remove(c, noticeKey)
	return views.Notice{Key: words[0], Args: words[1:]}
}
