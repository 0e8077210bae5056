package main

import (
	"context"
	"encoding/binary"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"madang/store"
)

// TestDrainOfManyViewsStaysSmall leaves events of as many readers in the
// outbox, starts the pool, and watches what that takes on disk and in memory.
// With the build tag soak it is a million of them.
func TestDrainOfManyViewsStaysSmall(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	db, err := newThrowaway(t.Context(), kind{}, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	post, err := db.post(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	before := residentMemory(t, os.Getpid())
	leaveViews(t, db.Store, post, drainEvents)
	counting, err := newCounting(db.Store, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	begun := time.Now()
	ended := counting.start(ctx)
	var memory, wal int64
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for views := int64(0); views < drainEvents; <-tick.C {
		memory, wal = max(memory, residentMemory(t, os.Getpid())-before), max(wal, walSize(t, db.address))
		p, err := db.PostByID(t.Context(), post)
		if err != nil {
			t.Fatal(err)
		}
		views = p.Views
	}
	took := time.Since(begun)
	sums, err := db.ViewSums(t.Context())
	if err != nil || sums != (store.ViewSums{Posts: drainEvents, Days: drainEvents, Viewers: drainEvents}) {
		t.Errorf("sums %+v, %v; want %d", sums, err, drainEvents)
	}
	t.Logf("%d events of as many readers in %s: WAL up to %d MB, memory %d MB more than before",
		drainEvents, took.Round(time.Millisecond), wal>>20, memory>>20)
	if wal > 64<<20 || memory > 100<<20 {
		t.Errorf("WAL %d bytes, memory %d bytes more", wal, memory)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// leaveViews writes batches that nobody counts yet.
func leaveViews(t *testing.T, db *store.Store, post int64, n int) {
	t.Helper()
	const batch = 1000
	for start := 0; start < n; start += batch {
		events := make([]store.ViewEvent, min(batch, n-start))
		for i := range events {
			events[i] = store.ViewEvent{Day: 20_000, PostID: post}
			binary.LittleEndian.PutUint64(events[i].Viewer[:], uint64(start+i+1)*0x9e3779b97f4a7c15) // scattered as hashes are
		}
		if err := db.AddViews(t.Context(), events); err != nil {
			t.Fatal(err)
		}
	}
}

func walSize(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// residentMemory is the memory of a process in bytes, 0 where the system does not
// tell it.
func residentMemory(t *testing.T, pid int) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
