package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func TestWhoWatchesHearsOfLostJobsByKind(t *testing.T) {
	clock := storetest.NewClock(time.Now())
	lost := map[string]int{}
	s := storetest.Open(t, store.Options{Now: clock.Now, Watch: store.Watch{Lost: func(kind string) { lost[kind]++ }}})
	addJobs(t, s, 2, "a", store.Available, clock.Now())
	addJobs(t, s, 1, "b", store.Available, clock.Now())
	claimed(t, s, 3, "a", "b")
	if _, err := s.ReapJobs(t.Context()); err != nil || len(lost) != 0 {
		t.Fatalf("%v lost while their workers live (%v)", lost, err)
	}
	clock.Advance(time.Hour)
	if _, err := s.ReapJobs(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"a": 2, "b": 1}, lost); diff != "" {
		t.Errorf("lost (-want +got):\n%s", diff)
	}
}

func TestTheLastGoodRunOfATaskIsNotOneThatFailed(t *testing.T) {
	clock := storetest.NewClock(time.Now())
	s := storetest.Open(t, store.Options{Now: clock.Now})
	began := clock.Now()
	for _, run := range []struct{ task, slot, result string }{
		{"cleanup", "1", "done"},
		{"cleanup", "2", store.TaskFailed + "disk full"},
		{"backup", "1", store.TaskFailed + "disk full"},
		{"optimize", "1", ""}, // under way
	} {
		if _, err := s.ClaimSlot(t.Context(), run.task, run.slot); err != nil {
			t.Fatal(err)
		}
		if run.result != "" {
			if err := s.FinishSlot(t.Context(), run.task, run.slot, run.result); err != nil {
				t.Fatal(err)
			}
		}
		clock.Advance(time.Minute)
	}
	good, err := s.LastGood(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]time.Time{"cleanup": began.UTC()}, good); diff != "" {
		t.Errorf("last good runs (-want +got):\n%s", diff)
	}
}
