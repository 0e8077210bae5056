package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// testWriter is a writer on a file with one table, and eyes on that file.
type testWriter struct {
	*writer
	read *sql.DB
	path string
}

func newTestWriter(t *testing.T) *testWriter {
	t.Helper()
	path := filepath.Join(t.TempDir(), "w.db")
	write, read, err := openFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = write.ExecContext(t.Context(), `
		CREATE TABLE items (name TEXT PRIMARY KEY, filling BLOB) STRICT;
		CREATE TABLE parts (item TEXT REFERENCES items (name)) STRICT`)
	if err != nil {
		t.Fatal(err)
	}
	w := &testWriter{writer: newWriter(write, newBells(), Watch{}), read: read, path: path}
	t.Cleanup(func() {
		if err := errors.Join(w.close(), read.Close()); err != nil {
			t.Error(err)
		}
	})
	return w
}

// insert is a write function that adds an item.
func insert(name string) func(context.Context, *tx) error {
	return func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `INSERT INTO items (name) VALUES ($1)`, name)
		return err
	}
}

func (w *testWriter) items(t *testing.T) []string {
	t.Helper()
	rows, err := w.read.QueryContext(context.WithoutCancel(t.Context()), `SELECT name FROM items ORDER BY name`)
	if err != nil {
		t.Fatal(err)
	}
	names, err := scanStrings(rows)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// hold keeps the writer busy until release is called; what is queued
// meanwhile joins the transaction of the function that holds it.
func (w *testWriter) hold(t *testing.T) (release func()) {
	t.Helper()
	held, let, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- w.do(context.WithoutCancel(t.Context()), func(context.Context, *tx) error {
			close(held)
			<-let
			return nil
		})
	}()
	<-held
	return func() {
		t.Helper()
		close(let)
		<-ended // with the fate of its group
	}
}

// enqueue starts a write and returns once it stands in the queue.
func (w *testWriter) enqueue(ctx context.Context, t *testing.T, fn func(context.Context, *tx) error) <-chan error {
	t.Helper()
	before := len(w.queue)
	result := make(chan error, 1)
	go func() { result <- w.do(ctx, fn) }()
	until(t, func() bool { return len(w.queue) == before+1 })
	return result
}

// until waits for something that is about to happen.
func until(t *testing.T, happened func() bool) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	deadline := time.After(10 * time.Second)
	for !happened() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("did not happen in ten seconds")
		}
	}
}

func TestWritesOfManyCallersAreAllKept(t *testing.T) {
	w := newTestWriter(t)
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			for j := range 20 {
				if err := w.do(t.Context(), insert(fmt.Sprint(i, " ", j))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := len(w.items(t)); n != 1000 {
		t.Errorf("%d items, want 1000", n)
	}
}

func TestWritesThatWaitShareOneTransaction(t *testing.T) {
	w := newTestWriter(t)
	release := w.hold(t)
	var seen [3]*sql.Tx
	var results []<-chan error
	for i := range seen {
		results = append(results, w.enqueue(t.Context(), t, func(_ context.Context, own *tx) error {
			seen[i] = own.Tx
			return nil
		}))
	}
	release()
	for _, result := range results {
		if err := <-result; err != nil {
			t.Error(err)
		}
	}
	if seen[0] == nil || seen[0] != seen[1] || seen[1] != seen[2] {
		t.Errorf("transactions %p %p %p, want one", seen[0], seen[1], seen[2])
	}
}

func TestOneWriteThatFailsHarmsNoOther(t *testing.T) {
	errOwn := errors.New("own fault")
	for name, c := range map[string]struct {
		fail func(context.Context, *tx) error
		want string
	}{
		"returns an error": {func(ctx context.Context, t *tx) error {
			return errors.Join(insert("half")(ctx, t), errOwn)
		}, "own fault"},
		"panics": {func(ctx context.Context, t *tx) error {
			_ = insert("half")(ctx, t)
			panic("boom")
		}, "panic in a write: boom"},
		"breaks a constraint": {func(ctx context.Context, t *tx) error {
			return errors.Join(insert("half")(ctx, t), insert("before")(ctx, t))
		}, "UNIQUE"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newTestWriter(t)
			release := w.hold(t)
			before := w.enqueue(t.Context(), t, insert("before"))
			failing := w.enqueue(t.Context(), t, c.fail)
			after := w.enqueue(t.Context(), t, insert("after"))
			release()
			if err := errors.Join(<-before, <-after); err != nil {
				t.Errorf("a neighbour failed: %v", err)
			}
			if err := <-failing; err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if diff := cmp.Diff([]string{"after", "before"}, w.items(t)); diff != "" {
				t.Errorf("items (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWriteTakenBackBeforeItsTurnIsNotRun(t *testing.T) {
	w := newTestWriter(t)
	release := w.hold(t)
	ctx, cancel := context.WithCancel(t.Context())
	taken := w.enqueue(ctx, t, insert("taken back"))
	kept := w.enqueue(t.Context(), t, insert("kept"))
	cancel()
	if err := <-taken; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want cancelled", err)
	}
	release()
	if err := <-kept; err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"kept"}, w.items(t)); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
}

func TestCallerWhoLeavesDuringTheWriteHearsItsFate(t *testing.T) {
	w := newTestWriter(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := w.do(ctx, func(ctx context.Context, t *tx) error {
		cancel()
		return errors.Join(insert("item")(ctx, t), ctx.Err())
	})
	if err != nil {
		t.Errorf("error %v of a write that was committed", err)
	}
	if diff := cmp.Diff([]string{"item"}, w.items(t)); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
}

func TestCloseCommitsWhatWasQueued(t *testing.T) {
	w := newTestWriter(t)
	release := w.hold(t)
	queued := []<-chan error{w.enqueue(t.Context(), t, insert("a")), w.enqueue(t.Context(), t, insert("b"))}
	closed := make(chan error, 1)
	go func() { closed <- w.close() }()
	<-w.closed
	release()
	for _, result := range queued {
		if err := <-result; err != nil {
			t.Error(err)
		}
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"a", "b"}, w.items(t)); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
	for range 100 { // whichever way the caller meets the closed writer
		if err := w.do(t.Context(), insert("late")); !errors.Is(err, errClosed) {
			t.Fatalf("after the close: %v", err)
		}
	}
}

func TestPoolsAreWokenByCommitsOnly(t *testing.T) {
	w := newTestWriter(t)
	ring := func(err error) func(context.Context, *tx) error {
		return func(_ context.Context, t *tx) error {
			t.ring("kind")
			return err
		}
	}
	if err := w.do(t.Context(), ring(errors.New("no"))); err == nil {
		t.Fatal("no error")
	}
	select {
	case <-w.bells.of("kind"):
		t.Error("woken by a write that failed")
	default:
	}
	for range 3 {
		if err := w.do(t.Context(), ring(nil)); err != nil {
			t.Fatal(err)
		}
	}
	<-w.bells.of("kind")
	select {
	case <-w.bells.of("kind"):
		t.Error("one bell rang twice before it was heard")
	default:
	}
}

// Whoever has left before asking writes nothing, not even when the writer is
// free at that moment.
func TestWhoHasLeftAlreadyWritesNothing(t *testing.T) {
	w := newTestWriter(t)
	gone, leave := context.WithCancel(t.Context())
	leave()
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			for range 500 {
				err := w.do(gone, func(context.Context, *tx) error {
					t.Error("it was written")
					return nil
				})
				if !errors.Is(err, context.Canceled) {
					t.Errorf("answered %v", err)
				}
			}
		})
	}
	all.Wait()
}
