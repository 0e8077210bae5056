package jobs

import (
	"errors"
	"sync"
	"time"

	"madang/views"
)

// Figures keeps what the pools of this process did in the last hour, in memory
// of a fixed size: about 300 KB for each kind of job. A pool writes a few
// numbers for each job; whoever looks adds them up.
type Figures struct {
	now func() time.Time

	mu    sync.Mutex
	kinds map[string]*record
	pools []watchedPool
}

// watchedPool is a pool that keeps its figures here.
type watchedPool struct {
	name    string
	workers int
	kinds   []string
}

// NewFigures returns figures that go by a clock.
func NewFigures(now func() time.Time) (*Figures, error) {
	if now == nil {
		return nil, errors.New("figures of pools: a clock is needed")
	}
	return &Figures{now: now, kinds: map[string]*record{}}, nil
}

// Arrive counts a job that was recorded. It is for [store.Options].
func (f *Figures) Arrive(kind string) {
	now := f.now()
	f.record(kind).arrive(now)
}

// watch takes in a pool and returns where it writes what it does, by kind.
func (f *Figures) watch(pool watchedPool) map[string]*record {
	records := make(map[string]*record, len(pool.kinds))
	for _, kind := range pool.kinds {
		records[kind] = f.record(kind)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pools = append(f.pools, pool)
	return records
}

func (f *Figures) record(kind string) *record {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := f.kinds[kind]
	if r == nil {
		r = newRecord(f.now())
		f.kinds[kind] = r
	}
	return r
}

// Pools returns the figures of each pool, in the order in which they were made.
func (f *Figures) Pools() []views.PoolFigures {
	f.mu.Lock()
	pools := f.pools
	f.mu.Unlock()
	now := f.now()
	figures := make([]views.PoolFigures, len(pools))
	for i, pool := range pools {
		figures[i] = f.figures(pool, now)
	}
	return figures
}

func (f *Figures) figures(pool watchedPool, now time.Time) views.PoolFigures {
	all := newSnapshot(now)
	figures := views.PoolFigures{Name: pool.name, Workers: pool.workers}
	for _, kind := range pool.kinds {
		one := newSnapshot(now)
		f.record(kind).copyTo(one)
		all.add(one)
		figures.Kinds = append(figures.Kinds, views.KindFigures{Kind: kind, Last: one.last(slotsAMinute), Hour: one.last(slots)})
	}
	figures.Busy, figures.Since = all.busy, all.since
	figures.Last, figures.Peak, figures.Hour = all.last(slotsAMinute), all.peak(), all.last(slots)
	figures.Minutes = all.minutes()
	return figures
}
