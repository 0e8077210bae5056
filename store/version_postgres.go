package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/stdlib"
)

// openServer opens a PostgreSQL database for a short while and looks at the
// server.
func openServer(ctx context.Context, database string) (*sql.DB, error) {
	config, err := postgresConfig(Options{Database: database})
	if err != nil {
		return nil, err
	}
	db := stdlib.OpenDB(*config)
	if _, err := checkServer(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func migratePostgres(ctx context.Context, database string) (err error) {
	db, err := openServer(ctx, database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return postgresMigrator(db).run(ctx)
}

func postgresVersion(ctx context.Context, database string) (v SchemaVersion, err error) {
	db, err := openServer(ctx, database)
	if err != nil {
		return SchemaVersion{}, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return serverVersion(ctx, db)
}

// serverVersion is the version of a PostgreSQL database.
func serverVersion(ctx context.Context, db *sql.DB) (SchemaVersion, error) {
	ours, tables, err := whoseSchema(ctx, db)
	there := 0
	switch {
	case err != nil:
		return SchemaVersion{}, fmt.Errorf("schema version: %w", err)
	case ours:
		there, err = recordedVersion(ctx, db)
	case tables > 0:
		err = ErrForeign
	}
	if err != nil {
		return SchemaVersion{}, err
	}
	return postgresMigrator(nil).newVersion(there)
}
