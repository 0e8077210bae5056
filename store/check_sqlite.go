package store

import (
	"context"
	"database/sql"
)

// snapshot begins a transaction: a reader of SQLite sees what was committed
// when it first read.
func (d *sqliteDB) snapshot(ctx context.Context) (*sql.Tx, error) { return d.read.BeginTx(ctx, nil) }

// check asks SQLite whether its file is sound and every reference leads
// somewhere.
func (d *sqliteDB) check(ctx context.Context, t *sql.Tx) ([]string, error) {
	return fileFaults(ctx, t)
}

func fileFaults(ctx context.Context, t *sql.Tx) ([]string, error) {
	lines, err := readLines(ctx, t, `SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'`)
	if err != nil {
		return nil, err
	}
	astray, err := readLines(ctx, t, `SELECT "table" || ' to ' || parent FROM pragma_foreign_key_check`)
	if err != nil {
		return nil, err
	}
	for _, reference := range astray {
		lines = append(lines, "a reference leads nowhere: "+reference)
	}
	return lines, nil
}

// readLines reads the one column of all rows.
func readLines(ctx context.Context, t *sql.Tx, query string) ([]string, error) {
	rows, err := t.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return scanStrings(rows)
}
