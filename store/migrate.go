package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
)

// ErrNewerSchema says that a newer version of the program wrote the database.
var ErrNewerSchema = errors.New("the database was written by a newer version of madang; use that version or a backup from before")

// migrate brings the schema up to date. Each step is one transaction together
// with its version, so that a step is done or not begun.
func migrate(ctx context.Context, db *sql.DB) error {
	steps, err := fs.Glob(sqliteMigrations, "migrations/sqlite/*.sql")
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	if err := beginSchema(ctx, db); err != nil {
		return fmt.Errorf("schema version: %w", err)
	}
	for number := range steps {
		if err := migrateTo(ctx, db, number+1, steps); err != nil {
			return err
		}
	}
	return nil
}

func migrateTo(ctx context.Context, db *sql.DB, number int, steps []string) error {
	ddl, err := sqliteMigrations.ReadFile(steps[number-1])
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	t, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("migration %d: %w", number, err)
	}
	defer func() { _ = t.Rollback() }()
	// Read within the transaction: another process may have come first.
	var version int
	err = t.QueryRowContext(ctx, `SELECT COALESCE(MAX(version), 0) FROM schema_version`).Scan(&version)
	if err != nil {
		return fmt.Errorf("schema version: %w", err)
	}
	switch {
	case version > len(steps):
		return ErrNewerSchema
	case version >= number:
		return nil
	}
	if _, err := t.ExecContext(ctx, string(ddl)); err != nil {
		return fmt.Errorf("migration %s: %w", steps[number-1], err)
	}
	if _, err := t.ExecContext(ctx, `INSERT INTO schema_version (version) VALUES ($1)`, number); err != nil {
		return fmt.Errorf("schema version %d: %w", number, err)
	}
	if err := t.Commit(); err != nil {
		return fmt.Errorf("migration %d: %w", number, err)
	}
	return nil
}
