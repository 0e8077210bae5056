package web

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// search looks for posts. Any text is a query; robots follow no results.
func (s *Server) search(c echo.Context) error {
	c.Response().Header().Set("X-Robots-Tag", "noindex, nofollow")
	query, err := searchQuery(c.QueryParams())
	if err != nil {
		return err
	}
	page := views.SearchPage{Page: s.page(c), Text: query.Text}
	if !strings.HasPrefix(page.Path, "/search") { // it was too long to be one
		page.Path = "/search?q=" + escapeQuery(query.Text)
	}
	if query.Text != "" {
		if page.Found, err = s.find(c, query); err != nil {
			return err
		}
	}
	return s.render(c, http.StatusOK, views.Search(page))
}

func searchQuery(q url.Values) (store.SearchQuery, error) {
	query := store.SearchQuery{Text: store.CutQuery(shown(q.Get("q"))), Limit: pageSize}
	for name, place := range map[string]*store.SearchPlace{"before": &query.Before, "after": &query.After} {
		var ok bool
		if *place, ok = store.ReadSearchPlace(q.Get(name)); !ok && q.Has(name) {
			return query, fmt.Errorf("%w: no such place in the results", errBadRequest)
		}
	}
	return query, nil
}

// find searches once it is the visitor's turn.
func (s *Server) find(c echo.Context, query store.SearchQuery) (store.SearchResult, error) {
	ctx := c.Request().Context()
	leave, err := s.searches.enter(ctx, visitOf(c).client)
	if err != nil {
		return store.SearchResult{}, fmt.Errorf("search: %w", err)
	}
	defer leave()
	return s.store.Search(ctx, query)
}

// searchWait is how long a search waits for its turn.
const searchWait = 2 * time.Second

// searchGate lets a few searches go on at once, and one of each client, so that however
// many are asked for, other pages find the database free.
type searchGate struct {
	slots   chan struct{}
	wait    time.Duration
	mu      sync.Mutex
	clients map[netip.Addr]*turnstile
}

// turnstile is where the searches of one client wait for each other.
type turnstile struct {
	pass    chan struct{}
	waiting int
}

func newSearchGate(wait time.Duration) *searchGate {
	return &searchGate{
		slots: make(chan struct{}, max(2, runtime.GOMAXPROCS(0)/2)), wait: wait,
		clients: map[netip.Addr]*turnstile{},
	}
}

// enter returns what to call when the search is over. It returns
// *store.BusyError when it does not come to that in time.
func (g *searchGate) enter(ctx context.Context, client netip.Addr) (leave func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, g.wait)
	defer cancel()
	client = household(client)
	own := g.come(client)
	if err := take(waiting, own.pass); err != nil {
		g.goAway(client)
		return nil, g.refusal(ctx)
	}
	if err := take(waiting, g.slots); err != nil {
		<-own.pass
		g.goAway(client)
		return nil, g.refusal(ctx)
	}
	return func() {
		<-g.slots
		<-own.pass
		g.goAway(client)
	}, nil
}

func take(ctx context.Context, place chan struct{}) error {
	select {
	case place <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *searchGate) refusal(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return &store.BusyError{Wait: g.wait}
}

func (g *searchGate) come(client netip.Addr) *turnstile {
	g.mu.Lock()
	defer g.mu.Unlock()
	own, ok := g.clients[client]
	if !ok {
		own = &turnstile{pass: make(chan struct{}, 1)}
		g.clients[client] = own
	}
	own.waiting++
	return own
}

func (g *searchGate) goAway(client netip.Addr) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if own := g.clients[client]; own.waiting > 1 {
		own.waiting--
		return
	}
	delete(g.clients, client)
}

// household is the network that one client may have many addresses in.
func household(client netip.Addr) netip.Addr {
	if !client.Is6() {
		return client
	}
	network, err := client.Prefix(64)
	if err != nil {
		return client
	}
	return network.Addr()
}
