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

// OnPostgres reports whether the tests were asked to use PostgreSQL, by
// MADANG_TEST_DATABASE=postgres.
func OnPostgres() bool { return os.Getenv("MADANG_TEST_DATABASE") == "postgres" }

// Database returns the address of a new, empty database of the kind that this
// run of the tests is about. It is gone when the test has ended.
func Database(t testing.TB) string {
	t.Helper()
	if OnPostgres() {
		return Postgres(t).used(t)
	}
	return copyOfFile(t)
}

// File returns the path of a SQLite file that is not there yet, for tests that
// are about it.
func File(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), store.FileName)
}

// SQLiteOnly skips what is about SQLite alone in a run on PostgreSQL: the other
// run has it.
func SQLiteOnly(t testing.TB) {
	t.Helper()
	if OnPostgres() {
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

// used returns the URL of an empty database that is emptied again when the test
// ends, for the next one: that takes a tenth of making it.
func (s *Server) used(t testing.TB) string {
	t.Helper()
	name := s.takeFree()
	if name == "" {
		s.template.Do(func() { s.makeTemplate(t) })
		name = newName()
		s.mustExec(t, "postgres", "CREATE DATABASE "+name+" TEMPLATE "+migrated)
	}
	t.Cleanup(func() {
		if err := s.exec(context.WithoutCancel(t.Context()), name, emptied); err != nil {
			t.Errorf("empty the database: %v", err)
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.free = append(s.free, name)
	})
	return s.URL(name)
}

func (s *Server) takeFree() (name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		name, s.free = s.free[n-1], s.free[:n-1]
	}
	return name
}

// emptied deletes every row and lets every number begin with 1 again. It is
// quicker than TRUNCATE where there is next to nothing.
const emptied = `SET session_replication_role = replica; SET statement_timeout = '20s'; DO $$
DECLARE name TEXT;
BEGIN
	FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_version' LOOP
		EXECUTE 'DELETE FROM ' || quote_ident(name);
	END LOOP;
	FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL LOOP
		EXECUTE 'ALTER SEQUENCE ' || quote_ident(name) || ' RESTART';
	END LOOP;
END $$`

// newName is the name of a database that no other test has.
func newName() string { return "t_" + strings.ToLower(rand.Text()[:12]) }

// Blank returns the URL of a new database without any table, with options of
// CREATE DATABASE.
func (s *Server) Blank(t testing.TB, options ...string) string {
	t.Helper()
	return s.create(t, strings.Join(options, " "))
}

// create makes a database that is dropped when the test ends.
func (s *Server) create(t testing.TB, options string) string {
	t.Helper()
	name := newName()
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
