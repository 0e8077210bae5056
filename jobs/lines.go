package jobs

import (
	"slices"
	"sync"
	"time"
)

// openLines keeps the lines between two mails. A hand-over takes one or opens
// one, so there are never more lines than mails on their way at once.
type openLines struct {
	mu     sync.Mutex
	idle   []*openLine // the most recently used last
	closed bool
	ending sync.WaitGroup
}

type openLine struct {
	*line
	end *time.Timer
}

// take returns the line that was used last, nil when none is open.
func (ls *openLines) take() *line {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	n := len(ls.idle)
	if n == 0 {
		return nil
	}
	last := ls.idle[n-1]
	ls.idle = ls.idle[:n-1]
	last.end.Stop()
	return last.line
}

// put keeps a line for the next mail; after some time without one it is closed.
func (ls *openLines) put(l *line, idle time.Duration) {
	if !ls.keep(l, idle) {
		l.hangUp()
	}
}

// keep reports false after the end.
func (ls *openLines) keep(l *line, idle time.Duration) bool {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if ls.closed {
		return false
	}
	kept := &openLine{line: l}
	kept.end = time.AfterFunc(idle, func() { ls.expire(kept) })
	ls.idle = append(ls.idle, kept)
	return true
}

func (ls *openLines) expire(l *openLine) {
	ls.mu.Lock()
	i := slices.Index(ls.idle, l)
	if i < 0 { // taken at the same moment
		ls.mu.Unlock()
		return
	}
	ls.idle = slices.Delete(ls.idle, i, i+1)
	ls.ending.Add(1)
	ls.mu.Unlock()
	defer ls.ending.Done()
	l.hangUp()
}

// close hangs up on all lines that are open; none is kept afterwards.
func (ls *openLines) close() {
	ls.mu.Lock()
	open := ls.idle
	ls.idle, ls.closed = nil, true
	ls.mu.Unlock()
	for _, l := range open {
		l.end.Stop()
		ls.ending.Go(l.hangUp)
	}
	ls.ending.Wait()
}
