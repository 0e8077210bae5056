package store

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestWhoWatchesHearsHowLongAPasswordWaited(t *testing.T) {
	type heard struct{ waited, free bool }
	var all []heard
	h := newHasher(1, Watch{Hashing: func(waited time.Duration, free bool) { all = append(all, heard{waited > 0, free}) }})
	h.wait = time.Millisecond
	ctx := t.Context()
	if err := h.enter(ctx); err != nil {
		t.Fatal(err)
	}
	var busy *BusyError
	if err := h.enter(ctx); !errors.As(err, &busy) {
		t.Fatalf("a second password: %v", err)
	}
	h.wait = time.Minute
	entered := make(chan error, 1)
	go func() { entered <- h.enter(ctx) }()
	for h.waiting.Load() == 0 {
		runtime.Gosched()
	}
	h.leave()
	if err := <-entered; err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]heard{{false, true}, {true, false}, {true, true}}, all, cmp.AllowUnexported(heard{})); diff != "" {
		t.Errorf("heard (-want +got):\n%s", diff)
	}
	if n := h.waiting.Load(); n != 0 {
		t.Errorf("%d wait in the end", n)
	}
}

func TestWhoWatchesHearsOfCommitsAndNotOfWhatFailed(t *testing.T) {
	w := newTestWriter(t)
	var groups []int
	w.watch = Watch{Committed: func(_ time.Duration, writes int) { groups = append(groups, writes) }}
	release := w.hold(t)
	one, two := w.enqueue(t.Context(), t, insert("one")), w.enqueue(t.Context(), t, insert("two"))
	release()
	if err := errors.Join(<-one, <-two); err != nil {
		t.Fatal(err)
	}
	release = w.hold(t)
	losing := w.enqueue(t.Context(), t, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `ROLLBACK`)
		return err
	})
	release()
	if err := <-losing; err == nil {
		t.Fatal("nothing was lost")
	}
	// The two, and the one that held them.
	if diff := cmp.Diff([]int{3}, groups); diff != "" {
		t.Errorf("writes of each commit (-want +got):\n%s", diff)
	}
}

func TestWhoWatchesHearsOfADatabaseThatTakesNoWrites(t *testing.T) {
	path := t.TempDir() + "/madang.db"
	var busy atomic.Int64
	s, err := Open(t.Context(), Options{Database: path, Watch: Watch{Busy: func() { busy.Add(1) }}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Ready(t.Context()); err != nil || busy.Load() != 0 {
		t.Fatalf("%v, %d busy", err, busy.Load())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Ready(t.Context()); err == nil || busy.Load() != 1 {
		t.Errorf("closed: %v, %d busy", err, busy.Load())
	}
}
