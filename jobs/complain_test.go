package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

// lines collects a log that many goroutines write.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *lines) count(part string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.buf.String(), part)
}

// textLog writes into lines.
func textLog(l *lines) *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

func TestAThousandFailuresInASecondAreOneLine(t *testing.T) {
	var log lines
	c := complaints{log: textLog(&log)}
	for range 1000 {
		c.add(t.Context(), "claiming jobs", errors.New("disk full"))
	}
	if n := log.count("disk full"); n < 1 || n > 2 {
		t.Errorf("%d lines", n)
	}
}

func TestWhatTheStopCutsOffIsNoFailure(t *testing.T) {
	var log lines
	c := complaints{log: textLog(&log)}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	c.add(ctx, "claiming jobs", fmt.Errorf("claim: %w", context.Canceled))
	if n := log.count("\n"); n != 0 {
		t.Errorf("%d lines about a stop", n)
	}
	c.add(ctx, "claiming jobs", errors.New("disk full"))
	if log.count("disk full") != 1 {
		t.Error("a failure during the stop is passed over")
	}
}

func TestADatabaseThatIsGoneNeitherSpinsNorHoldsTheStop(t *testing.T) {
	s := storetest.New(t)
	p := newPool(t, s, 1, func(context.Context, store.Job) error { return nil })
	var log lines
	p.errors.log = textLog(&log)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	stop := p.runInTest(t)
	eventually(t, "the pool complains", func() bool { return log.count("claiming jobs") > 0 })
	stop()
	if n := log.count("\n"); n > 2 {
		t.Errorf("%d lines", n)
	}
}
