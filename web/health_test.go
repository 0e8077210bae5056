package web

import (
	"errors"
	"net/http"
	"testing"
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
		err := ready.ask(clock.Now(), func() error { asked++; return answer })
		if !errors.Is(err, answer) {
			t.Errorf("answer %d is %v, want %v", asked, err, answer)
		}
	}
	clock.Advance(-time.Hour) // a clock that was set back lengthens nothing
	if err := ready.ask(clock.Now(), func() error { asked++; return store.ErrNotFound }); err == nil || asked != 4 {
		t.Errorf("asked %d times; the last answer is %v", asked, err)
	}
}
