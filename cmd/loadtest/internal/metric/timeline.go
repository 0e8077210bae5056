package metric

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// Timeline keeps what the plots and the table of addresses show: each request
// by the second it ended in and by its name.
type Timeline struct {
	mu      sync.Mutex
	start   time.Time
	seconds []Second
	names   map[string]*Address
}

// Second is what happened within one second of the run.
type Second struct {
	Users     int
	Requests  int
	Failed    int
	durations []float64
}

// Address is what was measured under one name.
type Address struct {
	Name             string
	Requests, Failed int
	durations        []float64
}

// maxNames bounds the table for scripts that give each request its own address.
const maxNames = 200

// NewTimeline returns a timeline that waits for Start.
func NewTimeline() *Timeline { return &Timeline{names: map[string]*Address{}} }

// Start sets second 0.
func (l *Timeline) Start(at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.start = at
}

// Request records a request that ended at that time. Those of setup, before
// Start, are left out.
func (l *Timeline) Request(at time.Time, name string, milliseconds float64, failed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.start.IsZero() {
		return
	}
	s, a := l.second(at), l.address(name)
	s.Requests++
	a.Requests++
	if failed {
		s.Failed++
		a.Failed++
	}
	s.durations = append(s.durations, milliseconds)
	a.durations = append(a.durations, milliseconds)
}

// Users records how many users were active at that time.
func (l *Timeline) Users(at time.Time, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.second(at)
	s.Users = max(s.Users, n)
}

func (l *Timeline) second(at time.Time) *Second {
	i := max(int(at.Sub(l.start)/time.Second), 0)
	for len(l.seconds) <= i {
		l.seconds = append(l.seconds, Second{})
	}
	return &l.seconds[i]
}

func (l *Timeline) address(name string) *Address {
	if a, ok := l.names[name]; ok {
		return a
	}
	if len(l.names) >= maxNames {
		name = "(others)"
	}
	if a, ok := l.names[name]; ok {
		return a
	}
	l.names[name] = &Address{Name: name}
	return l.names[name]
}

// Seconds are the seconds of the run; their durations are sorted.
func (l *Timeline) Seconds() []Second {
	l.mu.Lock()
	defer l.mu.Unlock()
	seconds := slices.Clone(l.seconds)
	for i := range seconds {
		seconds[i].durations = slices.Sorted(slices.Values(seconds[i].durations))
	}
	return seconds
}

// Addresses are the names requests went by, the busiest first.
func (l *Timeline) Addresses() []Address {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make([]Address, 0, len(l.names))
	for _, a := range l.names {
		c := *a
		c.durations = slices.Sorted(slices.Values(a.durations))
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b Address) int {
		if a.Requests != b.Requests {
			return b.Requests - a.Requests
		}
		return strings.Compare(a.Name, b.Name)
	})
	return all
}

// Percentile of the second's durations in milliseconds.
func (s Second) Percentile(p float64) float64 { return Percentile(s.durations, p) }

// Percentile of the address's durations in milliseconds.
func (a Address) Percentile(p float64) float64 { return Percentile(a.durations, p) }
