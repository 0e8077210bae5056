package jobs

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// fill records jobs that do nothing, as fast as the disk allows.
func fill(t testing.TB, s *store.Store, count int) {
	t.Helper()
	var left atomic.Int64
	left.Store(int64(count))
	var all sync.WaitGroup
	for range 128 {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				if err := s.AddViews(t.Context(), nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// backlog makes jobs that wait for their retry for an hour.
func backlog(t testing.TB, s *store.Store, count int) {
	t.Helper()
	fill(t, s, count)
	jobs, err := s.ClaimJobs(t.Context(), []string{store.KindViews}, count, time.Minute)
	if err != nil || len(jobs) != count {
		t.Fatal(len(jobs), err)
	}
	var all sync.WaitGroup
	for part := range slices.Chunk(jobs, count/100+1) {
		all.Go(func() {
			for _, j := range part {
				if err := s.RetryJob(t.Context(), j, time.Now().Add(time.Hour), "later"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

func TestTwoPoolsOfEightRunTenThousandJobsOnceEach(t *testing.T) {
	s := storetest.New(t)
	const jobs = 10_000 / scale
	fill(t, s, jobs)
	var mu sync.Mutex
	runs := make(map[string]int, jobs)
	count := func(_ context.Context, j store.Job) error {
		mu.Lock()
		defer mu.Unlock()
		runs[fmt.Sprint(j.ID, " ", j.Attempt)]++
		return nil
	}
	for range 2 {
		p := newPool(t, s, 8, count)
		p.opts.Log = discard()
		p.runInTest(t)
	}
	eventually(t, "the queue is empty", func() bool { return len(states(t, s)) == 0 })
	mu.Lock()
	defer mu.Unlock()
	if len(runs) != jobs {
		t.Errorf("%d attempts of %d jobs", len(runs), jobs)
	}
	for attempt, n := range runs {
		if n != 1 {
			t.Errorf("attempt %s ran %d times", attempt, n)
		}
	}
}

// started is how long each of so many new jobs waits for its worker after its
// commit, in order.
func started(t testing.TB, s *store.Store, jobs int) []time.Duration {
	t.Helper()
	begun := make(chan time.Time, 1)
	p, err := NewPool(PoolOptions{
		Name: "test", Store: s, Workers: 1, Log: discard(), Poll: time.Hour,
		Handlers: map[string]Handler{store.KindViews: func(context.Context, store.Job) error {
			begun <- time.Now()
			return nil
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- p.Run(ctx) }()
	waits := make([]time.Duration, jobs)
	for i := range waits {
		if err := s.AddViews(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		committed := time.Now()
		waits[i] = max((<-begun).Sub(committed), 0)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	slices.Sort(waits)
	return waits
}

func TestAMountainOfRetriesDelaysNoNewJob(t *testing.T) {
	const mountain = 20_000 / scale
	empty := started(t, storetest.New(t), 50)
	full := storetest.New(t)
	backlog(t, full, mountain)
	loaded := started(t, full, 50)
	t.Logf("median with nothing in backoff %s, with %d jobs %s", empty[25], mountain, loaded[25])
	if loaded[25] > 3*empty[25]+5*time.Millisecond {
		t.Errorf("a new job waits %s, without the mountain %s", loaded[25], empty[25])
	}
	if got := states(t, full); got[store.Scheduled] != mountain {
		t.Errorf("left: %v", got)
	}
}

// BenchmarkStart measures from the commit of a new job to its handler.
func BenchmarkStart(b *testing.B) {
	for _, waiting := range []int{0, 20_000} {
		b.Run(fmt.Sprintf("backoff=%d", waiting), func(b *testing.B) {
			s := storetest.New(b)
			if waiting > 0 {
				backlog(b, s, waiting)
			}
			b.ResetTimer()
			waits := started(b, s, b.N)
			b.ReportMetric(float64(waits[len(waits)/2].Microseconds()), "µs-median")
			b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds()), "µs-p99")
		})
	}
}

func TestAnIdlePoolLooksNoOftenerThanItsPoll(t *testing.T) {
	s := storetest.New(t)
	p := newPool(t, s, 4, func(context.Context, store.Job) error { return nil })
	var looks atomic.Int64
	p.opts.Poll = 50 * time.Millisecond
	p.opts.Now = func() time.Time { // is asked once for each claim
		looks.Add(1)
		return time.Now()
	}
	began := time.Now()
	p.runInTest(t)
	eventually(t, "ten looks", func() bool { return looks.Load() >= 10 })
	if most := time.Since(began)/(40*time.Millisecond) + 2; looks.Load() > int64(most) {
		t.Errorf("%d looks in %s", looks.Load(), time.Since(began))
	}
}

func TestTheEndOfAJobWakesNobodyElse(t *testing.T) {
	s := storetest.New(t)
	p := newPool(t, s, 1, func(context.Context, store.Job) error { return nil })
	var looks atomic.Int64
	p.opts.Now = func() time.Time {
		looks.Add(1)
		return time.Now()
	}
	p.opts.Log = discard()
	fill(t, s, 100)
	p.runInTest(t)
	eventually(t, "the queue is empty", func() bool { return len(states(t, s)) == 0 })
	// A claim and the check of its lease for each job, and the last, vain claim.
	if n := looks.Load(); n > 2*100+10 {
		t.Errorf("%d looks at the clock for 100 jobs", n)
	}
}

func TestJobsThatComeWhileThePoolStopsAreKept(t *testing.T) {
	s := storetest.New(t)
	var runs atomic.Int64
	p := newPool(t, s, 2, func(context.Context, store.Job) error {
		runs.Add(1)
		return nil
	})
	p.opts.Log = discard()
	stop := p.runInTest(t)
	var more sync.WaitGroup
	more.Go(func() { fill(t, s, 500) })
	eventually(t, "some ran", func() bool { return runs.Load() > 20 })
	stop()
	more.Wait()
	if left := states(t, s); left[store.Available]+runs.Load() != 500 || len(left) > 1 {
		t.Errorf("%d ran, left are %v", runs.Load(), left)
	}
}
