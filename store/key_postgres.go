package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

// usedPostgres reports whether somebody's key is the key of the database.
func usedPostgres(ctx context.Context, database string) (used bool, err error) {
	config, err := postgresConfig(Options{Database: database})
	if err != nil {
		return false, err
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	err = conn.QueryRow(ctx, `SELECT to_regclass('settings') IS NOT NULL`).Scan(&used)
	if err != nil || !used {
		return false, err
	}
	err = conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM settings WHERE name = 'key')`).Scan(&used)
	return used, err
}
