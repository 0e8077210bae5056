package store

import (
	"context"
	"errors"
)

// usedPostgres reports whether somebody's key is the key of the database. It
// returns ErrForeign for that of another program.
func usedPostgres(ctx context.Context, database string) (used bool, err error) {
	db, err := openServer(ctx, database)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	version, err := serverVersion(ctx, db)
	if err != nil || version.There == 0 {
		return false, err
	}
	err = db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM settings WHERE name = 'key')`).Scan(&used)
	return used, err
}
