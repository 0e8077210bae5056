package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"madang/jobs"
	"madang/store"
)

// metrics is what a board tells a Prometheus that asks. A nil one counts
// nothing: then nobody is to be told.
type metrics struct {
	registry *prometheus.Registry
	counts   *counters
	listener net.Listener
}

// newMetrics returns what is counted, nil when nobody will ask.
func (c *serveCmd) newMetrics() *metrics {
	if !c.MetricsAddr.given() {
		return nil
	}
	m := &metrics{registry: prometheus.NewRegistry(), counts: newCounters()}
	m.registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		buildInfo(),
		m.counts,
	)
	return m
}

// given tells an address from none.
func (a address) given() bool { return a != address{} }

// listen takes the address; nothing is answered until the part runs.
func (m *metrics) listen(ctx context.Context, at address) (err error) {
	if m == nil {
		return nil
	}
	if m.listener, err = new(net.ListenConfig).Listen(ctx, "tcp", at.String()); err != nil {
		return badSetting("metrics-addr", err.Error())
	}
	return nil
}

func (m *metrics) close() {
	if m != nil && m.listener != nil {
		_ = m.listener.Close() // closed already when the board was served
	}
}

// part answers whoever asks for the figures, before all others begin and until
// all others have ended.
func (m *metrics) part(db *store.Store, figures *jobs.Figures, log *slog.Logger) []part {
	if m == nil {
		return nil
	}
	m.registry.MustRegister(newStoreCollector(db, figures, log))
	log = log.With(slog.String("component", "metrics"))
	return []part{{"metrics", func(ctx context.Context) error { return m.serve(ctx, log) }}}
}

const (
	// scrapeWithin is what an answer may take in all.
	scrapeWithin = 10 * time.Second
	// scrapesAtOnce bounds those who ask: each answer takes memory.
	scrapesAtOnce = 4
)

func (m *metrics) serve(ctx context.Context, log *slog.Logger) error {
	lines := slog.NewLogLogger(log.Handler(), slog.LevelWarn)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorLog: lines, ErrorHandling: promhttp.ContinueOnError,
		MaxRequestsInFlight: scrapesAtOnce, Timeout: scrapeWithin,
	}))
	server := &http.Server{
		Handler: mux, ErrorLog: lines,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second,
		WriteTimeout: scrapeWithin + 5*time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
	}
	log.LogAttrs(ctx, slog.LevelInfo, "figures are offered", slog.String("addr", m.listener.Addr().String()))
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(m.listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	return stopScrapes(context.WithoutCancel(ctx), server)
}

// stopScrapes lets nobody wait long for the end: figures can be asked for again.
func stopScrapes(ctx context.Context, server *http.Server) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	err := server.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return server.Close()
	}
	return err
}
