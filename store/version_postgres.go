package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
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

// connectWords cuts what the driver says of a connection that did not come
// about, for each address of the server, down to what is wrong.
func connectWords(err error) error {
	failed, ok := errors.AsType[*pgconn.ConnectError](err)
	if !ok {
		return err
	}
	if refused, ok := errors.AsType[*pgconn.PgError](failed); ok {
		return fmt.Errorf("the server refuses the connection: %w", refused)
	}
	if unknown, ok := errors.AsType[*net.DNSError](failed); ok {
		return fmt.Errorf("the server is not found: %w", unknown)
	}
	if dialed, ok := errors.AsType[*net.OpError](failed); ok {
		return fmt.Errorf("the server does not answer: %w", dialed)
	}
	return fmt.Errorf("the server does not answer: %w", failed)
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
