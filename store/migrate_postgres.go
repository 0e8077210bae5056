package store

import (
	"context"
	"database/sql"
	"fmt"
)

// schemaMark is the comment on schema_version that tells our databases from
// those of other programs.
const schemaMark = "schema of madang"

// schemaLock is the lock of those who change the schema. They wait as long as
// it takes: an index on a large table takes its time.
var schemaLock = fmt.Sprintf(`SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0;
	SELECT pg_advisory_xact_lock(%d)`, advisoryKey([]byte("schema")))

func (p *postgres) migrate(ctx context.Context) error {
	return postgresMigrator(p.write).run(ctx)
}

func postgresMigrator(db *sql.DB) migrator {
	return migrator{db: db, dir: "migrations/postgres", begin: beginPostgres, lock: schemaLock}
}

// beginPostgres makes a new database one of ours in one step, under the lock:
// CREATE TABLE IF NOT EXISTS alone can fail beside another.
func beginPostgres(ctx context.Context, db *sql.DB) error {
	t, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = t.Rollback() }()
	if _, err := t.ExecContext(ctx, schemaLock); err != nil {
		return err
	}
	ours, tables, err := whoseSchema(ctx, t)
	switch {
	case err != nil:
		return err
	case ours:
		return nil
	case tables > 0:
		return ErrForeign
	}
	_, err = t.ExecContext(ctx, `CREATE TABLE schema_version (version INTEGER NOT NULL);
		COMMENT ON TABLE schema_version IS '`+schemaMark+`'`)
	if err != nil {
		return err
	}
	return t.Commit()
}

// whoseSchema reports whether the schema is one of ours, and how many tables
// there are.
func whoseSchema(ctx context.Context, q querier) (ours bool, tables int64, err error) {
	err = q.QueryRowContext(ctx, `SELECT
		COALESCE(obj_description(to_regclass(quote_ident(current_schema()) || '.schema_version'), 'pg_class') = $1, false),
		(SELECT COUNT(*) FROM pg_tables WHERE schemaname = current_schema())`, schemaMark).Scan(&ours, &tables)
	return ours, tables, err
}
