package store

import (
	"context"
	"errors"
	"sync"
	"time"
)

// sharedReads lets those who ask for the same thing at the same moment share
// one read. Nothing is remembered: whoever asks gets a read that began after
// they asked. Under load the reads of a thing begin no closer to each other
// than readPace; whoever comes after a pause waits for nobody.
type sharedReads[T any] struct {
	slots [256]readSlot[T]
}

const readPace = time.Millisecond

// readSlot is where the readers of a thing meet. Things that fall on one slot
// at the same time are read without it.
type readSlot[T any] struct {
	mu    sync.Mutex
	id    int64
	begun time.Time
	next  *sharedRead[T] // nil when nobody waits
}

// sharedRead is a read that has not begun.
type sharedRead[T any] struct {
	done  chan struct{}
	value T
	err   error
}

// errReadLost is for those who shared a read that panicked.
var errReadLost = errors.New("the shared read did not come to its end")

// read returns the result of read or of one that began since it was called.
func (r *sharedReads[T]) read(ctx context.Context, id int64, read func(context.Context, int64) (T, error)) (T, error) {
	slot := &r.slots[uint64(id)%uint64(len(r.slots))] //nolint:gosec // any number will do
	shared, rest := slot.join(id)
	switch {
	case shared == nil:
		return read(ctx, id)
	case rest < 0:
		<-shared.done
		return shared.value, shared.err
	}
	// Whoever came first waits and reads for all; its own end must not be theirs.
	time.Sleep(rest)
	slot.begin()
	defer close(shared.done)
	shared.value, shared.err = read(context.WithoutCancel(ctx), id)
	return shared.value, shared.err
}

// join returns nil when the read may begin at once, else the next read, and
// how long until that is to begin, or a negative time when another waits for it.
func (s *readSlot[T]) join(id int64) (next *sharedRead[T], rest time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch now := time.Now(); {
	case s.next != nil && s.id == id:
		return s.next, -1
	case s.next != nil:
		return nil, 0
	case s.id == id && now.Sub(s.begun) < readPace:
		s.next = &sharedRead[T]{done: make(chan struct{}), err: errReadLost}
		return s.next, readPace - now.Sub(s.begun)
	default:
		s.id, s.begun = id, now
		return nil, 0
	}
}

// begin makes those who come from now on wait for another read.
func (s *readSlot[T]) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next, s.begun = nil, time.Now()
}
