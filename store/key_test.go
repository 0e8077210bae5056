package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"madang/store"
)

func TestKeyIsMadeOnceAndReadAgain(t *testing.T) {
	dir := t.TempDir()
	first, err := store.LoadKey(t.Context(), dir, filepath.Join(dir, store.FileName), "")
	if err != nil {
		t.Fatal(err)
	}
	again, err := store.LoadKey(t.Context(), dir, filepath.Join(dir, store.FileName), "")
	if err != nil || again != first || first == (store.Key{}) {
		t.Errorf("read back as %x, %v", again, err)
	}
	info, err := os.Stat(filepath.Join(dir, "secret.key"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

func TestSecretReplacesTheFile(t *testing.T) {
	key, err := store.LoadKey(t.Context(), t.TempDir(), "", strings.Repeat("0a", 32)+"\n")
	if err != nil || key[0] != 10 || key[31] != 10 {
		t.Errorf("%x, %v", key, err)
	}
	for _, bad := range []string{"x", strings.Repeat("0a", 31), strings.Repeat("0a", 33), strings.Repeat("0g", 32)} {
		if _, err := store.LoadKey(t.Context(), t.TempDir(), "", bad); !errors.Is(err, store.ErrKeyMalformed) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestAnotherKeyIsRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, store.FileName)
	open := func(key store.Key) error {
		s, err := store.Open(t.Context(), store.Options{Database: path, Key: key})
		if err != nil {
			return err
		}
		return s.Close()
	}
	if err := open(store.Key{1}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the database has mode %v, %v", info.Mode(), err)
	}
	if err := open(store.Key{2}); !errors.Is(err, store.ErrKeyMismatch) {
		t.Errorf("got %v", err)
	}
	if err := open(store.Key{1}); err != nil {
		t.Errorf("the right one afterwards: %v", err)
	}
	if _, err := store.LoadKey(t.Context(), dir, filepath.Join(dir, store.FileName), ""); !errors.Is(err, store.ErrKeyMissing) {
		t.Errorf("a database without its key: %v", err)
	}
}

func TestAnEmptyDatabaseGetsItsKey(t *testing.T) {
	dir, path := t.TempDir(), filepath.Join(t.TempDir(), "board.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	key, err := store.LoadKey(t.Context(), dir, path, "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), store.Options{Database: path, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if again, err := store.LoadKey(t.Context(), dir, path, ""); err != nil || again != key {
		t.Errorf("read back as %x, %v", again, err)
	}
}
