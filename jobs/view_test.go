package jobs

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func newViews(t *testing.T, s *store.Store) *Views {
	t.Helper()
	v, err := NewViews(s, testLog(t))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// runInTest runs the recorder until the returned stop, which returns its error.
func (v *Views) runInTest(t *testing.T) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- v.Run(ctx) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t.Cleanup(func() { _ = stop() })
	return stop
}

func event(post int64, reader int) store.ViewEvent {
	e := store.ViewEvent{Day: 20000, PostID: post}
	copy(e.Viewer[:], fmt.Sprintf("reader %09d", reader))
	return e
}

func TestAThousandReadersWhoReloadCountOnceEach(t *testing.T) {
	s := storetest.New(t)
	post := storetest.Post(t, s, storetest.Member(t, s))
	v := newViews(t, s)
	stop := v.runInTest(t)
	pool, err := NewPool(PoolOptions{
		Name: "views", Store: s, Handlers: ViewHandlers(), Workers: 2, Log: testLog(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	pool.runInTest(t)
	var readers sync.WaitGroup
	for reader := range 1000 {
		readers.Go(func() {
			for range 20 {
				if err := v.Record(event(post, reader))(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	readers.Wait()
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "all batches are counted", func() bool { return viewJobs(t, s) == 0 })
	got, err := s.PostByID(t.Context(), post)
	if err != nil || got.Views != 1000 {
		t.Errorf("%d views (%v), want 1000", got.Views, err)
	}
}

// viewJobs counts the batches that wait or run.
func viewJobs(t *testing.T, s *store.Store) (n int64) {
	t.Helper()
	counts, err := s.JobCounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range counts {
		if c.Kind == store.KindViews {
			n += c.Count
		}
	}
	return n
}

func TestEventsThatWaitTogetherAreOneBatch(t *testing.T) {
	s := storetest.New(t)
	v := newViews(t, s)
	var waits []func(context.Context) error
	for reader := range 500 {
		waits = append(waits, v.Record(event(1, reader)))
	}
	v.runInTest(t)
	for _, wait := range waits {
		if err := wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := viewJobs(t, s); got != 1 {
		t.Errorf("%d batches", got)
	}
}

func TestAFullBatchMakesTheReaderWait(t *testing.T) {
	s := storetest.New(t)
	v := newViews(t, s)
	var waits []func(context.Context) error
	for reader := range largestBatch + 10 {
		waits = append(waits, v.Record(event(1, reader)))
	}
	if got := len(v.open.events); got != largestBatch {
		t.Errorf("the batch holds %d events", got)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := waits[len(waits)-1](gone); !errors.Is(err, context.Canceled) {
		t.Errorf("a reader who left got %v", err)
	}
	v.runInTest(t)
	for _, wait := range waits[:len(waits)-1] {
		if err := wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if got := viewJobs(t, s); got < 2 {
		t.Errorf("%d batches", got)
	}
}

func TestAFailedCommitReachesEverybodyWhoWaits(t *testing.T) {
	s := storetest.New(t)
	v := newViews(t, s)
	var waits []func(context.Context) error
	for reader := range 100 {
		waits = append(waits, v.Record(event(1, reader)))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	v.runInTest(t)
	for _, wait := range waits {
		if err := wait(t.Context()); err == nil || errors.Is(err, context.Canceled) {
			t.Fatalf("a reader got %v", err)
		}
	}
}

func TestTheLastBatchIsFlushedAtTheStop(t *testing.T) {
	s := storetest.New(t)
	v := newViews(t, s)
	wait := v.Record(event(1, 1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := v.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if err := wait(t.Context()); err != nil {
		t.Error(err)
	}
	if got := viewJobs(t, s); got != 1 {
		t.Errorf("%d batches", got)
	}
	if err := v.Record(event(1, 2))(t.Context()); !errors.Is(err, ErrViewsStopped) {
		t.Errorf("after the stop a reader got %v", err)
	}
}

func TestAReaderWaitsNoLongerThanTheContext(t *testing.T) {
	v := newViews(t, storetest.New(t)) // never run
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := v.Record(event(1, 1))(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// With nobody to write them, a batch that has room and a full one.
func TestAReaderWaitsNoLongerThanAPageMay(t *testing.T) {
	s := storetest.New(t)
	synctest.Test(t, func(t *testing.T) {
		v := newViews(t, s)
		var last func(context.Context) error
		for reader := range largestBatch + 1 {
			last = v.Record(event(1, reader))
		}
		for _, wait := range []func(context.Context) error{last, func(ctx context.Context) error {
			return newViews(t, s).Record(event(1, 1))(ctx)
		}} {
			begun := time.Now()
			err := wait(t.Context())
			if took := time.Since(begun); !errors.Is(err, ErrViewLate) || took < commitWithin || took > commitWithin+latenessStep {
				t.Errorf("%v after %v", err, took)
			}
		}
	})
}

func BenchmarkRecord(b *testing.B) {
	s := storetest.New(b)
	v, err := NewViews(s, discard())
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error)
	go func() { ended <- v.Run(ctx) }()
	b.SetParallelism(500)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := v.Record(event(1, 1))(ctx); err != nil {
				b.Error(err)
			}
		}
	})
	cancel()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
}
