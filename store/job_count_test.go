package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func TestJobsAreCountedByKindAndState(t *testing.T) {
	s, clock := ticking(t)
	addJobs(t, s, 3, store.KindViews, store.Available, clock.Now())
	addJobs(t, s, 2, store.KindAccountMail, store.Scheduled, clock.Now())
	storetest.DeadMail(t, s, "550 no")
	claimed(t, s, 1, store.KindViews)
	counts, err := s.JobCounts(t.Context())
	want := []store.JobCount{
		{Kind: store.KindAccountMail, State: store.Scheduled, Count: 2},
		{Kind: store.KindVerifyMail, State: store.Dead, Count: 1},
		{Kind: store.KindViews, State: store.Available, Count: 2},
		{Kind: store.KindViews, State: store.Running, Count: 1},
	}
	if diff := cmp.Diff(want, counts); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

func TestTheAgeOfAKindIsThatOfItsOldestDueJob(t *testing.T) {
	s, clock := ticking(t)
	begin := clock.Now()
	oldest := func(kind string, want time.Time) {
		t.Helper()
		if got, err := s.OldestDue(t.Context(), kind); err != nil || !got.Equal(want) {
			t.Errorf("%s: %s, want %s: %v", kind, got, want, err)
		}
	}
	oldest(store.KindViews, time.Time{})
	addJobs(t, s, 1, store.KindVerifyMail, store.Scheduled, begin.Add(time.Minute)) // not due yet
	addJobs(t, s, 1, store.KindViews, store.Available, begin)
	addJobs(t, s, 1, store.KindViews, store.Available, begin.Add(-time.Minute)) // behind a younger one
	oldest(store.KindVerifyMail, time.Time{})
	oldest(store.KindViews, begin.Add(-time.Minute))
	clock.Advance(time.Hour) // due, though no worker has looked
	oldest(store.KindVerifyMail, begin.Add(time.Minute))
}
