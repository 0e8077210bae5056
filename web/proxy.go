package web

import (
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
)

// What a proxy says of the request it passes on.
const (
	headerFor   = "X-Forwarded-For"
	headerProto = "X-Forwarded-Proto"
)

// proxies knows whose word on forwarded requests counts.
type proxies struct {
	trusted []netip.Prefix
	doubts  doubts
}

// trusts reports whether the peer of a request is a proxy that was named.
func (p *proxies) trusts(r *http.Request) bool {
	peer, ok := readAddr(r.RemoteAddr)
	return ok && isWithin(peer, p.trusted)
}

// hearProxy acts on what a proxy says. A visitor who came to it without TLS is
// sent to the site's own address, where the session's cookie works: browsers
// do not return a Secure cookie to http. From anybody else the headers count
// for nothing, and the log says so: all visitors behind a proxy that was not
// named share one address, and with it one budget of failed logins.
func (s *Server) hearProxy(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r := c.Request()
		switch said := s.proxies.proto(r); {
		case !isForwarded(r):
		case !s.proxies.trusts(r):
			s.doubt(c, "forwarded headers of a peer that is no trusted proxy are ignored",
				"if it is your proxy, name it in --trusted-proxies")
		case s.isProbe(c):
		case said == "http" && s.base.Scheme == "https":
			if slices.Contains(entries(r, headerProto), "https") { // it would come back the same way for ever
				s.doubt(c, "a proxy is reached over http after one that is reached over https",
					"name all of them in --trusted-proxies")
				break
			}
			return c.Redirect(http.StatusPermanentRedirect, s.secureURL(r.URL))
		case said == "https" && s.base.Scheme == "http":
			s.doubt(c, "the proxy speaks https, the base URL http", "set --base-url to the https address")
		}
		return next(c)
	}
}

// secureURL is the address of a request at the site's own host. It is made of
// the path: a request may name its target in a way that holds none, as
// "http:@evil.test", and would lead away.
func (s *Server) secureURL(u *url.URL) string {
	own := url.URL{Scheme: s.base.Scheme, Host: s.base.Host, Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery}
	return own.String()
}

func isForwarded(r *http.Request) bool {
	return len(entries(r, headerFor))+len(entries(r, headerProto)) > 0
}

// proto is how the outermost of the trusted proxies was reached. What stands
// before its word, whoever came to it may have written. Where the proxies
// replace the header instead of adding to it, there is one word for all.
func (p *proxies) proto(r *http.Request) string {
	said := entries(r, headerProto)
	_, proxies := trace(r, p.trusted)
	if len(said) == 0 || proxies == 0 {
		return ""
	}
	return said[max(0, len(said)-proxies)]
}

func (s *Server) doubt(c echo.Context, what, hint string) {
	peer := c.Request().RemoteAddr
	if addr, err := netip.ParseAddrPort(peer); err == nil {
		peer = addr.Addr().String()
	}
	if s.proxies.doubts.first(peer+what, s.now()) {
		s.log.WarnContext(c.Request().Context(), what, slog.String("peer", peer), slog.String("hint", hint))
	}
}

// doubts keeps the log readable: the same is said once an hour, and of many
// peers only so many are named.
type doubts struct {
	mu    sync.Mutex
	since time.Time
	said  map[string]bool
}

const (
	doubtsEvery = time.Hour
	doubtsMost  = 20
)

func (d *doubts) first(what string, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.said == nil || now.Sub(d.since) >= doubtsEvery {
		d.said, d.since = make(map[string]bool), now
	}
	if d.said[what] || len(d.said) >= doubtsMost {
		return false
	}
	d.said[what] = true
	return true
}
