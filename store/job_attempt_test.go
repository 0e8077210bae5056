package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// ticking is a store whose clock moves by hand.
func ticking(t *testing.T) (*store.Store, *storetest.Clock) {
	t.Helper()
	clock := storetest.NewClock(time.Now())
	return storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now}), clock
}

func attempts(t *testing.T, s *store.Store, job int64) []store.Attempt {
	t.Helper()
	found, err := s.Attempts(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestTheHistoryOfAJobHoldsEachAttempt(t *testing.T) {
	s, clock := ticking(t)
	storetest.Signup(t, s)
	var want []store.Attempt
	// attempt lets the next one take so many seconds and end in some way.
	attempt := func(seconds int, outcome store.Outcome, words string, end func(store.Job) error) {
		t.Helper()
		j := claimed(t, s, 1, mailKinds()...)[0]
		began := clock.Now()
		clock.Advance(time.Duration(seconds) * time.Second)
		if err := end(j); err != nil {
			t.Fatal(err)
		}
		want = append(want, store.Attempt{
			JobID: j.ID, Number: j.Attempt, Kind: j.Kind, BeganAt: began.UTC(), EndedAt: clock.Now().UTC(), Outcome: outcome, Words: words,
		})
		clock.Advance(time.Hour)
	}
	ctx := t.Context()
	attempt(3, store.OutcomeRetry, "451 later", func(j store.Job) error { return s.RetryJob(ctx, j, clock.Now(), "451 later") })
	attempt(90, store.OutcomeLost, "", func(store.Job) error { _, err := s.ReapJobs(ctx); return err })
	attempt(1, store.OutcomeDead, "550 <b>no</b>", func(j store.Job) error { return s.KillJob(ctx, j, "550 <b>no</b>") })
	if err := s.RetryDead(ctx, want[0].JobID); err != nil {
		t.Fatal(err)
	}
	attempt(2, store.OutcomeObsolete, "over", func(j store.Job) error { return s.SkipJob(ctx, j, "over") })
	if diff := cmp.Diff(want, attempts(t, s, want[0].JobID)); diff != "" {
		t.Error(diff)
	}
	if took := want[1].Took(); took != 90*time.Second {
		t.Errorf("the lost attempt took %s", took)
	}
}

func TestAnAttemptThatWasGivenBackLeavesOneRow(t *testing.T) {
	s, clock := ticking(t)
	storetest.Signup(t, s)
	var job int64
	for range 50 { // probes of an outage
		j := claimed(t, s, 1, mailKinds()...)[0]
		clock.Advance(time.Second)
		if err := s.ReleaseJob(t.Context(), j); err != nil {
			t.Fatal(err)
		}
		job = j.ID
	}
	found := attempts(t, s, job)
	if len(found) != 1 || found[0].Number != 1 || found[0].Outcome != store.OutcomeReleased || !found[0].EndedAt.Equal(clock.Now()) {
		t.Errorf("after 50 probes: %+v", found)
	}
	if err := s.FinishJob(t.Context(), claimed(t, s, 1, mailKinds()...)[0]); err != nil {
		t.Fatal(err)
	}
	if found = attempts(t, s, job); len(found) != 1 || found[0].Outcome != store.OutcomeDone {
		t.Errorf("once it is done: %+v", found)
	}
}

func TestAWorkerThatGoesOnUnderANewLeaseEndsTheNewAttempt(t *testing.T) {
	s, clock := ticking(t)
	storetest.Signup(t, s)
	old := claimed(t, s, 1, mailKinds()...)[0]
	clock.Advance(2 * time.Minute)
	if _, err := s.ReapJobs(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := claimed(t, s, 1, mailKinds()...)[0]
	old.Lease = again.Lease
	if err := s.FinishJob(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	found := attempts(t, s, old.ID)
	if len(found) != 2 || found[0].Outcome != store.OutcomeLost || found[1].Outcome != store.OutcomeDone {
		t.Errorf("the history is %+v", found)
	}
}

func TestALeaseThatWasLostWritesNoHistory(t *testing.T) {
	s := storetest.New(t)
	storetest.Signup(t, s)
	j := claimed(t, s, 1, mailKinds()...)[0]
	j.Lease = "another"
	if err := s.KillJob(t.Context(), j, "late"); err == nil {
		t.Fatal("a stale worker ended the job")
	}
	if found := attempts(t, s, j.ID); len(found) != 0 {
		t.Errorf("and left %+v", found)
	}
}

func TestACountedBatchOfViewsLeavesNoHistoryAndALostOneDoes(t *testing.T) {
	s, clock := ticking(t)
	if err := s.AddViews(t.Context(), []store.ViewEvent{{Day: 1, PostID: 1}}); err != nil {
		t.Fatal(err)
	}
	lost := claimed(t, s, 1, store.KindViews)[0]
	clock.Advance(2 * time.Minute)
	if _, err := s.ReapJobs(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.FinishJob(t.Context(), claimed(t, s, 1, store.KindViews)[0]); err != nil {
		t.Fatal(err)
	}
	if found := attempts(t, s, lost.ID); len(found) != 1 || found[0].Outcome != store.OutcomeLost {
		t.Errorf("the history is %+v", found)
	}
	for since, want := range map[time.Duration]int64{time.Minute: 1, -time.Minute: 0} {
		leases, err := s.LostLeases(t.Context(), clock.Now().Add(-since))
		if err != nil || leases[store.KindViews] != want {
			t.Errorf("lost since %s ago: %v, %v", since, leases, err)
		}
	}
}

func TestHistoryGoesAWeekAfterItsJob(t *testing.T) {
	s, clock := ticking(t)
	_, dead := storetest.DeadMail(t, s, "550 no")
	storetest.Signup(t, s)
	done := claimed(t, s, 1, mailKinds()...)[0]
	if err := s.FinishJob(t.Context(), done); err != nil {
		t.Fatal(err)
	}
	clock.Advance(8 * 24 * time.Hour)
	if _, err := s.Cleanup(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(attempts(t, s, dead)) != 1 || len(attempts(t, s, done.ID)) != 0 {
		t.Errorf("of the dead job %v are left, of the done one %v", attempts(t, s, dead), attempts(t, s, done.ID))
	}
}
