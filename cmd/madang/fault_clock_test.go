package main

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"madang/jobs"
	"madang/store"
	"madang/store/storetest"
)

// inHand counts the runs of each job.
type inHand struct {
	mu     sync.Mutex
	runs   map[int64]int
	now    map[int64]bool
	beside int // runs of a job beside itself
}

func (h *inHand) begin(id int64) (run int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.now[id] {
		h.beside++
	}
	h.now[id] = true
	h.runs[id]++
	return h.runs[id]
}

func (h *inHand) end(id int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.now, id)
}

// TestFaultClockJumps moves the clock of the board by days and seconds in both
// directions while it works. Each job fails once and is tried once more: none
// is lost, and none runs beside itself or again because of the clock.
func TestFaultClockJumps(t *testing.T) {
	faultTest(t)
	dice, clock := newDice(t), storetest.NewClock(time.Now())
	db := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	const all = 100
	for i := range all {
		if err := db.AddViews(t.Context(), []store.ViewEvent{{Day: 1, PostID: int64(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	h := &inHand{runs: map[int64]int{}, now: map[int64]bool{}}
	stop := runClockPool(t, db, clock, h)
	jumps := 0
	for deadline := time.Now().Add(time.Minute); openJobs(t, db) > 0; jumps++ {
		if time.Now().After(deadline) {
			t.Fatalf("%d jobs are still open", openJobs(t, db))
		}
		jump(t, dice, clock, db)
	}
	stop()
	for id, n := range h.runs {
		if n != 2 {
			t.Errorf("job %d ran %d times", id, n)
		}
	}
	if len(h.runs) != all || h.beside > 0 {
		t.Errorf("%d jobs ran, %d times beside itself", len(h.runs), h.beside)
	}
	t.Logf("%d jumps", jumps)
}

// runClockPool runs a pool in which each job fails at first.
func runClockPool(t *testing.T, db *store.Store, clock *storetest.Clock, h *inHand) (stop func()) {
	t.Helper()
	work := func(_ context.Context, job store.Job) error {
		defer h.end(job.ID)
		first := h.begin(job.ID) == 1
		<-time.After(20 * time.Millisecond)
		if first {
			return errors.New("as it should")
		}
		return nil
	}
	pool, err := jobs.NewPool(jobs.PoolOptions{
		Name: "clock", Store: db, Workers: 4, Log: slog.New(slog.DiscardHandler), Now: clock.Now,
		Handlers: map[string]jobs.Handler{store.KindViews: work}, Poll: 5 * time.Millisecond, Lease: clockLease,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = pool.Run(ctx)
	}()
	return func() { cancel(); <-ended }
}

// clockLease is short, so that leases are extended often.
const clockLease = 90 * time.Millisecond

// jump moves the clock away and back, a little on each time, for what was
// scheduled on the other side waits there.
func jump(t *testing.T, dice *rand.Rand, clock *storetest.Clock, db *store.Store) {
	t.Helper()
	away := []time.Duration{24 * time.Hour, 24 * time.Hour, -24 * time.Hour, time.Hour, -time.Hour, -time.Second}[dice.IntN(6)]
	for _, by := range []time.Duration{away, 45*time.Second - away} {
		clock.Advance(by)
		// The living get the time to extend their leases, as the reaper gives it.
		<-time.After(3 * clockLease)
		if _, err := db.ReapJobs(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func openJobs(t *testing.T, db *store.Store) (n int64) {
	t.Helper()
	counts, err := db.JobCounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range counts {
		if c.State != store.Done && c.State != store.Dead {
			n += c.Count
		}
	}
	return n
}
