package store

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLostTransactionIsToldToEachOfItsCallers(t *testing.T) {
	w := newTestWriter(t)
	release := w.hold(t)
	before := w.enqueue(t.Context(), t, insert("before"))
	losing := w.enqueue(t.Context(), t, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `ROLLBACK`) // as the database does by itself on an I/O error
		return err
	})
	after := w.enqueue(t.Context(), t, insert("after"))
	release()
	if err := <-before; err == nil {
		t.Error("the neighbour whose work was lost got no error")
	}
	if err := <-losing; err == nil {
		t.Error("the one that lost the transaction got no error")
	}
	if err := <-after; err != nil {
		t.Errorf("the next group: %v", err)
	}
	if diff := cmp.Diff([]string{"after"}, w.items(t)); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
}

func TestFullDatabaseKeepsExactlyWhatItConfirmed(t *testing.T) {
	w := newTestWriter(t)
	if _, err := w.db.ExecContext(t.Context(), `PRAGMA max_page_count = 40`); err != nil {
		t.Fatal(err)
	}
	release := w.hold(t)
	results := map[string]<-chan error{}
	for i := range 30 {
		name := fmt.Sprintf("%02d", i)
		results[name] = w.enqueue(t.Context(), t, func(ctx context.Context, t *tx) error {
			_, err := t.ExecContext(ctx, `INSERT INTO items (name, filling) VALUES ($1, zeroblob(10000))`, name)
			return err
		})
	}
	release()
	confirmed := map[string]bool{}
	refused := 0
	for name, result := range results {
		switch err := <-result; {
		case err == nil:
			confirmed[name] = true
		case isUnavailable(err):
			refused++
		default:
			t.Errorf("%s: %v, want a full database", name, err)
		}
	}
	kept := map[string]bool{}
	for _, name := range w.items(t) {
		kept[name] = true
	}
	if diff := cmp.Diff(confirmed, kept); diff != "" || refused == 0 {
		t.Errorf("%d refused, items (-confirmed +kept):\n%s", refused, diff)
	}
	if _, err := w.db.ExecContext(t.Context(), `PRAGMA max_page_count = 1000`); err != nil {
		t.Fatal(err)
	}
	if err := w.do(t.Context(), insert("healed")); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

func TestCommitThatFailsLeavesTheWriterWhole(t *testing.T) {
	w := newTestWriter(t)
	err := w.do(t.Context(), func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `PRAGMA defer_foreign_keys = ON; INSERT INTO parts (item) VALUES ('none')`)
		return err
	})
	if err == nil {
		t.Error("the commit did not fail")
	}
	if err := w.do(t.Context(), insert("next")); err != nil {
		t.Errorf("the next write: %v", err)
	}
	if diff := cmp.Diff([]string{"next"}, w.items(t)); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
}

func TestWritesAreRefusedWhileAnotherProcessHoldsTheDatabase(t *testing.T) {
	w := newTestWriter(t)
	if _, err := w.db.ExecContext(t.Context(), `PRAGMA busy_timeout = 20`); err != nil {
		t.Fatal(err)
	}
	other, err := openPool(t.Context(), w.path, 1, "_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	release := w.hold(t)
	first := w.enqueue(t.Context(), t, insert("first"))
	release()
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	lock, err := other.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if err := w.do(t.Context(), insert(fmt.Sprint("refused ", i))); !isUnavailable(err) {
				t.Errorf("error %v, want that the database is not to be had", err)
			}
		})
	}
	wg.Wait()
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := w.do(t.Context(), insert("second")); err != nil {
		t.Errorf("after the lock: %v", err)
	}
	if diff := cmp.Diff([]string{"first", "second"}, w.items(t)); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
}
