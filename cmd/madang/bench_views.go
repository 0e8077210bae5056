package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"golang.org/x/sync/errgroup"

	"madang/jobs"
	"madang/store"
)

// benchViewsCmd is the experiment of the write-up "How many threads are
// enough?": readers who reload a post all at once. Each waits until its event
// is on disk before it reloads again; every event is written, whoever has been
// seen before.
type benchViewsCmd struct {
	kind `embed:""`

	Events      amount `default:"100000" placeholder:"N" local:"" help:"How many times the post is read."`
	Readers     amount `default:"1000" placeholder:"N" local:"" help:"How many readers do that at once."`
	Workers     counts `default:"8,16,32" placeholder:"N,…" local:"" help:"Sizes of the view pool."`
	Repeat      amount `default:"5" placeholder:"N" local:"" help:"Runs for each size."`
	Synchronous string `enum:"full,normal" default:"full" local:"" help:"full: every commit is on disk, as it is in a board. normal: the last ones are lost with the power."`
	JSON        bool   `name:"json" local:"" help:"Print JSON."`
}

// viewRun is one run and what came of it.
type viewRun struct {
	Workers   int   `json:"workers"`
	PerSecond int64 `json:"events_per_second"`
	Counted   int64 `json:"counted"`
	Expected  int64 `json:"expected"`
}

// errMiscounted says that a run did not count what it had to.
var errMiscounted = errors.New("views were miscounted")

// Run repeats the experiment and prints a table or JSON.
func (c *benchViewsCmd) Run(ctx context.Context, s streams) error {
	sync, err := syncTime()
	if err != nil {
		return fmt.Errorf("look at the disk: %w", err)
	}
	_, _ = fmt.Fprintf(s.err, "%d events of %d readers on %s, synchronous=%s, a sync of the disk takes %s\n",
		c.Events, c.Readers, c.name(), c.Synchronous, sync.Round(time.Microsecond))
	runs := []viewRun{}
	for range c.Repeat {
		for _, workers := range c.Workers {
			run, err := c.measure(ctx, workers, s.err)
			if err != nil {
				return fmt.Errorf("%d workers: %w", workers, err)
			}
			runs = append(runs, run)
		}
	}
	if c.JSON {
		return printJSON(s.out, map[string]any{"runs": runs})
	}
	return c.table(s.out, runs)
}

// table prints the runs of each size in the order they were made.
func (c *benchViewsCmd) table(w io.Writer, runs []viewRun) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(t, "| workers\t| events/s, median\t| of %d runs\t| counted\t|\n|---\t|---\t|---\t|---\t|\n", c.Repeat)
	for _, workers := range c.Workers {
		var speeds []int64
		var counted int64
		for _, r := range runs {
			if r.Workers == workers {
				speeds, counted = append(speeds, r.PerSecond), r.Counted
			}
		}
		_, _ = fmt.Fprintf(t, "| %d\t| %d\t| %s\t| %d\t|\n", workers, median(speeds), joined(speeds), counted)
	}
	return t.Flush()
}

