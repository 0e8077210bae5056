package web

import (
	"maps"
	"net/http"

	"github.com/labstack/echo/v4"
)

// policy lets a page load our own files and nothing else; nothing inline.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'; object-src 'none'"

// secure sets the headers that stand on every answer. Nobody keeps an answer
// that does not say otherwise, as setCaching does for pages and static for files.
func (s *Server) secure(next echo.HandlerFunc) echo.HandlerFunc {
	headers := http.Header{
		"Content-Security-Policy":      {policy},
		"X-Content-Type-Options":       {"nosniff"},
		"Referrer-Policy":              {"strict-origin-when-cross-origin"},
		"Cross-Origin-Opener-Policy":   {"same-origin"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
		"Permissions-Policy":           {"geolocation=(), camera=(), microphone=()"},
		"Cache-Control":                {"no-store"},
	}
	if s.base.Scheme == "https" {
		// Without includeSubDomains: the host may be shared.
		headers.Set("Strict-Transport-Security", "max-age=31536000")
	}
	return func(c echo.Context) error {
		// The values are shared: Set and Add leave them as they are.
		maps.Copy(c.Response().Header(), headers)
		return next(c)
	}
}

// hideToken marks a page that has a token in its address: it is never stored,
// and the address goes to no other site. Not "no-referrer": browsers would
// then send "Origin: null" with the button, and the origin check refuse it.
func hideToken(c echo.Context) {
	visitOf(c).secret = true
	c.Response().Header().Set("Referrer-Policy", "same-origin")
}

// setCaching says who may keep the answer: nobody where it belongs to one
// person, else the browser alone, asking each time, since a page differs by
// language and session.
func setCaching(h http.Header, v *visit) {
	if v.user.ID != 0 || v.token != "" || v.secret || h.Get("Set-Cookie") != "" {
		h.Set("Cache-Control", "no-store")
		return
	}
	h.Set("Cache-Control", "private, no-cache")
}
