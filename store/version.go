package store

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
)

// SchemaVersion is how far the schema of a database is.
type SchemaVersion struct {
	There   int      // of the database; 0: nothing is there yet
	Newest  int      // that this program knows
	Pending []string // the steps that are missing, the next one first
}

// ReadSchemaVersion looks at a database and changes nothing. A file that does
// not exist is a database in which nothing is yet. It returns ErrForeign for
// the database of another program; a newer one is no error here.
func ReadSchemaVersion(ctx context.Context, database string) (SchemaVersion, error) {
	version, err := readVersion(ctx, database)
	if err != nil {
		return SchemaVersion{}, fmt.Errorf("%s: %w", DatabaseName(database), err)
	}
	return version, nil
}

func readVersion(ctx context.Context, database string) (SchemaVersion, error) {
	if OnServer(database) {
		return postgresVersion(ctx, database)
	}
	return sqliteVersion(ctx, database)
}

// Migrate brings the schema of a database up to date, as Open does, but needs no
// key and leaves none. It returns how far the schema was. It returns ErrForeign
// and ErrNewerSchema before anything is changed.
func Migrate(ctx context.Context, database string) (before SchemaVersion, err error) {
	if before, err = ReadSchemaVersion(ctx, database); err != nil {
		return before, err
	}
	if err := before.refuseNewer(); err != nil {
		return before, fmt.Errorf("%s: %w", DatabaseName(database), err)
	}
	if err := runMigrations(ctx, database); err != nil {
		return before, fmt.Errorf("%s: %w", DatabaseName(database), err)
	}
	return before, nil
}

func runMigrations(ctx context.Context, database string) (err error) {
	if OnServer(database) {
		return migratePostgres(ctx, database)
	}
	write, read, err := openFile(ctx, database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, write.Close(), read.Close()) }()
	return sqliteMigrator(write).run(ctx)
}

// refuseNewer says both numbers when this program is the older of the two.
func (v SchemaVersion) refuseNewer() error {
	if v.There > v.Newest {
		return fmt.Errorf("schema version %d, this program knows %d: %w", v.There, v.Newest, ErrNewerSchema)
	}
	return nil
}

// newVersion puts the number of a database beside the steps there are.
func (m migrator) newVersion(there int) (SchemaVersion, error) {
	steps, err := m.steps()
	if err != nil {
		return SchemaVersion{}, err
	}
	v := SchemaVersion{There: there, Newest: len(steps)}
	for _, step := range steps[min(there, len(steps)):] {
		v.Pending = append(v.Pending, strings.TrimSuffix(path.Base(step), ".sql"))
	}
	return v, nil
}

// recordedVersion is the last step that was taken.
func recordedVersion(ctx context.Context, q querier) (version int, err error) {
	err = q.QueryRowContext(ctx, `SELECT COALESCE(MAX(version), 0) FROM schema_version`).Scan(&version)
	if err != nil {
		return 0, fmt.Errorf("schema version: %w", err)
	}
	return version, nil
}
