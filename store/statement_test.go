package store

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
)

// statements opens a pool of one connection and returns what looks at the
// statements it keeps.
func statements(t *testing.T) (*sql.DB, func() map[string]*statement) {
	t.Helper()
	db, err := openPool(t.Context(), filepath.Join(t.TempDir(), "s.db"), 1, "_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	run(t, db, `CREATE TABLE items (n INTEGER) STRICT`)
	return db, func() (kept map[string]*statement) {
		one, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = one.Close() }()
		_ = one.Raw(func(c any) error {
			kept = c.(*conn).kept
			return nil
		})
		return kept
	}
}

func run(t *testing.T, db *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

func TestStatementIsPreparedOnce(t *testing.T) {
	db, kept := statements(t)
	const insert, pick = `INSERT INTO items (n) VALUES ($1)`, `SELECT n FROM items WHERE n = $1`
	for i := range 10 {
		run(t, db, insert, i)
		var n int
		if err := db.QueryRowContext(t.Context(), pick, i).Scan(&n); err != nil || n != i {
			t.Fatalf("read %d, %v; want %d", n, err, i)
		}
	}
	first := kept()[insert]
	run(t, db, insert, 10)
	if first == nil || kept()[insert] != first || kept()[pick] == nil {
		t.Errorf("kept %v", kept())
	}
	for query := range kept() {
		if query != insert && query != pick {
			t.Errorf("%q is kept", query)
		}
	}
}

func TestStatementsOfAConnectionAreBounded(t *testing.T) {
	db, kept := statements(t)
	for i := range 2 * statementsKept {
		run(t, db, fmt.Sprintf(`INSERT INTO items (n) VALUES (%d)`, i))
	}
	if n := len(kept()); n != statementsKept {
		t.Errorf("%d statements are kept, want %d", n, statementsKept)
	}
}

// A statement has one set of rows; running it again would take them away.
func TestStatementRunsAgainWhileItsRowsAreRead(t *testing.T) {
	db, _ := statements(t)
	run(t, db, `INSERT INTO items (n) VALUES (1), (2), (3)`)
	transaction, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = transaction.Rollback() }()
	const all = `SELECT n FROM items ORDER BY n`
	pairs := 0
	outer, err := transaction.QueryContext(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = outer.Close() }()
	for outer.Next() {
		inner, err := transaction.QueryContext(t.Context(), all)
		if err != nil {
			t.Fatal(err)
		}
		numbers, err := scanStrings(inner)
		if err != nil {
			t.Fatal(err)
		}
		pairs += len(numbers)
	}
	if err := outer.Err(); err != nil || pairs != 9 {
		t.Errorf("%d pairs, %v; want 9", pairs, err)
	}
}

func TestStatementSurvivesAFailureAndAChangeOfTheSchema(t *testing.T) {
	db, _ := statements(t)
	run(t, db, `CREATE UNIQUE INDEX one ON items (n)`)
	const insert = `INSERT INTO items (n) VALUES ($1)`
	run(t, db, insert, 1)
	if _, err := db.ExecContext(t.Context(), insert, 1); err == nil {
		t.Error("a duplicate was taken")
	}
	run(t, db, insert, 2)
	run(t, db, `ALTER TABLE items ADD COLUMN more TEXT`)
	run(t, db, `DROP INDEX one`)
	run(t, db, insert, 2)
	var rows int
	if err := db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM items`).Scan(&rows); err != nil || rows != 3 {
		t.Errorf("%d rows, %v; want 3", rows, err)
	}
}

// A broken connection is given up: the next one starts without statements and
// makes its own.
func TestStatementsGoWithTheirConnection(t *testing.T) {
	db, kept := statements(t)
	const pick = `SELECT COUNT(*) FROM items`
	var n int
	if err := db.QueryRowContext(t.Context(), pick).Scan(&n); err != nil {
		t.Fatal(err)
	}
	before := kept()[pick]
	one, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_ = one.Raw(func(any) error { return driver.ErrBadConn })
	if err := one.Close(); err != nil && !errors.Is(err, sql.ErrConnDone) {
		t.Fatal(err)
	}
	if err := db.QueryRowContext(t.Context(), pick).Scan(&n); err != nil {
		t.Fatal(err)
	}
	if after := kept()[pick]; before == nil || after == nil || after == before {
		t.Errorf("statement %p after %p", after, before)
	}
}
