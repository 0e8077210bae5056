package jobs

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"madang/store"
	"madang/store/storetest"
	"madang/views"
)

func newTestFigures(t testing.TB, now func() time.Time) *Figures {
	t.Helper()
	f, err := NewFigures(now)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// near reports whether a figure is what was expected, to a share of it.
func near(got, want, share float64) bool { return math.Abs(got-want) <= share*want+1e-9 }

func TestFiguresNeedAClock(t *testing.T) {
	if _, err := NewFigures(nil); err == nil {
		t.Error("made without a clock")
	}
}

func TestTheQuantilesOfAHistogramAreExactToFivePerCent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logs := rapid.SliceOfN(rapid.Float64Range(math.Log(2e-5), math.Log(500)), 1, 300).Draw(t, "times")
		var h histogram
		times := make([]time.Duration, len(logs))
		for i, l := range logs {
			times[i] = time.Duration(math.Exp(l) * float64(time.Second))
			h.add(times[i])
		}
		slices.Sort(times)
		for _, share := range []float64{.5, .95, 1} {
			want := times[int(math.Ceil(share*float64(len(times))))-1]
			if got := h.quantile(share); !near(float64(got), float64(want), .045) {
				t.Fatalf("the %v quantile is %s, want %s", share, got, want)
			}
		}
	})
}

func TestAHistogramTakesAnyTime(t *testing.T) {
	var h histogram
	if h.quantile(.5) != 0 {
		t.Error("of nothing there is a median")
	}
	for _, d := range []time.Duration{-time.Second, 0, time.Nanosecond} {
		h.add(d)
	}
	if got := h.quantile(1); got != shortestTime {
		t.Errorf("the shortest are %s", got)
	}
	h.add(math.MaxInt64)
	if got := h.quantile(1); got < 8*time.Minute {
		t.Errorf("the longest is %s", got)
	}
}

func TestBusyTimeFallsIntoTheSlotsItWasSpentIn(t *testing.T) {
	clock := storetest.NewClock(time.Unix(1_000_000_000, 0)) // begins a slot
	f := newTestFigures(t, clock.Now)
	f.watch(watchedPool{name: "p", workers: 2, kinds: []string{"k"}})
	r := f.record("k")
	clock.Advance(5 * time.Second)
	r.begin(clock.Now())
	clock.Advance(95 * time.Second) // 100 s after the beginning, the job goes on
	got := f.Pools()[0]
	if got.Busy != 1 || got.Last.Worked != 60*time.Second || got.Last.Lasted != 60*time.Second || got.Hour.Worked != 95*time.Second {
		t.Errorf("while it runs: %d busy, last minute %+v, hour %+v", got.Busy, got.Last, got.Hour)
	}
	r.end(clock.Now(), 95*time.Second, false)
	clock.Advance(5 * time.Minute)
	got = f.Pools()[0]
	if got.Busy != 0 || got.Last.Worked != 0 || got.Hour.Worked != 95*time.Second || got.Hour.Failed != 1 {
		t.Errorf("after it: %+v", got)
	}
	clock.Advance(time.Hour)
	if got = f.Pools()[0]; got.Hour.Failed != 0 || got.Hour.Worked != 0 || got.Hour.Lasted < 59*time.Minute {
		t.Errorf("an hour later the hour is %+v", got.Hour)
	}
}

func TestFiguresStandAClockThatLeaps(t *testing.T) {
	clock := storetest.NewClock(time.Unix(1_000_000_000, 0))
	f := newTestFigures(t, clock.Now)
	f.watch(watchedPool{name: "p", workers: 2, kinds: []string{"k"}})
	r := f.record("k")
	for _, leap := range []time.Duration{time.Second, -24 * time.Hour, 24 * time.Hour, -time.Minute, 400 * 24 * time.Hour} {
		r.begin(clock.Now())
		f.Arrive("k")
		clock.Advance(leap)
		r.end(clock.Now(), leap, true)
		got := f.Pools()[0]
		if got.Busy != 0 || got.Last.Done < 1 || got.Last.Busy() < 0 || got.Last.Busy() > 2 || got.Hour.Worked > 2*time.Hour {
			t.Errorf("after a leap of %s: last minute %+v, hour %+v", leap, got.Last, got.Hour)
		}
	}
}

func TestTheBusiestMinuteIsFoundWhereverItBegan(t *testing.T) {
	clock := storetest.NewClock(time.Unix(1_000_000_000, 0))
	f := newTestFigures(t, clock.Now)
	f.watch(watchedPool{name: "p", workers: 2, kinds: []string{"k"}})
	r := f.record("k")
	work := func(jobs int, every, each time.Duration) {
		for range jobs {
			f.Arrive("k")
			r.begin(clock.Now())
			r.end(clock.Now().Add(each), each, true)
			clock.Advance(every)
		}
	}
	work(100, 10*time.Second, 100*time.Millisecond)
	clock.Advance(35 * time.Second)
	work(240, 250*time.Millisecond, 200*time.Millisecond) // 4 a second for a minute
	work(50, 10*time.Second, 100*time.Millisecond)
	peak := f.Pools()[0].Peak
	if !near(peak.Arrivals(), 4, .2) || peak.Lasted != time.Minute || peak.Needed() != 1 || !near(peak.Asked(), .8, .25) {
		t.Errorf("the peak is %+v: %v arrivals/s, asks for %v", peak, peak.Arrivals(), peak.Asked())
	}
}

