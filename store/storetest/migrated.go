package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"madang/store"
)

// migratedFile is a SQLite file with the schema of today and nothing in it. New
// ones are copied from it: to take every step of the schema again was more than
// half of what most tests do.
var migratedFile = sync.OnceValues(makeMigratedFile)

// copyOfFile returns the path of an empty SQLite file with the schema of today.
func copyOfFile(t testing.TB) string {
	t.Helper()
	content, err := migratedFile()
	if err != nil {
		t.Fatalf("make the file that others are copied from: %v", err)
	}
	path := File(t)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func makeMigratedFile() (content []byte, err error) {
	dir, err := os.MkdirTemp("", "madang-migrated-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, store.FileName)
	made, err := store.Open(context.Background(), store.Options{Database: path})
	if err != nil {
		return nil, err
	}
	if err := made.Close(); err != nil {
		return nil, err
	}
	if err := forgetKey(path); err != nil {
		return nil, fmt.Errorf("forget whose key it is: %w", err)
	}
	return os.ReadFile(path) //nolint:gosec // the one made above
}

// forgetKey makes the file nobody's. Closing it empties its log.
func forgetKey(path string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(context.Background(), "DELETE FROM settings")
	return errors.Join(err, db.Close())
}
