// Package storetest opens throw-away stores on real databases and fills them, for
// the tests of all packages. It imports package store alone.
package storetest

import (
	"crypto/rand"
	"testing"

	"madang/store"
)

// New opens a store on a database of its own, with a key of its own and
// without limits in time. It is closed when the test ends.
func New(t testing.TB) *store.Store {
	t.Helper()
	return Open(t, store.Options{NoLimits: true})
}

// Open opens a store for tests with wishes of their own. Database and Key may
// be left out. It is closed when the test ends.
func Open(t testing.TB, o store.Options) *store.Store {
	t.Helper()
	if o.Database == "" {
		o.Database = Database(t)
	}
	if o.Key == (store.Key{}) {
		_, _ = rand.Read(o.Key[:]) // never fails
	}
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatalf("open store: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close store: %v", err)
		}
	})
	return s
}
