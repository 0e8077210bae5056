package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// checkpointWait is how long a checkpoint makes the writer wait for those who
// still read the log, in milliseconds. It must not be felt.
const checkpointWait = 100

// checkpoint copies the write-ahead log into the database file and empties it.
func (d *sqliteDB) checkpoint(ctx context.Context) (left int64, err error) {
	conn, err := d.read.Conn(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err := setPragma(ctx, conn, "busy_timeout", checkpointWait); err != nil {
		return 0, err
	}
	defer restoreBusyTimeout(context.WithoutCancel(ctx), conn)
	var busy, pages, copied int64
	err = conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &copied)
	if err != nil {
		return 0, err
	}
	return pages - copied, nil
}

func setPragma(ctx context.Context, conn *sql.Conn, name string, value int64) error {
	_, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA %s = %d", name, value))
	return err
}

// restoreBusyTimeout gives the connection back as it was, or not at all.
func restoreBusyTimeout(ctx context.Context, conn *sql.Conn) {
	if setPragma(ctx, conn, "busy_timeout", writeTimeout.Milliseconds()) != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// logSize looks at the file beside the database, without opening it.
func (d *sqliteDB) logSize() (int64, bool, error) {
	info, err := os.Stat(d.path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return 0, true, nil
	}
	if err != nil {
		return 0, false, err
	}
	return info.Size(), true, nil
}

// optimize does what SQLite itself thinks is worth it.
func (d *sqliteDB) optimize(ctx context.Context) error {
	return d.do(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `PRAGMA optimize`)
		return err
	})
}
