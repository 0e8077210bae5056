package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
)

// diary notes in which order parts end.
type diary struct {
	mu    sync.Mutex
	ended []string
}

func (d *diary) part(name string, started chan<- struct{}) part {
	return part{name: name, run: func(ctx context.Context) error {
		started <- struct{}{}
		<-ctx.Done()
		d.mu.Lock()
		defer d.mu.Unlock()
		d.ended = append(d.ended, name)
		return ctx.Err()
	}}
}

func TestPartsEndInReverseOrder(t *testing.T) {
	var d diary
	started := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for range 3 {
			<-started
		}
		cancel()
	}()
	err := runParts(ctx, []part{d.part("base", started), d.part("middle", started), d.part("front", started)})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"front", "middle", "base"}; !slices.Equal(d.ended, want) {
		t.Errorf("they ended as %v, want %v", d.ended, want)
	}
}

func TestAPartThatFailsStopsTheOthers(t *testing.T) {
	var d diary
	started := make(chan struct{}, 1)
	broken := errors.New("broken")
	failing := part{name: "front", run: func(context.Context) error { <-started; return broken }}
	err := runParts(t.Context(), []part{d.part("base", started), failing})
	if !errors.Is(err, broken) || err.Error() != "front: broken" {
		t.Errorf("err is %v", err)
	}
	if !slices.Equal(d.ended, []string{"base"}) {
		t.Errorf("ended: %v", d.ended)
	}
}

func TestAPartThatEndsByItselfIsAFault(t *testing.T) {
	quiet := part{name: "pool", run: func(context.Context) error { return nil }}
	if err := runParts(t.Context(), []part{quiet}); !errors.Is(err, errEnded) {
		t.Errorf("err is %v", err)
	}
}
