package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"madang/store"
)

// cutGrace is what a handler gets to return after its context has ended.
const cutGrace = 2 * time.Second

// Handler does the work of one job. It may run more than once for a job, so
// what it does must be safe to repeat. An error is retried unless it is
// [Permanent].
type Handler func(ctx context.Context, job store.Job) error

// PoolOptions says what a pool works on. Name, Store, Handlers, Workers and
// Log are needed.
type PoolOptions struct {
	Name     string // in the log
	Store    *store.Store
	Handlers map[string]Handler // by the kind of job
	Workers  int                // how many jobs run at once, never more
	Log      *slog.Logger
	// DoneLevel is the level of the line for a job that went well; many small
	// jobs are better logged at debug.
	DoneLevel slog.Level
	// Breaker watches what the handlers work with; nil when nothing but the
	// jobs themselves can fail.
	Breaker *Breaker
	// Figures is told what the pool does; nil: nobody is.
	Figures *Figures
	// Ended is told of each attempt, what became of it and how long its handler
	// took; lost is one whose result could not be written. Nil: nobody is.
	Ended func(kind string, outcome store.Outcome, took time.Duration)

	Now   func() time.Time // time.Now when nil
	Lease time.Duration    // how long a claim holds without a sign of life; 0: 30 s
	Poll  time.Duration    // how often to look without having been woken; 0: 1 s
	Drain time.Duration    // what running jobs get to finish when the pool stops; 0: 5 s
}

// Pool runs the jobs of some kinds on a fixed number of workers.
type Pool struct {
	opts   PoolOptions
	kinds  []string
	errors complaints
	// records are the figures by kind, nil when nobody is told.
	records map[string]*record
	woken   chan struct{} // a job may be waiting
	freed   chan struct{} // a worker is free again

	running sync.WaitGroup
	mu      sync.Mutex
	held    map[int64]*heldJob
}

// NewPool checks the options and returns a pool that waits for [Pool.Run].
func NewPool(o PoolOptions) (*Pool, error) {
	if o.Name == "" || o.Store == nil || o.Log == nil || len(o.Handlers) == 0 || o.Workers < 1 {
		return nil, errors.New("job pool: name, store, log, handlers and at least one worker are needed")
	}
	for kind, handler := range o.Handlers {
		if handler == nil {
			return nil, fmt.Errorf("job pool %s: no handler for kind %q", o.Name, kind)
		}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Lease = orDefault(o.Lease, 30*time.Second)
	o.Poll = orDefault(o.Poll, time.Second)
	o.Drain = orDefault(o.Drain, 5*time.Second)
	o.Log = o.Log.With(slog.String("component", "pool"), slog.String("pool", o.Name))
	p := &Pool{
		opts:   o,
		kinds:  slices.Sorted(maps.Keys(o.Handlers)),
		errors: complaints{log: o.Log},
		woken:  make(chan struct{}, 1),
		freed:  make(chan struct{}, 1),
		held:   make(map[int64]*heldJob),
	}
	if o.Figures != nil {
		p.records = o.Figures.watch(watchedPool{name: o.Name, workers: o.Workers, kinds: p.kinds})
	}
	return p, nil
}

func orDefault(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// Run works until ctx ends. Then nothing new is claimed, the running jobs get
// the drain budget to finish, and what is left is cut off and given back
// without charging the attempt.
func (p *Pool) Run(ctx context.Context) error {
	work, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	alive, rest := context.WithCancel(context.WithoutCancel(ctx))
	defer rest()

	var helpers sync.WaitGroup
	for _, kind := range p.kinds {
		helpers.Go(func() { p.forward(ctx, p.opts.Store.Wake(kind)) })
	}
	helpers.Go(func() { p.beat(alive) })

	p.claim(ctx, work)
	p.drain(ctx, cut)
	rest()
	helpers.Wait()
	return nil
}

// forward joins the wake-ups of all kinds into one channel.
func (p *Pool) forward(ctx context.Context, wake <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-wake:
			signal(p.woken)
		}
	}
}

// signal leaves a mark in a channel of capacity one, where one is enough.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// claim takes jobs for as long as ctx lasts and runs them under work.
func (p *Pool) claim(ctx, work context.Context) {
	failures := 0
	for ctx.Err() == nil {
		rest, err := p.step(ctx, work)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			failures++
			p.errors.add(ctx, "claiming jobs", err)
			rest = nap{longest: pause(failures)}
		default:
			failures = 0
		}
		await(ctx, rest.longest, rest.unless, rest.or)
		// One commit answers several workers. Let all of them be free before
		// the next claim: this halves the commits of many small jobs.
		runtime.Gosched()
	}
}

// nap is how long a pool has nothing to claim, unless a channel speaks.
type nap struct {
	longest    time.Duration
	unless, or <-chan struct{}
}

// step makes one claim, for the free workers only, starts what it got, and
// says how long there is nothing more to do.
func (p *Pool) step(ctx, work context.Context) (nap, error) {
	limit, rest := p.allowed()
	if limit == 0 {
		return rest, nil
	}
	until := p.opts.Now().Add(p.opts.Lease)
	jobs, err := p.opts.Store.ClaimJobs(ctx, p.kinds, limit, p.opts.Lease)
	if err != nil {
		return nap{}, fmt.Errorf("claim jobs: %w", err)
	}
	for _, job := range jobs {
		p.start(work, job, until)
	}
	if len(jobs) >= limit { // more may be waiting
		return nap{0, nil, nil}, nil
	}
	return nap{p.idle(ctx), p.woken, nil}, nil
}

// allowed is how many jobs may be claimed now; when it is none, for how long.
func (p *Pool) allowed() (limit int, rest nap) {
	holding := p.holding()
	free := p.opts.Workers - holding
	switch {
	case free == 0:
		return 0, nap{p.opts.Lease, p.freed, nil}
	case p.opts.Breaker == nil:
		return free, nap{}
	}
	limit, longest := p.opts.Breaker.allow(free, holding)
	return limit, nap{longest, p.freed, p.opts.Breaker.closed}
}

// idle is how long to sleep when no job waits: until the next one is due, or
// the poll that is the net under lost wake-ups.
func (p *Pool) idle(ctx context.Context) time.Duration {
	next := jitter(p.opts.Poll)
	due, err := p.opts.Store.NextJob(ctx, p.kinds)
	switch {
	case err != nil:
		p.errors.add(ctx, "asking for the next job", err)
	case !due.IsZero():
		// Never zero: a due job that another process holds must not make a spin.
		next = min(next, max(due.Sub(p.opts.Now()), 5*time.Millisecond))
	}
	return next
}

// await returns when ctx ends, the time is over or one of the channels speaks.
func await(ctx context.Context, d time.Duration, a, b <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-a:
	case <-b:
	}
}

// drain waits for the running jobs, cuts them off when the budget is spent,
// and then waits a little for those that heed their context. A handler that
// does not is left behind: its lease runs out and the job is run again.
func (p *Pool) drain(ctx context.Context, cut context.CancelFunc) {
	ended := make(chan struct{})
	go func() {
		p.running.Wait()
		close(ended)
	}()
	ctx = context.WithoutCancel(ctx)
	await(ctx, p.opts.Drain, ended, nil)
	cut()
	await(ctx, cutGrace, ended, nil)
	if left := p.holding(); left > 0 {
		p.opts.Log.LogAttrs(ctx, slog.LevelError, "jobs did not stop", slog.Int("jobs", left))
	}
}
