package storetest

import (
	"sync"
	"time"
)

// Clock is a clock that stands still until it is told to move. Its Now is
// meant for the Now of options. It may be used by many goroutines at once.
type Clock struct {
	mu sync.Mutex
	at time.Time
}

// NewClock returns a clock that shows a time, cut to whole milliseconds as the
// database keeps them.
func NewClock(at time.Time) *Clock { return &Clock{at: at.Truncate(time.Millisecond)} }

// Now returns the time the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

// Set moves the clock to a time.
func (c *Clock) Set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at.Truncate(time.Millisecond)
}

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}
