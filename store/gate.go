package store

import (
	"context"
	"sync"
	"time"
)

// gates let those of one name pass one after the other. What they spend before
// their turns are counted in the database is bounded so: whoever comes next
// sees the turn of the one before. A gate is there while somebody is at it.
type gates struct {
	wait  time.Duration
	mu    sync.Mutex
	named map[string]*gate
}

type gate struct {
	inside chan struct{} // holds one: whoever has passed and not left
	at     int           // how many have passed or wait; gates.mu guards it
}

func newGates() *gates {
	return &gates{wait: hashWait, named: map[string]*gate{}}
}

// pass returns when those before have left, and leave is to be called. It
// returns *BusyError when they take too long.
func (g *gates) pass(ctx context.Context, name []byte) (leave func(), err error) {
	one := g.approach(string(name))
	timer := time.NewTimer(g.wait)
	defer timer.Stop()
	select {
	case one.inside <- struct{}{}:
		return func() {
			<-one.inside
			g.goAway(string(name), one)
		}, nil
	case <-timer.C:
		err = &BusyError{Wait: g.wait}
	case <-ctx.Done():
		err = ctx.Err()
	}
	g.goAway(string(name), one)
	return nil, err
}

func (g *gates) approach(name string) *gate {
	g.mu.Lock()
	defer g.mu.Unlock()
	one := g.named[name]
	if one == nil {
		one = &gate{inside: make(chan struct{}, 1)}
		g.named[name] = one
	}
	one.at++
	return one
}

func (g *gates) goAway(name string, one *gate) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if one.at--; one.at == 0 {
		delete(g.named, name)
	}
}
