package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"madang/cmd/loadtest/internal/script"
)

// pool lends the users to the scenarios; one that a scenario is done with
// serves the next.
type pool struct {
	script *script.Script
	mu     sync.Mutex
	free   []*script.User
	all    []*script.User
}

func (p *pool) fill(ctx context.Context, n int) error {
	users := make([]*script.User, 0, n)
	for range n {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		u, err := p.take()
		if err != nil {
			return err
		}
		users = append(users, u)
	}
	for i := range users { // the first is lent first
		p.give(users[len(users)-1-i])
	}
	return nil
}

func (p *pool) take() (*script.User, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		u := p.free[n-1]
		p.free = p.free[:n-1]
		return u, nil
	}
	u, err := p.script.NewUser(len(p.all) + 1)
	if err != nil {
		return nil, fmt.Errorf("make user %d: %w", len(p.all)+1, err)
	}
	p.all = append(p.all, u)
	p.script.State().Initialized.Store(int64(len(p.all)))
	return u, nil
}

func (p *pool) give(u *script.User) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, u)
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, u := range p.all {
		u.Close()
	}
}

// errOver ends iterations that go on beyond their scenario's grace.
var errOver = errors.New("interrupted: the time of the scenario is over")

// maxTroubles bounds what a run prints of exceptions.
const maxTroubles = 50

// troubles prints the exceptions that end iterations, and counts the rest.
type troubles struct {
	mu sync.Mutex
	to io.Writer
	n  int
}

func (t *troubles) add(user string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n++; t.n <= maxTroubles {
		fmt.Fprintf(t.to, "error: %s: %v\n", user, err)
	}
}

func (t *troubles) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n > maxTroubles {
		fmt.Fprintf(t.to, "error: and %d exceptions more\n", t.n-maxTroubles)
	}
}
