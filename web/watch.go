package web

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

// Watch is who is told of what the server does; a nil function is not called.
// They are called by many goroutines at once, and whoever calls waits for them.
type Watch struct {
	// Answered is told of each request that was answered. Method and route are
	// one of few: the route is the pattern of the address without the prefix,
	// such as /posts/:id, and [Other] for an address that there is none of.
	Answered func(method, route string, status int, took time.Duration)
	// Uncounted is told of each reading of a post that could not be counted.
	Uncounted func()
}

// Other stands for the methods and addresses that the site does not have,
// however many there are.
const Other = "other"

// tell tells of an answer.
func (s *Server) tell(c echo.Context, took time.Duration) {
	if s.watch.Answered != nil {
		s.watch.Answered(knownMethod(c.Request().Method), s.knownRoute(c.Path()), c.Response().Status, took)
	}
}

func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost:
		return method
	}
	return Other
}

// knownRoute is the pattern without the prefix, so that figures of two boards
// can be laid side by side.
func (s *Server) knownRoute(pattern string) string {
	if !s.patterns[pattern] {
		return Other
	}
	if inside := strings.TrimPrefix(pattern, s.site.Prefix); inside != "" {
		return inside
	}
	return "/" // the prefix without its slash
}
