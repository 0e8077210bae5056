package web

import (
	"crypto/rand"
	"net/netip"
	"net/url"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// visit is what is known of one request beyond the request itself.
type visit struct {
	id     string // names the request in the log and on error pages
	client netip.Addr
	lang   views.Lang
	user   store.User // ID 0 for a guest
	// token is what the session's cookie said; "" when it named no live session.
	token string
	// entered is true when the member came in with this very request.
	entered bool
	// loaded is true once the session can be read.
	loaded bool
	// changed is true when the session has to be written before the answer.
	changed bool
	// ended is true when the session was destroyed and its cookie has to go.
	ended bool
	// secret is true on pages that carry a token in their address.
	secret bool
}

const visitKey = "visit"

// visitOf returns the visit that the first middleware made.
func visitOf(c echo.Context) *visit {
	v, ok := c.Get(visitKey).(*visit)
	if !ok {
		panic("web: a request without a visit")
	}
	return v
}

// newID returns 26 random characters, 128 bits or more: request ids, the
// one-time ids of forms, owners of kept texts.
func newID() string { return rand.Text() }

func escapeQuery(s string) string { return url.QueryEscape(s) }
