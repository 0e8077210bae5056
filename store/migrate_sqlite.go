package store

import (
	"context"
	"database/sql"
	"fmt"
)

// applicationID tells our files from those of other programs: "Mada".
const applicationID = 0x4d616461

func (d *sqliteDB) migrate(ctx context.Context) error { return sqliteMigrator(d.db).run(ctx) }

// sqliteMigrator needs no lock: each transaction of the writer locks the file.
func sqliteMigrator(db *sql.DB) migrator {
	return migrator{db: db, dir: "migrations/sqlite", begin: beginSchema}
}

// beginSchema makes a new database one of ours in one step.
func beginSchema(ctx context.Context, db *sql.DB) error {
	t, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = t.Rollback() }()
	_, err = t.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d;
		CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)`, applicationID))
	if err != nil {
		return err
	}
	return t.Commit()
}
