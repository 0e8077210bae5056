package jobs

import (
	"context"
	"slices"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// startWithin is how soon a pool of another process takes up a new job.
const startWithin = 50 * time.Millisecond

// openTwo opens a database on a server twice, as two processes of a site do.
func openTwo(t *testing.T) (one, other *store.Store) {
	t.Helper()
	o := store.Options{Database: storetest.PostgresOnce(t).Database(t), Key: store.Key{1}, NoLimits: true}
	return storetest.Open(t, o), storetest.Open(t, o)
}

// TestAJobStartsInAnotherProcessAtOnce enqueues where no pool is. The pool of
// the other process looks by itself once an hour, so it is woken each time.
func TestAJobStartsInAnotherProcessAtOnce(t *testing.T) {
	here, there := openTwo(t)
	started := make(chan time.Time, 1)
	p := newPool(t, there, 2, func(context.Context, store.Job) error {
		started <- time.Now()
		return nil
	})
	p.runInTest(t)
	var took []time.Duration
	for range 50 {
		begun := time.Now() // before the commit: what is measured is an upper bound
		addJobs(t, here, 1)
		select {
		case at := <-started:
			took = append(took, at.Sub(begun))
		case <-time.After(10 * time.Second):
			t.Fatalf("job %d was not taken up: nobody woke the pool", len(took)+1)
		}
	}
	slices.Sort(took)
	median, longest := took[len(took)/2], took[len(took)-1]
	t.Logf("a job started in the other process %v after its commit began, %v at most", median, longest)
	if median > scale*startWithin || longest > 10*scale*startWithin { // on a machine that does much else
		t.Errorf("the median of %d starts took %v, the longest %v; want %v", len(took), median, longest, startWithin)
	}
}

// TestAJobGivenBackStartsInAnotherProcess lets the pools of two processes give
// a job to each other: what one may not end, the other is told of.
func TestAJobGivenBackStartsInAnotherProcess(t *testing.T) {
	here, there := openTwo(t)
	done := make(chan struct{}, 2)
	p := newPool(t, there, 1, func(context.Context, store.Job) error {
		done <- struct{}{}
		return nil
	})
	addJobs(t, here, 1)
	held, err := here.ClaimJobs(t.Context(), []string{store.KindViews}, 1, time.Minute)
	if err != nil || len(held) != 1 {
		t.Fatalf("claimed %d jobs: %v", len(held), err)
	}
	p.runInTest(t)
	select {
	case <-done:
		t.Fatal("a job that is held was taken")
	case <-time.After(100 * time.Millisecond):
	}
	if err := here.ReleaseJob(t.Context(), held[0]); err != nil {
		t.Fatal(err)
	}
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("a job that was given back was not taken up")
	}
}
