package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// sqliteDB is a SQLite file with the writing pool, which has one connection,
// and the reading pool, whose connections refuse to write.
type sqliteDB struct {
	*writer
	read *sql.DB
	path string
}

func openSQLite(ctx context.Context, o Options, b *bells) (*sqliteDB, error) {
	write, read, err := openFile(ctx, o.Database, o.Durability.pragma())
	if err != nil {
		return nil, err
	}
	return &sqliteDB{newWriter(write, b, o.Watch), read, o.Database}, nil
}

func (d *sqliteDB) reads() *sql.DB { return d.read }

// brief never ends: watching over each read costs two goroutines.
func (d *sqliteDB) brief(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithoutCancel(ctx), func() {}
}

func (d *sqliteDB) close() error { return errors.Join(d.writer.close(), d.read.Close()) }

func (d *sqliteDB) unavailable(err error) bool { return isUnavailable(err) }

func (d *sqliteDB) clock() func() time.Time { return time.Now }

// alone is true of a file: one process serves it, see its lock.
func (d *sqliteDB) alone() bool { return true }

// There is one writer: nobody has to be held back.

func (d *sqliteDB) hold(context.Context, *tx, ...[]byte) error { return nil }

func (d *sqliteDB) holdSignups(context.Context, *tx, int64) error { return nil }

func (d *sqliteDB) promoteSQL() string {
	return `UPDATE jobs SET state = 'available' WHERE id IN (SELECT id FROM jobs
		WHERE kind = $1 AND state = 'scheduled' AND run_at <= $2 ORDER BY run_at LIMIT $3) AND state = 'scheduled'`
}

// claimSQL needs no lock: there is one writer. Each kind is asked apart: a
// question about all of them would sort the whole backlog, where this one reads
// its first rows.
func (d *sqliteDB) claimSQL(kinds int) string {
	oldest := make([]string, kinds)
	for i := range oldest {
		oldest[i] = fmt.Sprintf(`SELECT id FROM (SELECT id FROM jobs
			WHERE kind = $%d AND state = 'available' ORDER BY id LIMIT $%d)`, 2*i+4, 2*i+5)
	}
	return fmt.Sprintf(`UPDATE jobs SET state = 'running', lease = $1, lease_until = $2, started_at = $3, attempt = attempt + 1
		WHERE id IN (SELECT id FROM (%s) AS oldest ORDER BY id LIMIT $%d)
		RETURNING id, kind, attempt, forgiven, payload, created_at`, strings.Join(oldest, " UNION ALL "), 2*kinds+4)
}

// isUnavailable reports whether an error means that the database takes no
// writes for now: locked by another process, full disk, read-only.
func isUnavailable(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return errors.Is(err, errClosed)
	}
	switch e.Code() & 0xff { // without the extended part
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL,
		sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN:
		return true
	}
	return false
}
