package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"madang/store"
)

// largestBatch bounds how many events wait in memory for one commit.
const largestBatch = 4096

// A commit costs as much for one event as for hundreds. Under load batches are
// therefore begun no closer to each other than pace, unless enough events wait.
// The reader who comes after a pause does not wait for anybody.
const (
	pace   = 3 * time.Millisecond
	enough = 256
)

// commitWithin is how long a page waits for its view. No batch waits longer for
// its turn to be written: a view that was not counted on its page should not
// appear later.
const commitWithin = 2 * time.Second

// Errors of those who record a view.
var (
	// ErrViewsStopped is returned to those who come after the end.
	ErrViewsStopped = errors.New("views are recorded no more")
	// ErrViewLate says that the view was not on disk in time.
	ErrViewLate = errors.New("the view could not be written in time")
)

// Views makes view events durable. Events are committed in batches that form
// by themselves: while one commit runs, the next batch fills.
type Views struct {
	store  *store.Store
	errors complaints
	filled chan struct{} // the open batch has an event
	plenty chan struct{} // it has enough of them

	mu   sync.Mutex
	open *batch
	late lateness
}

// batch is a number of events that reach the disk together or not at all.
type batch struct {
	events []store.ViewEvent
	taken  chan struct{} // closed when the next batch is open
	ended  chan struct{} // closed when err is final
	err    error
}

func newBatch(size int) *batch {
	return &batch{
		events: make([]store.ViewEvent, 0, size),
		taken:  make(chan struct{}),
		ended:  make(chan struct{}),
	}
}

// NewViews returns the recorder of view events; nothing is committed until
// [Views.Run].
func NewViews(s *store.Store, log *slog.Logger) (*Views, error) {
	if s == nil || log == nil {
		return nil, errors.New("views: store and log are needed")
	}
	return &Views{
		store:  s,
		errors: complaints{log: log.With(slog.String("component", "views"))},
		filled: make(chan struct{}, 1),
		plenty: make(chan struct{}, 1),
		open:   newBatch(16),
	}, nil
}

// Record puts the event into the open batch and returns at once. The returned
// wait comes back when the event is on disk, with the error of the commit or of
// ctx, or 2 s after Record with [ErrViewLate]; it is called once. When the batch is
// full, wait also covers the time until there is room: the reader's own request
// slows down, and no event is thrown away.
func (v *Views) Record(ev store.ViewEvent) (wait func(ctx context.Context) error) {
	b, late, joined := v.join(ev)
	return func(ctx context.Context) error {
		for !joined {
			if err := until(ctx, late, b.taken); err != nil {
				return fmt.Errorf("wait for room in a batch of views: %w", err)
			}
			b, _, joined = v.join(ev)
		}
		if err := until(ctx, late, b.ended); err != nil {
			return fmt.Errorf("wait for the commit of a view: %w", err)
		}
		return b.err
	}
}

// until waits for the channel to be closed.
func until(ctx context.Context, late, closed <-chan struct{}) error {
	select {
	case <-closed:
		return nil
	case <-late:
		return ErrViewLate
	case <-ctx.Done():
		return ctx.Err()
	}
}

// join adds the event to the open batch and returns that, and what ends the
// patience of whoever comes now. It reports false when the batch is full.
func (v *Views) join(ev store.ViewEvent) (b *batch, late <-chan struct{}, joined bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	b, late = v.open, v.late.of(time.Now())
	switch {
	case b.err != nil: // the one after the last
		return b, late, true
	case len(b.events) == largestBatch:
		return b, late, false
	}
	b.events = append(b.events, ev)
	switch len(b.events) {
	case 1:
		signal(v.filled)
	case enough:
		signal(v.plenty)
	}
	return b, late, true
}

// Run commits batch after batch until ctx ends, then the last one. Whoever
// records must have stopped before; who comes later gets [ErrViewsStopped].
func (v *Views) Run(ctx context.Context) error {
	size := 16
	var begun time.Time
	for {
		select {
		case <-v.filled:
			await(ctx, pace-time.Since(begun), v.plenty, nil)
			begun = time.Now()
			b := v.take(newBatch(size))
			v.commit(ctx, b)
			size = max(16, len(b.events))
		case <-ctx.Done():
			last := v.take(closedBatch())
			v.commit(ctx, last)
			return last.err
		}
	}
}

// take returns the open batch and opens the next in its place.
func (v *Views) take(next *batch) *batch {
	v.mu.Lock()
	defer v.mu.Unlock()
	b := v.open
	v.open = next
	select { // what these say is of the batch that is taken
	case <-v.filled:
	default:
	}
	select {
	case <-v.plenty:
	default:
	}
	close(b.taken)
	return b
}

// closedBatch answers all who come after the end.
func closedBatch() *batch {
	b := newBatch(0)
	b.err = ErrViewsStopped
	close(b.ended)
	return b
}

// commit writes the batch and tells everybody in it how that went. The end of
// ctx does not stop it, for its readers are waiting.
func (v *Views) commit(ctx context.Context, b *batch) {
	defer close(b.ended)
	if len(b.events) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitWithin)
	defer cancel()
	if err := v.store.AddViews(ctx, b.events); err != nil {
		b.err = fmt.Errorf("commit %d views: %w", len(b.events), err)
		v.errors.add(ctx, "recording views", err)
	}
}

// ViewHandlers returns the handler of view batches, for [NewPool]. It does
// nothing, since [store.Store.FinishJob] counts the batch in the transaction
// that removes its job: so each event takes effect exactly once.
func ViewHandlers() map[string]Handler {
	return map[string]Handler{
		store.KindViews: func(context.Context, store.Job) error { return nil },
	}
}
