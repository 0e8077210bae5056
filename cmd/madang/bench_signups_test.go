package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"
)

// BenchmarkSignUps compares sign-ups through the whole board, at the same time
// as twenty pages a second, with the password hash alone on the same cores.
// Half of each round is the one, half the other, so that a machine that is
// slow for a while is slow for both. There are four clients a hash slot: with
// fewer a slot waits now and then for somebody to come.
func BenchmarkSignUps(b *testing.B) {
	board := benchBoard(b)
	browser := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	pages := &benchPages{browser: browser, url: board + "/"}
	var signups, hashes atomic.Int64
	var took, hashed time.Duration
	for b.Loop() {
		took += during(b, func(ctx context.Context) { pages.ask(ctx, b) }, func(i int64) error {
			return benchSignUp(b.Context(), browser, board, i)
		}, &signups, 4*runtime.GOMAXPROCS(0))
		hashed += during(b, nil, func(int64) error {
			argon2.IDKey([]byte("correct horse battery"), make([]byte, 16), 5, 7168, 1, 32)
			return nil
		}, &hashes, runtime.GOMAXPROCS(0))
	}
	perSecond := float64(signups.Load()) / took.Seconds()
	bare := float64(hashes.Load()) / hashed.Seconds()
	b.ReportMetric(perSecond, "signups/s")
	b.ReportMetric(bare, "hashes/s")
	b.ReportMetric(perSecond/bare, "signups/hash")
	pages.report(b)
}

// benchBoard runs a board in a process of its own, whose mail server takes
// mails at once, and returns its address.
func benchBoard(b *testing.B) string {
	b.Helper()
	mails, err := new(net.ListenConfig).Listen(b.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(b.Context()))
	served := make(chan error, 1)
	go func() { served <- slowMailServer{}.serve(ctx, mails) }()
	p, said := launch(b, io.Discard, newData(b), nil, "--smtp-url", "smtp://"+mails.Addr().String()+"?tls=none")
	if !p.ready(said) {
		b.Fatalf("the board did not become ready: %v", p.err)
	}
	b.Cleanup(func() {
		p.kill()
		stop()
		if err := <-served; err != nil {
			b.Error(err)
		}
	})
	return p.url
}

// benchSignUp signs somebody up as the published script does.
func benchSignUp(ctx context.Context, browser *http.Client, board string, number int64) error {
	body := fmt.Sprintf(`{"email":"reader%[1]d@example.com","name":"Reader","nickname":"reader%[1]d","password":"correct horse %[1]d"}`, number)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, board+"/auth/signup", strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	return expectOK(browser.Do(r))
}

// expectOK reads an answer to its end.
func expectOK(w *http.Response, err error) error {
	if err != nil {
		return err
	}
	if w.StatusCode != http.StatusOK {
		err = fmt.Errorf("answered %d", w.StatusCode)
	}
	_, readErr := io.Copy(io.Discard, w.Body)
	return errors.Join(err, readErr, w.Body.Close())
}

// during repeats something in so many goroutines for five seconds, with
// something else beside it, and returns how long that was.
func during(b *testing.B, beside func(context.Context), do func(int64) error, done *atomic.Int64, workers int) time.Duration {
	b.Helper()
	ctx, stop := context.WithTimeout(b.Context(), 5*time.Second)
	defer stop()
	begun := time.Now()
	var all sync.WaitGroup
	if beside != nil {
		all.Go(func() { beside(ctx) })
	}
	for range workers {
		all.Go(func() {
			for ctx.Err() == nil {
				if err := do(done.Add(1)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(begun)
}

// benchPages asks for a page twenty times a second, whatever the last took.
type benchPages struct {
	browser *http.Client
	url     string
	mu      sync.Mutex
	took    []time.Duration
}

func (p *benchPages) ask(ctx context.Context, b *testing.B) {
	b.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	var all sync.WaitGroup
	defer all.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			all.Go(func() { p.once(b) })
		}
	}
}

func (p *benchPages) once(b *testing.B) {
	b.Helper()
	begun := time.Now()
	r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, p.url, nil)
	if err != nil {
		b.Error(err)
		return
	}
	if err := expectOK(p.browser.Do(r)); err != nil {
		b.Error(err)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.took = append(p.took, time.Since(begun))
}

func (p *benchPages) report(b *testing.B) {
	b.Helper()
	slices.Sort(p.took)
	for name, share := range map[string]int{"page-p50-ms": 50, "page-p99-ms": 99} {
		b.ReportMetric(milliseconds(p.took[(len(p.took)-1)*share/100]), name)
	}
}
