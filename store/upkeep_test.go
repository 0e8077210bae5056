package store_test

import (
	"os"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func walSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func TestACheckpointEmptiesTheLog(t *testing.T) {
	path := storetest.File(t)
	s := storetest.Open(t, store.Options{Database: path})
	addJobs(t, s, 3000, "a", store.Available, time.Now())
	if walSize(t, path) == 0 {
		t.Fatal("nothing in the log")
	}
	if left, err := s.Checkpoint(t.Context()); left != 0 || err != nil {
		t.Errorf("%d pages left (%v)", left, err)
	}
	if n := walSize(t, path); n != 0 {
		t.Errorf("%d bytes in the log", n)
	}
}

func TestACheckpointDoesNotWaitForAReader(t *testing.T) {
	path := storetest.File(t)
	s := storetest.Open(t, store.Options{Database: path})
	addJobs(t, s, 1, "a", store.Available, time.Now())
	reader, err := s.Readers().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Rollback() }()
	var n int
	if err := reader.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM jobs`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	addJobs(t, s, 3000, "a", store.Available, time.Now())
	began := time.Now()
	left, err := s.Checkpoint(t.Context())
	if err != nil || left == 0 {
		t.Errorf("%d pages left (%v), though somebody reads", left, err)
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("it took %s", took)
	}
	if err := s.Ready(t.Context()); err != nil {
		t.Errorf("the writer: %v", err)
	}
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	if left, err := s.Checkpoint(t.Context()); left != 0 || err != nil {
		t.Errorf("%d pages left when nobody reads (%v)", left, err)
	}
}

func TestReadersWaitAsLongAsBeforeAfterACheckpoint(t *testing.T) {
	s := storetest.Open(t, store.Options{Database: storetest.File(t)})
	if _, err := s.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	var timeout int
	if err := s.Readers().QueryRowContext(t.Context(), `PRAGMA busy_timeout`).Scan(&timeout); err != nil || timeout != 5000 {
		t.Errorf("busy_timeout is %d (%v)", timeout, err)
	}
}

func TestOptimizingLeavesTheClaimOnItsIndex(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 5000, "a", store.Scheduled, time.Now().Add(time.Hour))
	claimed(t, s, 5, "a", "b")
	for range 2 {
		if err := s.Optimize(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	addJobs(t, s, 5000, "a", store.Available, time.Now())
	if plan := explain(t, s, s.ClaimSQL(2), "token", 2, 1, "a", 5, "b", 5, 5); readsAll(plan, "jobs") {
		t.Errorf("claims by\n%s", plan)
	}
}
