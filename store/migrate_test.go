package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func openForTest(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{Database: path})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closeForTest(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// schema is the DDL of every table and index, by name.
func schema(t *testing.T, db *sql.DB) map[string]string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT name, COALESCE(sql, '') FROM sqlite_master`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	found := map[string]string{}
	for rows.Next() {
		var name, ddl string
		if err := rows.Scan(&name, &ddl); err != nil {
			t.Fatal(err)
		}
		found[name] = ddl
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return found
}

func version(t *testing.T, db *sql.DB) (newest, rows int) {
	t.Helper()
	err := db.QueryRowContext(t.Context(), `SELECT MAX(version), COUNT(*) FROM schema_version`).Scan(&newest, &rows)
	if err != nil {
		t.Fatal(err)
	}
	return newest, rows
}

func migrationSteps(t *testing.T) []string {
	t.Helper()
	steps, err := sqliteMigrator(nil).steps()
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

func TestMigrationsAreNumberedWithoutGaps(t *testing.T) {
	for i, step := range migrationSteps(t) {
		var number int
		if _, err := fmt.Sscanf(filepath.Base(step), "%04d_", &number); err != nil || number != i+1 {
			t.Errorf("%s is at place %d", step, i+1)
		}
	}
}

func TestOpeningTwiceMigratesOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	first := openForTest(t, path)
	want := schema(t, first.readers)
	closeForTest(t, first)
	second := openForTest(t, path)
	defer closeForTest(t, second)
	if diff := cmp.Diff(want, schema(t, second.readers)); diff != "" {
		t.Errorf("schema changed (-first +second):\n%s", diff)
	}
	steps := len(migrationSteps(t))
	if newest, rows := version(t, second.readers); newest != steps || rows != steps {
		t.Errorf("version %d in %d rows, want %d", newest, rows, steps)
	}
}

// migrateHalf takes the first steps only, as a process does that is killed
// after them.
func migrateHalf(t *testing.T, path string, upTo int) {
	t.Helper()
	write, read, err := openFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = errors.Join(write.Close(), read.Close()) }()
	if err := beginSchema(t.Context(), write); err != nil {
		t.Fatal(err)
	}
	steps := migrationSteps(t)
	for number := 1; number <= upTo; number++ {
		if err := sqliteMigrator(write).step(t.Context(), number, steps); err != nil {
			t.Fatal(err)
		}
	}
	// Killed within the next step: its transaction leaves nothing behind.
	if upTo == len(steps) {
		return
	}
	ddl, err := migrations.ReadFile(steps[upTo])
	if err != nil {
		t.Fatal(err)
	}
	tx, err := write.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(t.Context(), string(ddl)); err != nil {
		t.Fatal(err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
}

func TestMigrationGoesOnWhereItWasInterrupted(t *testing.T) {
	whole := openForTest(t, filepath.Join(t.TempDir(), FileName))
	defer closeForTest(t, whole)
	want := schema(t, whole.readers)
	for upTo := range len(migrationSteps(t)) + 1 {
		path := filepath.Join(t.TempDir(), FileName)
		migrateHalf(t, path, upTo)
		s := openForTest(t, path)
		if diff := cmp.Diff(want, schema(t, s.readers)); diff != "" {
			t.Errorf("interrupted after %d (-whole +interrupted):\n%s", upTo, diff)
		}
		closeForTest(t, s)
	}
}

func TestProcessesThatStartAtOnceMigrateOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s, err := Open(context.WithoutCancel(t.Context()), Options{Database: path})
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s := openForTest(t, path)
	defer closeForTest(t, s)
	if _, rows := version(t, s.readers); rows != len(migrationSteps(t)) {
		t.Errorf("%d steps recorded, want %d", rows, len(migrationSteps(t)))
	}
}

func TestNewerSchemaIsRefusedAndLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	s := openForTest(t, path)
	newer := len(migrationSteps(t)) + 1
	err := s.write(t.Context(), func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `INSERT INTO schema_version (version) VALUES ($1)`, newer)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	closeForTest(t, s)
	if s, err := Open(t.Context(), Options{Database: path}); !errors.Is(err, ErrNewerSchema) {
		t.Errorf("opened %v, %v, want a refusal", s, err)
	}
	write, read, err := openFile(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = errors.Join(write.Close(), read.Close()) }()
	if newest, rows := version(t, read); newest != newer || rows != newer {
		t.Errorf("version %d in %d rows after the refusal, want %d", newest, rows, newer)
	}
}

func TestTablesTakeNoValueOfAnotherType(t *testing.T) {
	s := openForTest(t, filepath.Join(t.TempDir(), FileName))
	defer closeForTest(t, s)
	rows, err := s.readers.QueryContext(t.Context(),
		`SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0
		 AND name NOT LIKE 'sqlite_%' AND name <> 'schema_version'`)
	if err != nil {
		t.Fatal(err)
	}
	loose, err := scanStrings(rows)
	if err != nil || len(loose) > 0 {
		t.Errorf("not STRICT: %v, %v", loose, err)
	}
}
