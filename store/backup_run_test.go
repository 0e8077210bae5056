package store_test

import (
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestTheRunsOfTheBackup(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 3, 30, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now})
	first := clock.Now()
	want := func(when string, good, failed time.Time, failure string) {
		t.Helper()
		got, err := s.BackupRuns(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !got.Good.Equal(good) || !got.Failed.Equal(failed) || got.Failure != failure {
			t.Errorf("%s: %+v", when, got)
		}
	}
	run := func(task, slot, result string) {
		t.Helper()
		if _, err := s.ClaimSlot(t.Context(), task, slot); err != nil {
			t.Fatal(err)
		}
		if result == "" {
			return
		}
		if err := s.FinishSlot(t.Context(), task, slot, result); err != nil {
			t.Fatal(err)
		}
	}
	want("before the first", time.Time{}, time.Time{}, "")
	run(store.BackupTask, "2026-05-01", "a.db, 1 MB")
	run("cleanup", "2026-05-01", store.TaskFailed+"of another task")
	want("after a good one", first, time.Time{}, "")
	clock.Advance(24 * time.Hour)
	run(store.BackupTask, "2026-05-02", store.TaskFailed+"the disk is full")
	clock.Advance(24 * time.Hour)
	run(store.BackupTask, "2026-05-03", store.TaskFailed+"the disk is still full")
	want("after two bad ones", first, clock.Now(), "the disk is still full")
	if got, _ := s.BackupRuns(t.Context()); got.Late(clock.Now()) || !got.Late(clock.Now().Add(time.Second)) {
		t.Error("a backup is late after two days")
	}
	clock.Advance(24 * time.Hour)
	run(store.BackupTask, "2026-05-04", "")
	want("while one runs", first, clock.Now().Add(-24*time.Hour), "the disk is still full")
	if err := s.FinishSlot(t.Context(), store.BackupTask, "2026-05-04", "b.db, 1 MB"); err != nil {
		t.Fatal(err)
	}
	want("after a good one again", clock.Now(), time.Time{}, "")
}
