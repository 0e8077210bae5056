package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func testLog(t *testing.T) *slog.Logger {
	t.Helper()
	return slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }

// newPool is a pool for the jobs that addJobs makes.
func newPool(t *testing.T, s *store.Store, workers int, handler Handler) *Pool {
	t.Helper()
	p, err := NewPool(PoolOptions{
		Name: "test", Store: s, Handlers: map[string]Handler{store.KindViews: handler}, Workers: workers, Log: testLog(t),
		Poll: time.Hour, // no test may owe its success to the net
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// run runs a pool until the returned stop, which waits for its end.
func (p *Pool) runInTest(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- p.Run(ctx) }()
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cancel()
			if err := <-ended; err != nil {
				t.Errorf("pool: %v", err)
			}
		})
	}
	t.Cleanup(stop)
	return stop
}

// addJobs makes jobs of the kind that costs least.
func addJobs(t *testing.T, s *store.Store, count int) {
	t.Helper()
	for range count {
		if err := s.AddViews(t.Context(), []store.ViewEvent{{Day: 1, PostID: 1}}); err != nil {
			t.Fatal(err)
		}
	}
}

// states counts the jobs of a store by state.
func states(t *testing.T, s *store.Store) map[string]int64 {
	t.Helper()
	counts, err := s.JobCounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]int64)
	for _, c := range counts {
		found[c.State] += c.Count
	}
	return found
}

func wantStates(t *testing.T, s *store.Store, want map[string]int64) {
	t.Helper()
	if got := states(t, s); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("jobs are %v, want %v", got, want)
	}
}

// work makes one claim and waits until what was claimed has ended.
func (p *Pool) work(t *testing.T) {
	t.Helper()
	if _, err := p.step(t.Context(), t.Context()); err != nil {
		t.Fatal(err)
	}
	p.running.Wait()
}

func TestAPoolNeedsItsParts(t *testing.T) {
	s := storetest.New(t)
	handlers := map[string]Handler{"k": func(context.Context, store.Job) error { return nil }}
	good := PoolOptions{Name: "p", Store: s, Handlers: handlers, Workers: 1, Log: testLog(t)}
	if _, err := NewPool(good); err != nil {
		t.Errorf("complete options: %v", err)
	}
	for name, spoil := range map[string]func(*PoolOptions){
		"name": func(o *PoolOptions) { o.Name = "" }, "store": func(o *PoolOptions) { o.Store = nil },
		"handlers": func(o *PoolOptions) { o.Handlers = nil }, "workers": func(o *PoolOptions) { o.Workers = 0 },
		"log": func(o *PoolOptions) { o.Log = nil }, "handler": func(o *PoolOptions) { o.Handlers = map[string]Handler{"k": nil} },
	} {
		o := good
		spoil(&o)
		if _, err := NewPool(o); err == nil {
			t.Errorf("made without %s", name)
		}
	}
}

func TestNeverMoreJobsRunThanThereAreWorkers(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 40)
	var now, most, runs atomic.Int64
	p := newPool(t, s, 3, func(context.Context, store.Job) error {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		if held := states(t, s)[store.Running]; held > 3 {
			t.Errorf("%d jobs are claimed for 3 workers", held)
		}
		now.Add(-1)
		runs.Add(1)
		return nil
	})
	p.runInTest(t)
	eventually(t, "all jobs ran", func() bool { return runs.Load() == 40 })
	if most.Load() > 3 {
		t.Errorf("%d jobs ran at once", most.Load())
	}
}

func TestACommitWakesThePoolWithoutAPoll(t *testing.T) {
	s := storetest.New(t)
	started := make(chan time.Time, 1)
	p := newPool(t, s, 1, func(context.Context, store.Job) error {
		started <- time.Now()
		return nil
	})
	p.runInTest(t)
	best := time.Hour
	for range 10 {
		added := time.Now()
		addJobs(t, s, 1)
		best = min(best, (<-started).Sub(added))
	}
	if best > 100*time.Millisecond {
		t.Errorf("woken after %s at best", best)
	}
}

func TestAScheduledJobRunsAtItsTimeWithoutAPoll(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 1)
	const delay = 300 * time.Millisecond
	jobs, err := s.ClaimJobs(t.Context(), []string{store.KindViews}, 1, time.Minute)
	if err != nil || len(jobs) != 1 {
		t.Fatal(jobs, err)
	}
	due := time.Now().Add(delay)
	if err := s.RetryJob(t.Context(), jobs[0], due, "later"); err != nil {
		t.Fatal(err)
	}
	started := make(chan time.Time, 1)
	newPool(t, s, 1, func(context.Context, store.Job) error {
		started <- time.Now()
		return nil
	}).runInTest(t)
	select {
	case at := <-started:
		if late := at.Sub(due); late < -time.Millisecond || late > time.Second {
			t.Errorf("ran %s after its time", late)
		}
	case <-time.After(20 * time.Second):
		t.Error("never ran")
	}
}

func TestAPanicIsAFailureOfItsJobOnly(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 2)
	var runs atomic.Int64
	p := newPool(t, s, 1, func(context.Context, store.Job) error {
		if runs.Add(1) == 1 {
			panic("a bug")
		}
		return nil
	})
	p.work(t)
	p.work(t)
	wantStates(t, s, map[string]int64{store.Scheduled: 1})
}

func TestAPermanentFailureIsDeadAtOnceAndAnotherIsRetried(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 2)
	var runs atomic.Int64
	p := newPool(t, s, 1, func(context.Context, store.Job) error {
		if runs.Add(1) == 1 {
			return fmt.Errorf("send: %w", Permanent(errors.New("no such user")))
		}
		return errors.New("try later")
	})
	p.work(t)
	wantStates(t, s, map[string]int64{store.Available: 1, store.Dead: 1})
	p.work(t)
	wantStates(t, s, map[string]int64{store.Scheduled: 1, store.Dead: 1})
}

func TestAJobThatNeverComesToAnEndIsGivenUp(t *testing.T) {
	p := newPool(t, storetest.New(t), 1, func(context.Context, store.Job) error {
		t.Error("it ran once more")
		return nil
	})
	if got := ending(p.handle(t.Context(), store.Job{Kind: store.KindViews, Attempt: maxStarts + 1})); got != dead {
		t.Errorf("ended %s, want %s", got, dead)
	}
}

func TestJobsOfUnknownKindsAreKilled(t *testing.T) {
	clock := storetest.NewClock(time.Now())
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	addJobs(t, s, 3)
	r, err := NewReaper(s, testLog(t), store.KindVerifyMail)
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Hour) // by now no newer process is there that knows them
	if err := r.step(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantStates(t, s, map[string]int64{store.Dead: 3})
}
