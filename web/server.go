package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// ViewRecorder takes the readings of posts.
type ViewRecorder interface {
	// Record puts the event into the open batch. The function it returns waits
	// until that batch is on disk, and returns the error that kept it off; it
	// does not wait longer than a page may.
	Record(ev store.ViewEvent) func(context.Context) error
}

// Options are the parts a Server is made of. All of them are needed but
// TrustedProxies and Watch.
type Options struct {
	Store *store.Store
	Views ViewRecorder
	Pools PoolWatcher
	Site  views.Site
	// TrustedProxies are the peers whose X-Forwarded-For and -Proto are believed.
	TrustedProxies []netip.Prefix
	Log            *slog.Logger
	Now            func() time.Time
	// Watch is told of what is answered.
	Watch Watch
}

// Server answers the requests of one site.
type Server struct {
	store    *store.Store
	views    ViewRecorder
	pools    PoolWatcher
	site     views.Site
	base     *url.URL
	log      *slog.Logger
	now      func() time.Time
	watch    Watch
	sessions *scs.SessionManager
	origins  *http.CrossOriginProtection
	robots   *robots
	proxies  *proxies
	// guestPages remembers how posts look to guests.
	guestPages *guestPages
	compressor *compressor
	feeds      *feeds
	sitemaps   *sitemaps
	searches   *searchGate
	echo       *echo.Echo
	forms      map[string]route  // the routes that take forms, by pattern
	pages      map[string]access // who may open a page, by pattern
	patterns   map[string]bool   // of all routes
	ready      readiness
	draining   atomic.Bool
}

// New returns the server of a site. It refuses options that lack a part.
func New(o Options) (*Server, error) {
	base, err := o.check()
	if err != nil {
		return nil, fmt.Errorf("make web server: %w", err)
	}
	s := &Server{
		store:      o.Store,
		views:      o.Views,
		pools:      o.Pools,
		site:       o.Site,
		base:       base,
		log:        o.Log.With(slog.String("component", "web")),
		now:        o.Now,
		watch:      o.Watch,
		robots:     newRobots(),
		proxies:    &proxies{trusted: o.TrustedProxies},
		guestPages: newGuestPages(guestPagesLimit),
		compressor: newCompressor(),
		feeds:      newFeeds(),
		sitemaps:   newSitemaps(sitemapSize),
		searches:   newSearchGate(searchWait),
	}
	s.sessions = newSessionManager(o.Store, base, o.Site.Prefix)
	s.origins = http.NewCrossOriginProtection()
	if err := s.origins.AddTrustedOrigin(base.Scheme + "://" + base.Host); err != nil {
		return nil, fmt.Errorf("make web server: %w", err)
	}
	s.echo = s.newEcho(o.TrustedProxies)
	return s, nil
}

func (o Options) check() (*url.URL, error) {
	switch {
	case o.Store == nil:
		return nil, errors.New("no store")
	case o.Views == nil:
		return nil, errors.New("no view recorder")
	case o.Pools == nil:
		return nil, errors.New("no figures of pools")
	case o.Log == nil:
		return nil, errors.New("no log")
	case o.Now == nil:
		return nil, errors.New("no clock")
	case o.Site.Name == "" || o.Site.Zone == nil:
		return nil, errors.New("a site needs a name and a time zone")
	}
	base, err := url.Parse(o.Site.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("base URL: %w", err)
	}
	if base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return nil, fmt.Errorf("base URL %q is no web address", o.Site.BaseURL)
	}
	if base.Path != o.Site.Prefix || strings.HasSuffix(o.Site.Prefix, "/") {
		return nil, fmt.Errorf("prefix %q is not the path of base URL %q", o.Site.Prefix, o.Site.BaseURL)
	}
	return base, nil
}

func (s *Server) newEcho(proxies []netip.Prefix) *echo.Echo {
	e := echo.New()
	e.IPExtractor = clientExtractor(proxies)
	e.HTTPErrorHandler = s.errorPage
	e.Use(s.middleware()...)
	s.register(e)
	return e
}

// Handler returns what answers the requests.
func (s *Server) Handler() http.Handler { return s.echo }

// Drain makes readyz answer 503 from now on, so that no new work is sent here
// while the process ends. Everything else is still answered.
func (s *Server) Drain() { s.draining.Store(true) }
