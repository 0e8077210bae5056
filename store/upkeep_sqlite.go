package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
)

// checkpointWait is how long a checkpoint makes the writer wait for those who
// still read the log, in milliseconds. It must not be felt.
const checkpointWait = 100

// Checkpoint copies the write-ahead log into the database file and empties it,
// so that it never grows with the age of the process. It returns how many
// pages stay in the log because somebody is still reading them: then as much
// as is possible was copied, and the next checkpoint goes on from there.
func (s *Store) Checkpoint(ctx context.Context) (left int64, err error) {
	conn, err := s.readers.Conn(ctx)
	if err != nil {
		return 0, fmt.Errorf("checkpoint: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err := setPragma(ctx, conn, "busy_timeout", checkpointWait); err != nil {
		return 0, fmt.Errorf("checkpoint: %w", err)
	}
	defer restoreBusyTimeout(context.WithoutCancel(ctx), conn)
	var busy, pages, copied int64
	err = conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &copied)
	if err != nil {
		return 0, fmt.Errorf("checkpoint: %w", err)
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

// Optimize lets the database look at its tables anew where they have changed
// so much that it might choose the wrong index.
func (s *Store) Optimize(ctx context.Context) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `PRAGMA optimize`)
		return err
	})
	if err != nil {
		return fmt.Errorf("optimize: %w", err)
	}
	return nil
}
