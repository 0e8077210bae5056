package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
)

// ErrNewerSchema says that a newer version of the program wrote the database.
var ErrNewerSchema = errors.New("the database was written by a newer version of madang; use that version or a backup from before")

// The steps of the two databases have the same numbers and names, so that a
// version is the same schema on both.
//
//go:embed migrations/*/*.sql
var migrations embed.FS

// migrator brings the schema of a database up to date.
type migrator struct {
	db  *sql.DB
	dir string // of the steps
	// begin makes a new database one of ours, and refuses that of another program.
	begin func(context.Context, *sql.DB) error
	// lock is what a transaction begins with, so that of processes that start
	// together one takes a step and the others wait for it.
	lock string
}

// run takes the steps that are missing. Each is one transaction together with
// its version, so that a step is done or not begun.
func (m migrator) run(ctx context.Context) error {
	steps, err := m.steps()
	if err != nil {
		return err
	}
	if err := m.begin(ctx, m.db); err != nil {
		return fmt.Errorf("schema version: %w", err)
	}
	for number := range steps {
		if err := m.step(ctx, number+1, steps); err != nil {
			return err
		}
	}
	return nil
}

func (m migrator) steps() ([]string, error) {
	steps, err := fs.Glob(migrations, m.dir+"/*.sql")
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return steps, nil
}

func (m migrator) step(ctx context.Context, number int, steps []string) error {
	ddl, err := migrations.ReadFile(steps[number-1])
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	t, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("migration %d: %w", number, err)
	}
	defer func() { _ = t.Rollback() }()
	// Read within the transaction: another process may have come first.
	version, err := m.version(ctx, t)
	switch {
	case err != nil:
		return err
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

// version is the last step that was taken, once nobody else is taking one.
func (m migrator) version(ctx context.Context, t *sql.Tx) (int, error) {
	if m.lock != "" {
		if _, err := t.ExecContext(ctx, m.lock); err != nil {
			return 0, fmt.Errorf("lock the schema: %w", err)
		}
	}
	return recordedVersion(ctx, t)
}
