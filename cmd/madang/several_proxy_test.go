package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// lookEvery is how often the proxy asks each process whether it takes work.
const lookEvery = 50 * time.Millisecond

// balancer is a proxy in front of several processes. It gives each request to
// the next of those whose readyz was good when it last looked, and never tries
// one twice.
type balancer struct {
	sites   []*site
	heedful bool // false: it gives work to everybody, whatever readyz says
	front   *httptest.Server
	proxies [2]httputil.ReverseProxy
	looker  *http.Client
	turn    atomic.Uint64
	ready   []atomic.Bool

	mu     sync.Mutex
	faults []string
}

// newBalancer starts a proxy in front of processes.
func newBalancer(t *testing.T, sites []*site, heedful bool) *balancer {
	t.Helper()
	b := &balancer{sites: sites, heedful: heedful, ready: make([]atomic.Bool, len(sites))}
	b.looker = &http.Client{Timeout: 2 * time.Second}
	// One keeps its connections, which a process must not close under a request.
	// The other makes a new one for each, which somebody must take.
	for i, transport := range []*http.Transport{{MaxIdleConnsPerHost: 64}, {DisableKeepAlives: true}} {
		b.proxies[i] = httputil.ReverseProxy{
			Rewrite:      func(*httputil.ProxyRequest) {}, // the address is set already
			ErrorHandler: b.failed,
			Transport:    transport,
		}
	}
	b.front = httptest.NewServer(b)
	ctx, stop := context.WithCancel(t.Context())
	var looking sync.WaitGroup
	for i := range sites {
		looking.Go(func() { b.look(ctx, i) })
	}
	t.Cleanup(func() {
		stop()
		looking.Wait()
		b.front.Close()
	})
	return b
}

// site is the proxy as a place that people can use.
func (b *balancer) site(v *several) *site {
	first := v.each[0]
	return &site{
		t: v.t, data: first.data, database: v.url, log: first.log, sink: v.sink, retold: first.retold,
		now: &process{url: b.front.URL}, new: make(chan struct{}),
	}
}

// look asks one process again and again.
func (b *balancer) look(ctx context.Context, i int) {
	for ctx.Err() == nil {
		b.ready[i].Store(b.asks(ctx, b.sites[i]))
		select {
		case <-time.After(lookEvery):
		case <-ctx.Done():
		}
	}
}

func (b *balancer) asks(ctx context.Context, s *site) bool {
	p := s.running()
	if p == nil {
		return false
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+"/readyz", nil)
	if err != nil {
		return false
	}
	response, err := b.looker.Do(request)
	if err != nil {
		return false
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// allReady reports whether every process takes work.
func (b *balancer) allReady() bool {
	for i := range b.ready {
		if !b.ready[i].Load() {
			return false
		}
	}
	return true
}

func (b *balancer) anyReady() bool {
	for i := range b.ready {
		if b.ready[i].Load() {
			return true
		}
	}
	return false
}

// next is whose turn it is, nil when nobody takes work.
func (b *balancer) next(turn uint64) *process {
	for i := range b.sites {
		n := int((turn + uint64(i)) % uint64(len(b.sites)))
		if p := b.sites[n].running(); p != nil && (b.ready[n].Load() || !b.heedful) {
			return p
		}
	}
	return nil
}

// ServeHTTP hands a request on.
func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	turn := b.turn.Add(1)
	p := b.next(turn)
	if p == nil {
		b.fault("nobody takes work")
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	to, err := url.Parse(p.url)
	if err != nil {
		b.fault(err.Error())
		return
	}
	r.URL.Scheme, r.URL.Host = to.Scheme, to.Host
	lines := atomic.Int32{}
	b.proxies[turn/uint64(len(b.sites))%2].ServeHTTP(w, r.WithContext(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { lines.Add(1) },
	})))
	if lines.Load() > 1 { // the transport does so by itself on an old connection
		b.fault(fmt.Sprintf("%s %s was tried %d times", r.Method, r.URL.Path, lines.Load()))
	}
}

// failed notes a request that got no answer from its process; one that its
// client gave up is no fault.
func (b *balancer) failed(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() == nil {
		b.fault(fmt.Sprintf("%s %s: %v", r.Method, r.URL.Path, err))
	}
	w.WriteHeader(http.StatusBadGateway)
}

func (b *balancer) fault(words string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = append(b.faults, time.Now().Format("05.000 ")+words)
}

// report fails the test for each request that was not answered.
func (b *balancer) report(t *testing.T) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, words := range b.faults {
		if i == 10 {
			t.Errorf("and %d more", len(b.faults)-i)
			return
		}
		t.Errorf("the proxy: %s", words)
	}
}
