package jobs

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestWhatCannotFinishInTimeIsGivenBackUncharged(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 2)
	started := make(chan struct{}, 2)
	p := newPool(t, s, 2, func(ctx context.Context, _ store.Job) error {
		started <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	})
	p.opts.Drain = time.Millisecond
	stop := p.runInTest(t)
	<-started
	<-started
	stop()
	wantStates(t, s, map[string]int64{store.Available: 2})
	jobs, err := s.ClaimJobs(t.Context(), []string{store.KindViews}, 2, time.Minute)
	if err != nil || len(jobs) != 2 {
		t.Fatal(jobs, err)
	}
	for _, j := range jobs {
		if j.Attempt != 1 {
			t.Errorf("job %d is at attempt %d", j.ID, j.Attempt)
		}
	}
}

func TestWhatIsDoneAfterTheStopIsWrittenDown(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 2)
	started, finish := make(chan struct{}), make(chan struct{})
	var runs atomic.Int64
	p := newPool(t, s, 1, func(context.Context, store.Job) error {
		runs.Add(1)
		close(started)
		<-finish
		return nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- p.Run(ctx) }()
	<-started
	cancel()
	close(finish)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if runs.Load() != 1 {
		t.Errorf("%d jobs were begun, one of them after the stop", runs.Load())
	}
	wantStates(t, s, map[string]int64{store.Available: 1})
}

func TestAHandlerThatIgnoresTheStopDoesNotHoldIt(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 1)
	started, finish := make(chan struct{}), make(chan struct{})
	p := newPool(t, s, 1, func(context.Context, store.Job) error {
		close(started)
		<-finish
		return nil
	})
	p.opts.Drain = time.Millisecond
	stop := p.runInTest(t)
	<-started
	stop()
	wantStates(t, s, map[string]int64{store.Running: 1})
	close(finish)
	p.running.Wait()
}

func TestALongJobKeepsItsLeaseAlsoWhileThePoolDrains(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 1)
	const lease = 600 * time.Millisecond
	started, finish := make(chan struct{}), make(chan struct{})
	p := newPool(t, s, 1, func(context.Context, store.Job) error {
		close(started)
		<-finish
		return nil
	})
	p.opts.Lease, p.opts.Drain = lease, time.Minute
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- p.Run(ctx) }()
	<-started
	cancel()
	over := time.Now().Add(2 * lease)
	eventually(t, "two leases have passed", func() bool {
		if n, err := s.ReapJobs(t.Context()); n != 0 || err != nil {
			t.Fatalf("%d jobs lost their lease (%v)", n, err)
		}
		return time.Now().After(over)
	})
	close(finish)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	wantStates(t, s, map[string]int64{})
}

func TestAWorkerThatLostItsLeaseChangesNothing(t *testing.T) {
	clock := storetest.NewClock(time.Now())
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	addJobs(t, s, 1)
	p := newPool(t, s, 1, func(context.Context, store.Job) error {
		clock.Advance(time.Minute)
		if n, err := s.ReapJobs(t.Context()); n != 1 || err != nil {
			t.Errorf("reaped %d (%v)", n, err)
		}
		if jobs, err := s.ClaimJobs(t.Context(), []string{store.KindViews}, 1, time.Minute); len(jobs) != 1 || err != nil {
			t.Errorf("claimed %v (%v)", jobs, err)
		}
		return nil
	})
	p.work(t)
	wantStates(t, s, map[string]int64{store.Running: 1})
}

func TestAJobClaimedAgainIsNotRunBesideItself(t *testing.T) {
	clock := storetest.NewClock(time.Now())
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	addJobs(t, s, 1)
	var runs atomic.Int64
	var p *Pool
	p = newPool(t, s, 2, func(context.Context, store.Job) error {
		if runs.Add(1) > 1 {
			return nil
		}
		clock.Advance(time.Minute)
		if n, err := s.ReapJobs(t.Context()); n != 1 || err != nil {
			t.Errorf("reaped %d (%v)", n, err)
		}
		if _, err := p.step(t.Context(), t.Context()); err != nil {
			t.Error(err)
		}
		return nil
	})
	p.work(t)
	if runs.Load() != 1 {
		t.Errorf("it ran %d times", runs.Load())
	}
	wantStates(t, s, map[string]int64{})
}

func TestAResultIsWrittenUntilTheLeaseEnds(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 1)
	p := newPool(t, s, 1, func(context.Context, store.Job) error { return nil })
	job := claimOne(t, s)
	p.hold(job, time.Now().Add(10*time.Second))
	tries := 0
	err := p.write(t.Context(), job.ID, func(ctx context.Context, j store.Job) error {
		if tries++; tries < 4 {
			return context.DeadlineExceeded
		}
		return s.FinishJob(ctx, j)
	})
	if err != nil || tries != 4 {
		t.Errorf("%d tries: %v", tries, err)
	}

	p.hold(job, time.Now().Add(50*time.Millisecond))
	p.held[job.ID].until = time.Now().Add(50 * time.Millisecond)
	err = p.write(t.Context(), job.ID, func(context.Context, store.Job) error { return context.DeadlineExceeded })
	if err == nil {
		t.Error("a result that was never written counts as written")
	}
}

func claimOne(t *testing.T, s *store.Store) store.Job {
	t.Helper()
	jobs, err := s.ClaimJobs(t.Context(), []string{store.KindViews}, 1, time.Minute)
	if err != nil || len(jobs) != 1 {
		t.Fatal(jobs, err)
	}
	return jobs[0]
}
