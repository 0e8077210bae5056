package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// CopyTarget is the empty PostgreSQL database that a board is copied into.
type CopyTarget struct{ db *sql.DB }

// OpenCopyTarget opens a database that is new or holds empty tables of ours. It
// returns ErrTargetUsed for one with rows in it, ErrForeign for that of another
// program, ErrNewerSchema for that of a newer version, and changes nothing.
// Close it after use.
func OpenCopyTarget(ctx context.Context, database string) (*CopyTarget, error) {
	t, err := openCopyTarget(ctx, database)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", DatabaseName(database), err)
	}
	return t, nil
}

func openCopyTarget(ctx context.Context, database string) (*CopyTarget, error) {
	db, err := openServer(ctx, database)
	if err != nil {
		return nil, err
	}
	if err := refuseUsed(ctx, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &CopyTarget{db}, nil
}

// refuseUsed looks at a target without changing it.
func refuseUsed(ctx context.Context, db *sql.DB) error {
	version, err := serverVersion(ctx, db)
	if err != nil {
		return err
	}
	if err := version.refuseNewer(); err != nil {
		return err
	}
	tables, err := targetTables(ctx, db)
	if err != nil {
		return err
	}
	return refuseRows(ctx, db, tables)
}

// refuseRows names the tables that hold something.
func refuseRows(ctx context.Context, q querier, tables []copyTable) error {
	var used []string
	for _, t := range tables {
		var rows bool
		err := q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM "`+t.name+`")`).Scan(&rows)
		if err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
		if rows {
			used = append(used, t.name)
		}
	}
	if len(used) > 0 {
		return fmt.Errorf("%w; there are rows in %s", ErrTargetUsed, strings.Join(used, ", "))
	}
	return nil
}

// Close closes the connections.
func (t *CopyTarget) Close() error { return t.db.Close() }

// targetTx is the one transaction in which everything arrives.
type targetTx struct {
	conn   *sql.Conn
	tx     *sql.Tx
	tables []copyTable // each after those it refers to
}

// begin keeps everybody else out: who starts to serve the target waits until
// the board is there, and then finds whose key it is.
func (t *CopyTarget) begin(ctx context.Context) (_ *targetTx, err error) {
	conn, err := t.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	begun := &targetTx{conn: conn, tx: tx}
	if err := begun.prepare(ctx); err != nil {
		begun.close()
		return nil, err
	}
	return begun, nil
}

func (t *targetTx) prepare(ctx context.Context) (err error) {
	// A table may take hours; the locks of others still end the wait.
	_, err = t.tx.ExecContext(ctx, schemaLock+`; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = `+inMillis(writeTimeout))
	if err != nil {
		return fmt.Errorf("lock the schema: %w", err)
	}
	version, err := recordedVersion(ctx, t.tx)
	if err != nil {
		return err
	}
	if steps, err := postgresMigrator(nil).steps(); err != nil || version != len(steps) {
		return errors.Join(err, ErrNewerSchema)
	}
	if t.tables, err = targetTables(ctx, t.tx); err != nil {
		return err
	}
	if _, err := t.tx.ExecContext(ctx, `LOCK TABLE `+tableNames(t.tables)+` IN EXCLUSIVE MODE`); err != nil {
		return fmt.Errorf("lock the tables: %w", err)
	}
	return refuseRows(ctx, t.tx, t.tables)
}

func tableNames(tables []copyTable) string {
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = `"` + t.name + `"`
	}
	return strings.Join(names, ", ")
}

func (t *targetTx) close() {
	rollback(t.tx)
	_ = t.conn.Close()
}

func (t *targetTx) commit(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := t.tx.Commit()
	if lostConnection(err) || errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w: %w", ErrCopyUnsure, err)
	}
	return err
}

// write takes the rows of a stream.
func (t *targetTx) write(ctx context.Context, table copyTable, stream *copyStream) error {
	return t.conn.Raw(func(driverConn any) error {
		conn, ok := driverConn.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("a connection of type %T cannot copy", driverConn)
		}
		_, err := conn.Conn().CopyFrom(ctx, pgx.Identifier{table.name}, table.columns, stream)
		return err
	})
}

func (t *targetTx) read(ctx context.Context, table copyTable, hash *maphash.Hash) (content, error) {
	arrived, err := readContent(ctx, t.tx, table, hash)
	if err != nil {
		return content{}, fmt.Errorf("read table %s back: %w", table.name, err)
	}
	return arrived, nil
}

// goOnAfter lets the next id be one that was never given. Unlike setval it is
// undone together with the rows.
func (t *targetTx) goOnAfter(ctx context.Context, table copyTable, id int64) error {
	_, err := t.tx.ExecContext(ctx, fmt.Sprintf(`ALTER TABLE "%s" ALTER COLUMN "%s" RESTART WITH %d`, table.name, table.id, id+1))
	if err != nil {
		return fmt.Errorf("ids of table %s: %w", table.name, err)
	}
	return nil
}

// giveBackSQL does what a start on a file does, see giveBackRunning.
const giveBackSQL = `WITH lost AS (UPDATE jobs SET state = 'available', lease = NULL, lease_until = NULL
		WHERE state = 'running' RETURNING id, attempt, kind, started_at),
	now AS (SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS ms)
	INSERT INTO job_attempts (job_id, attempt, kind, began_at, ended_at, outcome)
	SELECT id, attempt, kind, COALESCE(started_at, now.ms), now.ms, $1 FROM lost, now
	ON CONFLICT (job_id, attempt) DO UPDATE SET
	began_at = excluded.began_at, ended_at = excluded.ended_at, outcome = excluded.outcome, words = excluded.words`

func (t *targetTx) giveBack(ctx context.Context) (jobs int64, err error) {
	jobs, err = rowsChanged(t.tx.ExecContext(ctx, giveBackSQL, string(OutcomeLost)))
	if err != nil {
		return 0, fmt.Errorf("take jobs back: %w", err)
	}
	return jobs, nil
}

// fillSearch has the index made by whoever serves the board first.
func (t *targetTx) fillSearch(ctx context.Context) error {
	_, err := t.tx.ExecContext(ctx, `INSERT INTO settings (name, value) SELECT 'search', 'filling'
		WHERE EXISTS (SELECT 1 FROM posts) ON CONFLICT (name) DO NOTHING`)
	if err != nil {
		return fmt.Errorf("have the index of search made: %w", err)
	}
	return nil
}

// analyze lets the server know the tables before the first reader comes.
func (t *targetTx) analyze(ctx context.Context) error {
	if _, err := t.tx.ExecContext(ctx, `ANALYZE `+tableNames(t.tables)); err != nil {
		return fmt.Errorf("analyze: %w", err)
	}
	return nil
}
