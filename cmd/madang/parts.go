package main

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"
)

// part is a piece of the running board. Its run works until its context ends
// and has finished all it had under way when it returns.
type part struct {
	name string
	run  func(ctx context.Context) error
}

// runParts starts the parts in order and keeps them running until ctx ends or
// one of them fails. It then stops them one after the other, the last one
// first, so that each part can still rely on those before it while it stops.
// It returns the error of the first part that failed.
func runParts(ctx context.Context, parts []part) error {
	group, failed := errgroup.WithContext(ctx)
	stops := make([]func(), len(parts))
	for i, p := range parts {
		stops[i] = start(ctx, group, p)
	}
	<-failed.Done()
	for i := range parts {
		stops[len(parts)-1-i]()
	}
	return group.Wait()
}

// start runs a part in the group and returns what stops it and waits for it.
// The end of ctx alone does not stop it: parts end in order.
func start(ctx context.Context, group *errgroup.Group, p part) (stop func()) {
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	group.Go(func() error {
		defer close(ended)
		err := p.run(own)
		stopped := own.Err() != nil
		if stopped && (err == nil || errors.Is(err, context.Canceled)) {
			return nil
		}
		if err == nil {
			err = errEnded
		}
		return fmt.Errorf("%s: %w", p.name, err)
	})
	return func() { cancel(); <-ended }
}

// errEnded says that a part returned although nobody had stopped it.
var errEnded = errors.New("ended by itself")
