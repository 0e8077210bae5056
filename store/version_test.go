package store_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func versionOf(t *testing.T, database string) store.SchemaVersion {
	t.Helper()
	v, err := store.ReadSchemaVersion(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// brandNew is a database in which nothing is, of each kind.
func brandNew(t *testing.T) map[string]string {
	t.Helper()
	return map[string]string{"SQLite": storetest.File(t), "PostgreSQL": storetest.PostgresOnce(t).Blank(t)}
}

func TestMigratingBringsADatabaseUpToDate(t *testing.T) {
	for kind, database := range brandNew(t) {
		t.Run(kind, func(t *testing.T) {
			before := versionOf(t, database)
			if before.There != 0 || len(before.Pending) != before.Newest || before.Pending[0] != "0001_settings" {
				t.Errorf("a new database is at %+v", before)
			}
			told, err := store.Migrate(t.Context(), database)
			if diff := cmp.Diff(before, told); diff != "" || err != nil {
				t.Errorf("it came from (-was +told), %v:\n%s", err, diff)
			}
			want := store.SchemaVersion{There: before.Newest, Newest: before.Newest}
			if diff := cmp.Diff(want, versionOf(t, database)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if rows := storetest.Rows(t, database, `SELECT COUNT(*) FROM settings`); rows[0][0] != "0" {
				t.Error("it left a key, so the database is not empty any more")
			}
			if told, err = store.Migrate(t.Context(), database); told.There != want.There || err != nil {
				t.Errorf("again: %+v, %v", told, err)
			}
		})
	}
}

func TestLookingAtTheVersionChangesNothing(t *testing.T) {
	for kind, database := range brandNew(t) {
		versionOf(t, database)
		if kind == "SQLite" {
			if _, err := os.Stat(database); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("there is a file now: %v", err)
			}
			continue
		}
		if tables := storetest.Rows(t, database, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`); len(tables) > 0 {
			t.Errorf("there are tables now: %v", tables)
		}
	}
}

func TestANewerSchemaIsNotMigrated(t *testing.T) {
	for kind, database := range brandNew(t) {
		t.Run(kind, func(t *testing.T) {
			if _, err := store.Migrate(t.Context(), database); err != nil {
				t.Fatal(err)
			}
			storetest.Rows(t, database, `INSERT INTO schema_version SELECT MAX(version) + 1 FROM schema_version RETURNING version`)
			if v := versionOf(t, database); v.There != v.Newest+1 || len(v.Pending) > 0 {
				t.Errorf("%+v", v)
			}
			_, err := store.Migrate(t.Context(), database)
			if !errors.Is(err, store.ErrNewerSchema) || strings.Contains(err.Error(), storetest.ServerPassword) {
				t.Errorf("got %v", err)
			}
		})
	}
}