// TestAPoolKeepsItsFigures lets a pool of one worker run 200 jobs that arrive
// 10 a second and take 30 ms each, by a clock that the jobs themselves move.
func TestAPoolKeepsItsFigures(t *testing.T) {
	clock := storetest.NewClock(time.Unix(1_000_000_000, 0))
	f := newTestFigures(t, clock.Now)
	s := storetest.Open(t, store.Options{NoLimits: true, Enqueued: f.Arrive})
	const each, every = 30 * time.Millisecond, 100 * time.Millisecond
	ended := make(chan struct{})
	p, err := NewPool(PoolOptions{
		Name: "test", Store: s, Workers: 1, Log: discard(), Poll: time.Hour, Figures: f,
		Handlers: map[string]Handler{store.KindViews: func(context.Context, store.Job) error {
			clock.Advance(each)
			ended <- struct{}{}
			return nil
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	stop := p.runInTest(t)
	for range 200 {
		addJobs(t, s, 1)
		<-ended
		eventually(t, "the worker is free", func() bool { return f.Pools()[0].Busy == 0 })
		clock.Advance(every - each)
	}
	stop()
	for name, load := range map[string]views.Load{"minute": f.Pools()[0].Last, "hour": f.Pools()[0].Hour} {
		if load.Arrived != 200 || load.Done != 200 || load.Failed != 0 || load.Lasted != 20*time.Second {
			t.Errorf("%s: %+v", name, load)
		}
		if load.Arrivals() != 10 || load.Throughput() != 10 || load.Mean() != each || !near(load.Busy(), .3, .001) {
			t.Errorf("%s: %v arrivals/s, %v done/s, %s each, %v busy", name, load.Arrivals(), load.Throughput(), load.Mean(), load.Busy())
		}
		if !near(float64(load.P50), float64(each), .045) || !near(float64(load.P95), float64(each), .045) {
			t.Errorf("%s: p50 %s, p95 %s", name, load.P50, load.P95)
		}
		if load.Needed() != 1 || !near(load.Asked(), .3, .001) || !near(load.Ceiling(1), 33.3, .01) {
			t.Errorf("%s: asks for %v workers, one does %v/s", name, load.Asked(), load.Ceiling(1))
		}
	}
}

func TestAFailedAttemptIsNoThroughput(t *testing.T) {
	clock := storetest.NewClock(time.Now())
	f := newTestFigures(t, clock.Now)
	s := storetest.Open(t, store.Options{NoLimits: true, Enqueued: f.Arrive})
	p := newPool(t, s, 1, func(context.Context, store.Job) error { return errors.New("451 later") })
	p.opts.Figures = f
	p.records = f.watch(watchedPool{name: "test", workers: 1, kinds: p.kinds})
	addJobs(t, s, 1)
	p.work(t)
	clock.Advance(time.Second)
	if got := f.Pools()[0].Last; got.Arrived != 1 || got.Done != 0 || got.Failed != 1 {
		t.Errorf("%+v", got)
	}
}

// BenchmarkPoolFigures measures what a job costs a pool that keeps figures and
// one that does not, and what looking at the figures costs.
func BenchmarkPoolFigures(b *testing.B) {
	for _, name := range []string{"none", "kept"} {
		b.Run(name, func(b *testing.B) {
			var f *Figures
			options := store.Options{NoLimits: true}
			if name == "kept" {
				f = newTestFigures(b, time.Now)
				options.Enqueued = f.Arrive
			}
			s := storetest.Open(b, options)
			fill(b, s, b.N)
			b.ResetTimer()
			drainAll(b, s, f, b.N)
		})
	}
	b.Run("one job", func(b *testing.B) {
		r := newTestFigures(b, time.Now).record("k")
		for b.Loop() {
			now := time.Now()
			r.arrive(now)
			r.begin(now)
			r.end(now, time.Millisecond, true)
		}
	})
	b.Run("a look", func(b *testing.B) {
		f := newTestFigures(b, time.Now)
		f.watch(watchedPool{name: "p", workers: 2, kinds: []string{"a", "b"}})
		for b.Loop() {
			f.Pools()
		}
	})
}

// drainAll lets a pool of two workers run all jobs.
func drainAll(b *testing.B, s *store.Store, f *Figures, jobs int) {
	b.Helper()
	left := jobs
	ended := make(chan struct{}, 64)
	p, err := NewPool(PoolOptions{
		Name: "views", Store: s, Workers: 2, Log: discard(), Figures: f,
		Handlers: map[string]Handler{store.KindViews: func(context.Context, store.Job) error {
			ended <- struct{}{}
			return nil
		}},
	})
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	for ; left > 0; left-- {
		<-ended
	}
	cancel()
	if err := <-done; err != nil {
		b.Fatal(err)
	}
}
