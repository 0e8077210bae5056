package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"madang/store/storetest"
)

// newData names a data directory that does not exist yet. In a run of the tests
// on PostgreSQL it comes with a database there, whose address lies beside it.
func newData(t testing.TB) string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	if storetest.OnPostgres() {
		if err := os.WriteFile(besideData(data), []byte(storetest.Database(t)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

func besideData(data string) string { return filepath.Join(filepath.Dir(data), "database") }

// databaseOf is the address of the database that comes with a data directory,
// empty when it is the file in it.
func databaseOf(data string) string {
	address, err := os.ReadFile(besideData(data))
	if err != nil {
		return ""
	}
	return string(address)
}

// withDatabase gives a command the database that comes with its data directory,
// unless it is told of another.
func withDatabase(args []string) []string {
	at := slices.Index(args, "--data")
	if at < 0 || slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--database") }) {
		return args
	}
	if address := databaseOf(args[at+1]); address != "" {
		return append(slices.Clone(args), "--database", address)
	}
	return args
}
