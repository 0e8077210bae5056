package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

func sqliteVersion(ctx context.Context, path string) (v SchemaVersion, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return sqliteMigrator(nil).newVersion(0)
	} else if err != nil {
		return SchemaVersion{}, err
	}
	if err := refuseForeign(ctx, path); err != nil {
		return SchemaVersion{}, err
	}
	db, err := openReadOnly(path)
	if err != nil {
		return SchemaVersion{}, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return fileVersion(ctx, db)
}

// fileVersion is the version of a file that is not another program's.
func fileVersion(ctx context.Context, db *sql.DB) (SchemaVersion, error) {
	var there int
	err := db.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_schema WHERE name = 'schema_version'`).Scan(&there)
	if err != nil {
		return SchemaVersion{}, fmt.Errorf("schema version: %w", err)
	}
	if there > 0 {
		if there, err = recordedVersion(ctx, db); err != nil {
			return SchemaVersion{}, err
		}
	}
	return sqliteMigrator(nil).newVersion(there)
}
