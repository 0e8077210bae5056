package web

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestHealth(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	for _, path := range []string{"/healthz", "/readyz"} {
		if got := c.get(path).wants(http.StatusOK).body; got != "ok" {
			t.Errorf("%s: %q", path, got)
		}
	}
	b.server.Drain()
	c.get("/readyz").wants(http.StatusServiceUnavailable)
	c.get("/healthz").wants(http.StatusOK)
	c.get("/").wants(http.StatusOK)
}

func TestReadyIsGoodForASecond(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	c.get("/readyz").wants(http.StatusOK)
	if err := b.store.Close(); err != nil {
		t.Fatal(err)
	}
	b.clock.Advance(time.Second - time.Millisecond)
	c.get("/readyz").wants(http.StatusOK)
	b.clock.Advance(time.Millisecond)
	for range 2 {
		c.get("/readyz").wants(http.StatusServiceUnavailable)
	}
}

func TestNotReadyIsAskedAgain(t *testing.T) {
	clock := storetest.NewClock(time.Now())
	var ready readiness
	asked := 0
	for _, answer := range []error{errors.New("full"), errors.New("full"), nil} {
		err := ready.ask(t.Context(), clock.Now(), func(context.Context) error { asked++; return answer })
		if !errors.Is(err, answer) {
			t.Errorf("answer %d is %v, want %v", asked, err, answer)
		}
	}
	clock.Advance(-time.Hour) // a clock that was set back lengthens nothing
	if err := ready.ask(t.Context(), clock.Now(), func(context.Context) error { asked++; return store.ErrNotFound }); err == nil || asked != 4 {
		t.Errorf("asked %d times; the last answer is %v", asked, err)
	}
}

func TestASilentDatabaseIsAskedOnceAndNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ready readiness
		var asked atomic.Int64
		speak := make(chan struct{})
		silent := func(context.Context) error { asked.Add(1); <-speak; return nil }
		begun := time.Now()
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				if err := ready.ask(t.Context(), begun, silent); !errors.Is(err, errNoAnswer) {
					t.Errorf("the answer is %v", err)
				}
			})
		}
		all.Wait()
		if took := time.Since(begun); took != readyWithin || asked.Load() != 1 {
			t.Errorf("asked %d times within %v", asked.Load(), took)
		}
		close(speak)
		synctest.Wait()
		if err := ready.ask(t.Context(), begun, silent); err != nil || asked.Load() != 2 {
			t.Errorf("asked %d times; the last answer is %v", asked.Load(), err)
		}
	})
}
