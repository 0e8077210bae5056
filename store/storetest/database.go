package storetest

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"madang/store"
)

// onPostgres reports whether the tests were asked to use PostgreSQL, by
// MADANG_TEST_DATABASE=postgres.
func onPostgres() bool { return os.Getenv("MADANG_TEST_DATABASE") == "postgres" }

// Database returns the address of a new, empty database of the kind that this
// run of the tests is about. It is gone when the test has ended.
func Database(t testing.TB) string {
	t.Helper()
	if onPostgres() {
		return Postgres(t).Database(t)
	}
	return File(t)
}

// File returns the path of a new SQLite file, for tests that are about it.
func File(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), store.FileName)
}

// SQLiteOnly skips what is about SQLite alone in a run on PostgreSQL: the other
// run has it.
func SQLiteOnly(t testing.TB) {
	t.Helper()
	if onPostgres() {
		t.Skip("about SQLite; it runs without MADANG_TEST_DATABASE")
	}
}

// migrated is the database that new ones are copied from: that is quicker than
// taking every step of the schema again.
const migrated = "migrated"

// Database returns the URL of a new, empty database on the server.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	s.template.Do(func() { s.makeTemplate(t) })
	return s.create(t, "TEMPLATE "+migrated)
}

// Blank returns the URL of a new database without any table, with options of
// CREATE DATABASE.
func (s *Server) Blank(t testing.TB, options ...string) string {
	t.Helper()
	return s.create(t, strings.Join(options, " "))
}

// create makes a database that is dropped when the test ends.
func (s *Server) create(t testing.TB, options string) string {
	t.Helper()
	name := "t_" + strings.ToLower(rand.Text()[:12])
	s.mustExec(t, "postgres", "CREATE DATABASE "+name+" "+options)
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		if err := s.exec(ctx, "postgres", "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Errorf("drop the database: %v", err)
		}
	})
	return s.URL(name)
}

func (s *Server) makeTemplate(t testing.TB) {
	t.Helper()
	s.mustExec(t, "postgres", "CREATE DATABASE "+migrated)
	made, err := store.Open(t.Context(), store.Options{Database: s.URL(migrated)})
	if err != nil {
		t.Fatalf("make the template: %v", err)
	}
	if err := made.Close(); err != nil {
		t.Fatalf("make the template: %v", err)
	}
	s.mustExec(t, migrated, "DELETE FROM settings") // whose key it is
}

func (s *Server) mustExec(t testing.TB, database, statement string) {
	t.Helper()
	if err := s.exec(t.Context(), database, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
