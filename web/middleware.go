package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"madang/views"
)

const (
	// bodyLimit is for every request, and for what a form holds once decoded.
	bodyLimit = 256 << 10
	// textLimit is for the forms of long texts: percent-encoding makes three
	// bytes of each byte, so the longest post in Hangul is 450,000 bytes on
	// the line.
	textLimit = 3 * bodyLimit
	// timeLimit ends before the server's write timeout, so that a slow request
	// still gets its error page.
	timeLimit = 20 * time.Second
)

// Errors of the middleware, mapped to their status in errors.go.
var (
	errCrossOrigin = errors.New("cross-origin request")
	errMediaType   = errors.New("content type not taken here")
	errBadRequest  = errors.New("malformed request")
)

// middleware is what every request passes, outermost first.
func (s *Server) middleware() []echo.MiddlewareFunc {
	return []echo.MiddlewareFunc{
		s.meet,         // names the request, so that everything below can speak of it
		s.logRequest,   // outside of the error page, to see its status
		s.secure,       // before anything that can answer
		s.answerErrors, // every error below becomes a page
		s.recoverPanic, // a panic becomes an error
		s.hearProxy,    // before anything that counts clients
		s.limitTime,    // before anything that waits
		s.limitBody,    // before anything that reads
		s.checkOrigin,  // before the session is touched
		s.openSession,  // the member of the visit; guards of the routes follow
	}
}

// meet makes the visit. The id is our own: one sent by a client could imitate
// another request's lines in the log.
func (s *Server) meet(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		v := &visit{id: newID(), client: clientAddr(c), lang: guestLang(c.Request())}
		c.Set(visitKey, v)
		c.Response().Header().Set("X-Request-Id", v.id)
		return next(c)
	}
}

// answerErrors turns errors into pages here, inside the log, and not after it.
func (s *Server) answerErrors(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := next(c); err != nil {
			c.Error(err)
		}
		return nil
	}
}

// panicError is a recovered panic with the stack it came from.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

func (s *Server) recoverPanic(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			switch value := recover(); value {
			case nil:
			case http.ErrAbortHandler: // asks net/http to cut the line; no fault
				panic(value)
			default:
				err = &panicError{value: value, stack: debug.Stack()}
			}
		}()
		return next(c)
	}
}

func (s *Server) limitTime(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		ctx, cancel := context.WithTimeout(c.Request().Context(), timeLimit)
		defer cancel()
		c.SetRequest(c.Request().WithContext(ctx))
		return next(c)
	}
}

// limitBody refuses bodies that are too long, at once when they say so, and
// bodies of another kind than forms.
func (s *Server) limitBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r, limit := c.Request(), int64(bodyLimit)
		if s.forms[c.Path()].keep {
			limit = textLimit
		}
		if r.ContentLength > limit {
			return &http.MaxBytesError{Limit: limit}
		}
		if r.ContentLength != 0 {
			// What is packed is not unpacked: it could be of any size.
			if r.Header.Get("Content-Encoding") != "" || !s.takes(c, r.Header.Get("Content-Type")) {
				return errMediaType
			}
			r.Body = http.MaxBytesReader(c.Response().Writer, r.Body, limit)
		}
		return next(c)
	}
}

func (s *Server) takes(c echo.Context, contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	return kind == "application/x-www-form-urlencoded" ||
		kind == "application/json" && c.Path() == s.site.Prefix+signupPath
}

// checkOrigin refuses what another site makes a browser send. A request with
// neither Sec-Fetch-Site nor Origin comes from no browser, so nobody can be
// made to forge it. Where the browser itself says cross-site, our own origin
// in the other header does not help: no browser sends the two together.
func (s *Server) checkOrigin(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		if safe(r.Method) {
			return next(c)
		}
		site := r.Header.Get("Sec-Fetch-Site")
		if site == "cross-site" || site == "same-site" || s.origins.Check(r) != nil {
			return errCrossOrigin
		}
		return next(c)
	}
}

func safe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

// isProbe is true for the addresses that have no session and no page.
func (s *Server) isProbe(c echo.Context) bool {
	switch strings.TrimPrefix(c.Path(), s.site.Prefix) {
	case "/healthz", "/readyz", "/static/*", views.FeedPath, sitemapPath, robotsPath:
		return true
	}
	return false
}

// logRequest writes one line for each request: never a query, which may hold a
// token, and never a value of a form.
func (s *Server) logRequest(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		begun := time.Now()
		err := next(c)
		took := time.Since(begun)
		s.tell(c, took)
		r, w, v := c.Request(), c.Response(), visitOf(c)
		level := slog.LevelInfo
		if s.isProbe(c) {
			level = slog.LevelDebug
		}
		s.log.LogAttrs(r.Context(), level, "request",
			slog.String("method", r.Method), slog.String("path", r.URL.Path),
			slog.Int("status", w.Status), slog.Duration("took", took),
			slog.Int64("bytes", w.Size), slog.String("id", v.id),
			slog.Int64("user", v.user.ID), slog.String("client", v.client.String()))
		return err
	}
}
