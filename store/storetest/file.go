package storetest

import (
	"database/sql"
	"net/url"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver of PostgreSQL
	_ "modernc.org/sqlite"             // the driver of SQLite

	"madang/store"
)

// Rows reads rows of a database, each value as text. A file must not be open in
// a store of this process: closing a second connection would take away the
// locks of the first.
func Rows(t testing.TB, database, query string, args ...any) [][]string {
	t.Helper()
	db := openDatabase(t, database)
	defer func() { _ = db.Close() }()
	rows, err := db.QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatalf("read %s: %v", store.DatabaseName(database), err)
	}
	defer func() { _ = rows.Close() }()
	var all [][]string
	for rows.Next() {
		all = append(all, scanRow(t, rows))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("read %s: %v", store.DatabaseName(database), err)
	}
	return all
}

func scanRow(t testing.TB, rows *sql.Rows) []string {
	t.Helper()
	names, err := rows.Columns()
	if err != nil {
		t.Fatalf("columns: %v", err)
	}
	values, places := make([]sql.NullString, len(names)), make([]any, len(names))
	for i := range values {
		places[i] = &values[i]
	}
	if err := rows.Scan(places...); err != nil {
		t.Fatalf("scan: %v", err)
	}
	row := make([]string, len(values))
	for i, v := range values {
		row[i] = v.String
	}
	return row
}

// HoldRows keeps what a statement changes on a PostgreSQL database locked until
// release is called.
func HoldRows(t testing.TB, database, statement string) (release func()) {
	t.Helper()
	db := openDatabase(t, database)
	lock, err := db.BeginTx(t.Context(), nil)
	if err == nil {
		_, err = lock.ExecContext(t.Context(), statement)
	}
	if err != nil {
		t.Fatalf("hold %s: %v", store.DatabaseName(database), err)
	}
	return func() {
		_ = lock.Rollback()
		_ = db.Close()
	}
}

func openDatabase(t testing.TB, database string) *sql.DB {
	t.Helper()
	if !store.OnServer(database) {
		return openFile(t, database)
	}
	db, err := sql.Open("pgx", database)
	if err != nil {
		t.Fatalf("open %s: %v", store.DatabaseName(database), err)
	}
	return db
}

// Hold keeps every other process from writing to a database file until release
// is called. Like Rows it is for files that no store of this process has open.
func Hold(t testing.TB, path string) (release func()) {
	t.Helper()
	db := openFile(t, path)
	lock, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatalf("hold %s: %v", path, err)
	}
	return func() {
		_ = lock.Rollback()
		_ = db.Close()
	}
}

func openFile(t testing.TB, path string) *sql.DB {
	t.Helper()
	address := url.URL{
		Scheme: "file", Path: path,
		RawQuery: url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(10000)"}}.Encode(),
	}
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		t.Fatalf("open %s: %v", path, err)
	}
	return db
}
