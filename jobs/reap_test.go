package jobs

import (
	"log/slog"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestALeapOfTheClockTakesNoJobFromItsWorker(t *testing.T) {
	clock := storetest.NewClock(time.Now())
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	addJobs(t, s, 1)
	r, err := NewReaper(s, slog.New(slog.DiscardHandler), store.KindViews)
	if err != nil {
		t.Fatal(err)
	}
	r.now = clock.Now
	held, err := s.ClaimJobs(t.Context(), []string{store.KindViews}, 1, 30*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	reap := func() {
		t.Helper()
		if err := r.step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	reap()
	clock.Advance(24 * time.Hour)
	reap()
	wantStates(t, s, map[string]int64{store.Running: 1})
	if err := s.ExtendLeases(t.Context(), held, 30*time.Second); err != nil {
		t.Fatal(err)
	}
	for range 8 {
		clock.Advance(reapEvery)
		reap()
	}
	wantStates(t, s, map[string]int64{store.Available: 1}) // nobody extended it again
}
