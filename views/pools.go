package views

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// PoolsPage shows what the pools of workers did in the last hour.
type PoolsPage struct {
	Page
	Pools []PoolFigures
	// Backlog is how many jobs of each kind are due and not taken yet, in the
	// whole site.
	Backlog map[string]int64
}

// PoolFigures are what one pool of this process did.
type PoolFigures struct {
	Name    string
	Workers int
	Busy    int       // workers that hold a job now
	Since   time.Time // nothing before is known
	Last    Load      // in the last minute
	Peak    Load      // in the minute of the last hour that asked for most workers
	Hour    Load
	Kinds   []KindFigures
	// Minutes are those of the last hour, the oldest first; the last one goes on.
	Minutes []Load
}

// KindFigures are what a pool did with the jobs of one kind.
type KindFigures struct {
	Kind string
	Last Load // in the last minute
	Hour Load
}

// Load is what a pool did in a stretch of time.
type Load struct {
	From    time.Time
	Lasted  time.Duration // 0 when nothing is known of it
	Arrived int64         // jobs that were recorded
	Done    int64         // jobs that were worked off
	Failed  int64         // attempts that ended in any other way
	// Worked is the time of all workers together that went into jobs, the
	// writing of their results included.
	Worked time.Duration
	// Spent is the time of the attempts that ended, from claim to result.
	Spent    time.Duration
	P50, P95 time.Duration // of the time of an attempt
}

// Arrivals is the number of new jobs in a second.
func (l Load) Arrivals() float64 { return l.perSecond(float64(l.Arrived)) }

// Throughput is the number of jobs worked off in a second.
func (l Load) Throughput() float64 { return l.perSecond(float64(l.Done)) }

// Busy is how many workers were busy on average.
func (l Load) Busy() float64 { return l.perSecond(l.Worked.Seconds()) }

func (l Load) perSecond(sum float64) float64 {
	if l.Lasted <= 0 {
		return 0
	}
	return sum / l.Lasted.Seconds()
}

// Mean is the time of an attempt on average, which is what a number of workers
// is reckoned by.
func (l Load) Mean() time.Duration {
	if n := l.Done + l.Failed; n > 0 {
		return l.Spent / time.Duration(n)
	}
	return 0
}

// Asked is how many workers the jobs that arrive would keep busy all the time:
// arrivals × time.
func (l Load) Asked() float64 { return l.Arrivals() * l.Mean().Seconds() }

// Needed is the number of workers that is asked for, rounded up; one at least,
// since a pool has one.
func (l Load) Needed() int { return max(1, int(math.Ceil(l.Asked()-1e-9))) }

// Ceiling is how many jobs in a second so many workers can work off:
// workers / time. It is 0 while no time is known.
func (l Load) Ceiling(workers int) float64 {
	if l.Mean() <= 0 {
		return 0
	}
	return float64(workers) / l.Mean().Seconds()
}

// Spare is the share of so many workers that stays free, less than 0 when they
// are too few.
func (l Load) Spare(workers int) float64 { return 1 - l.Asked()/float64(workers) }

// enoughSpare is the share of free time below which jobs that come in a bunch
// wait for long.
const enoughSpare = .2

// verdict is the catalogue key of what the last minute says about the number
// of workers.
func (f PoolFigures) verdict() string {
	spare := f.Last.Spare(f.Workers)
	switch {
	case f.Last.Arrived == 0:
		return "pools.idle"
	case f.Last.Mean() == 0:
		return "pools.unknown"
	case spare < 0:
		return "pools.short"
	case spare < enoughSpare-1e-9:
		return "pools.tight"
	}
	return "pools.enough"
}

// known reports whether it can be said how many workers are asked for.
func (l Load) known() bool { return l.Arrived == 0 || l.Mean() > 0 }

// flag is the setting for the number of workers, "" for a pool that has none.
func (f PoolFigures) flag() string {
	switch f.Name {
	case "mail":
		return "--mail-workers"
	case "views":
		return "--view-workers"
	}
	return ""
}

// backlog is how many jobs wait for a pool in the whole site.
func (p PoolsPage) backlog(f PoolFigures) (n int64) {
	for _, k := range f.Kinds {
		n += p.Backlog[k.Kind]
	}
	return n
}

// pool is the name of a pool in words; one without words has its own.
func (l Lang) pool(name string) string {
	if text, ok := l.lookup("pool." + name); ok {
		return text
	}
	return name
}

// percent writes a share.
func percent(share float64) string {
	return strconv.FormatFloat(math.Round(max(share, 0)*100), 'f', 0, 64) + "%"
}

// figure is a number as a machine reads it.
func figure(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }

func id(parts ...string) string { return strings.Join(parts, "-") }

// newestFirst are the minutes of which something is known.
func (f PoolFigures) newestFirst() []Load {
	var known []Load
	for _, m := range slices.Backward(f.Minutes) {
		if m.Lasted > 0 {
			known = append(known, m)
		}
	}
	return known
}

// clock writes the time of day.
func (s Site) clock(t time.Time) string { return s.in(t).Format("15:04") }

// loadRow is a line of the table of a pool: one figure in three stretches of time.
type loadRow struct {
	name  string // catalogue key
	value func(Load) float64
	write func(Load) string
}

func (p PoolsPage) loadRows() []loadRow {
	rate := func(name string, value func(Load) float64) loadRow {
		return loadRow{name, value, func(l Load) string { return p.Word("unit.per_second", digits(value(l))) }}
	}
	span := func(name string, of func(Load) time.Duration) loadRow {
		return loadRow{name, func(l Load) float64 { return of(l).Seconds() }, func(l Load) string { return p.span(of(l)) }}
	}
	plain := func(name string, value func(Load) float64) loadRow {
		return loadRow{name, value, func(l Load) string { return digits(value(l)) }}
	}
	return []loadRow{
		rate("pools.arrivals", Load.Arrivals),
		rate("pools.throughput", Load.Throughput),
		plain("pools.failed", func(l Load) float64 { return float64(l.Failed) }),
		span("pools.mean", Load.Mean),
		span("pools.p50", func(l Load) time.Duration { return l.P50 }),
		span("pools.p95", func(l Load) time.Duration { return l.P95 }),
		plain("pools.busy", Load.Busy),
		plain("pools.asked", Load.Asked),
	}
}

// span writes a time of which 0 means that it is not known.
func (p PoolsPage) span(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	return p.Lang.took(d)
}