// measure makes one run on a database of its own.
func (c *benchViewsCmd) measure(ctx context.Context, workers int, progress io.Writer) (run viewRun, err error) {
	durability := store.OnDisk
	if c.Synchronous == "normal" {
		durability = store.UntilPowerFails
	}
	db, err := newThrowaway(ctx, c.kind, store.Options{Durability: durability})
	if err != nil {
		return viewRun{}, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	post, err := db.post(ctx)
	if err != nil {
		return viewRun{}, err
	}
	counting, err := newCounting(db.Store, workers, nil)
	if err != nil {
		return viewRun{}, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := counting.start(ctx)
	defer func() {
		stop()
		err = errors.Join(err, <-ended)
	}()
	load := viewLoad{db: db.Store, views: counting.views, post: post, events: int64(c.Events), readers: int64(c.Readers)}
	took, sums, err := load.run(ctx, progress, fmt.Sprintf("%2d workers", workers))
	if err != nil {
		return viewRun{}, err
	}
	run = viewRun{workers, int64(float64(c.Events) / took.Seconds()), sums.Viewers, min(load.readers, load.events)}
	if sums.Viewers != run.Expected || sums.Posts != run.Expected || sums.Days != run.Expected {
		return run, fmt.Errorf("%w: posts %d, days %d, viewers %d, want %d",
			errMiscounted, sums.Posts, sums.Days, sums.Viewers, run.Expected)
	}
	return run, nil
}

// counting is the part of a board that writes views down and counts them.
type counting struct {
	views *jobs.Views
	pool  *jobs.Pool
}

// newCounting makes it; figures are nil where nobody looks.
func newCounting(db *store.Store, workers int, figures *jobs.Figures) (counting, error) {
	log := slog.New(slog.DiscardHandler)
	views, err := jobs.NewViews(db, log)
	if err != nil {
		return counting{}, err
	}
	pool, err := jobs.NewPool(jobs.PoolOptions{
		Name: "views", Store: db, Handlers: jobs.ViewHandlers(), Workers: workers, Log: log, Figures: figures,
	})
	return counting{views, pool}, err
}

// start runs both until ctx ends.
func (c counting) start(ctx context.Context) (ended <-chan error) {
	done := make(chan error, 1)
	var group errgroup.Group
	group.Go(func() error { return c.views.Run(ctx) })
	group.Go(func() error { return c.pool.Run(ctx) })
	go func() { done <- group.Wait() }()
	return done
}

// viewLoad is readers who reload a post.
type viewLoad struct {
	db              *store.Store
	views           *jobs.Views
	post            int64
	events, readers int64
	written         atomic.Int64
}

// run returns how long it took from the first event until the last was
// counted.
func (l *viewLoad) run(ctx context.Context, progress io.Writer, name string) (time.Duration, store.ViewSums, error) {
	stopped := l.show(progress, name)
	defer stopped()
	group, reading := errgroup.WithContext(ctx)
	begun := time.Now()
	for reader := range l.readers {
		reloads := l.events / l.readers
		if reader < l.events%l.readers {
			reloads++
		}
		group.Go(func() error { return l.read(reading, reader, reloads) })
	}
	if err := group.Wait(); err != nil {
		return 0, store.ViewSums{}, err
	}
	sums, err := l.counted(ctx)
	return time.Since(begun), sums, err
}

// read is one reader.
func (l *viewLoad) read(ctx context.Context, reader, reloads int64) error {
	// Each in a network of its own.
	from := [16]byte{0x20, 0x01, 0x0d, 0xb8, byte(reader >> 24), byte(reader >> 16), byte(reader >> 8), byte(reader)} //nolint:gosec // cut into bytes
	address := netip.AddrFrom16(from)
	for range reloads {
		event, err := l.db.ViewEvent(ctx, l.post, 0, address, "Mozilla/5.0 (bench)")
		if err != nil {
			return err
		}
		if err := l.views.Record(event)(ctx); err != nil {
			return err
		}
		l.written.Add(1)
	}
	return nil
}

// counted waits until no batch is open.
func (l *viewLoad) counted(ctx context.Context) (store.ViewSums, error) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		sums, err := l.db.ViewSums(ctx)
		if err != nil || sums.Open == 0 {
			return sums, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return sums, ctx.Err()
		}
	}
}

// show writes how far the run has come, until stopped.
func (l *viewLoad) show(w io.Writer, name string) (stopped func()) {
	tick := time.NewTicker(200 * time.Millisecond)
	end := make(chan struct{})
	var shown sync.WaitGroup
	shown.Go(func() {
		for {
			_, _ = fmt.Fprintf(w, "\r%s: %d of %d events on disk", name, l.written.Load(), l.events)
			select {
			case <-tick.C:
			case <-end:
				_, _ = fmt.Fprintf(w, "\r%s: %d of %d events on disk\n", name, l.written.Load(), l.events)
				return
			}
		}
	})
	return func() {
		tick.Stop()
		close(end)
		shown.Wait()
	}
}
