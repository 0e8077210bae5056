package main

import (
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

// filesIn are the names in a directory.
func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func fileSum(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func testLogger(t *testing.T) *slog.Logger {
	t.Helper()
	return slog.New(slog.NewTextHandler(t.Output(), nil))
}

// servedOnce lets a board run until it is ready, and stops it.
func servedOnce(t *testing.T, data string, args ...string) {
	t.Helper()
	if err := startBoard(t, data, args...).halt(); err != nil {
		t.Fatal(err)
	}
}

// olderBoard makes a board as an earlier version of the program left it.
func olderBoard(t *testing.T, data string, version int) {
	t.Helper()
	s := storage{Data: directory(data)}
	if err := s.makeDirectory(); err != nil {
		t.Fatal(err)
	}
	if _, err := store.LoadKey(t.Context(), data, s.address(), ""); err != nil {
		t.Fatal(err)
	}
	steps, err := filepath.Glob("../../store/migrations/sqlite/*.sql")
	if err != nil || len(steps) < version {
		t.Fatalf("%d steps: %v", len(steps), err)
	}
	storetest.Rows(t, s.address(), `PRAGMA application_id = 1298228321`)
	storetest.Rows(t, s.address(), `CREATE TABLE schema_version (version INTEGER NOT NULL)`)
	for i, step := range steps[:version] {
		ddl, err := os.ReadFile(step)
		if err != nil {
			t.Fatal(err)
		}
		storetest.Rows(t, s.address(), string(ddl))
		storetest.Rows(t, s.address(), `INSERT INTO schema_version (version) VALUES ($1) RETURNING 1`, i+1)
	}
}
