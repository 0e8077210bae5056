package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
)

// CopySource is the SQLite file of a board, which a copy reads and never writes.
type CopySource struct{ db *sql.DB }

// OpenCopySource opens the file of a board of this program's schema. It returns
// ErrNoBoard for any other file, ErrOlderSchema and ErrNewerSchema for a board
// of another version. Close it after use.
func OpenCopySource(ctx context.Context, path string) (*CopySource, error) {
	s, err := openCopySource(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func openCopySource(ctx context.Context, path string) (*CopySource, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, errors.Unwrap(err) // the path is said already
	case !info.Mode().IsRegular():
		return nil, ErrNoBoard
	}
	version, err := sqliteVersion(ctx, path)
	switch {
	case errors.Is(err, ErrForeign), err == nil && version.There == 0:
		return nil, ErrNoBoard
	case err != nil:
		return nil, err
	case len(version.Pending) > 0:
		return nil, fmt.Errorf("schema version %d, this program knows %d: %w", version.There, version.Newest, ErrOlderSchema)
	}
	if err := version.refuseNewer(); err != nil {
		return nil, err
	}
	db, err := openReadOnly(path)
	if err != nil {
		return nil, err
	}
	return &CopySource{db}, nil
}

// Close closes the file.
func (s *CopySource) Close() error { return s.db.Close() }

// sourceSnapshot is the file as it was at one moment.
type sourceSnapshot struct {
	tx    *sql.Tx
	watch *sql.Conn // sees what others commit meanwhile
	was   int64
}

// snapshot begins to read, after it has noted how often the file was changed.
func (s *CopySource) snapshot(ctx context.Context) (*sourceSnapshot, error) {
	watch, err := s.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	n := &sourceSnapshot{watch: watch}
	if n.was, err = n.changes(ctx); err != nil {
		return nil, errors.Join(err, watch.Close())
	}
	if n.tx, err = s.db.BeginTx(ctx, nil); err != nil {
		return nil, errors.Join(err, watch.Close())
	}
	return n, nil
}

func (n *sourceSnapshot) close() {
	rollback(n.tx)
	_ = n.watch.Close()
}

func (n *sourceSnapshot) changes(ctx context.Context) (version int64, err error) {
	err = n.watch.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&version)
	return version, err
}

// unchanged refuses a copy in which the latest is missing: the other commands
// of this program may write beside it.
func (n *sourceSnapshot) unchanged(ctx context.Context) error {
	now, err := n.changes(ctx)
	if err == nil && now != n.was {
		return ErrSourceChanged
	}
	return err
}

// columns are all columns of the board, as table.column.
func (n *sourceSnapshot) columns(ctx context.Context) (map[string]bool, error) {
	rows, err := n.tx.QueryContext(ctx, `SELECT t.name || '.' || c.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
		WHERE t.schema = 'main' AND t.type = 'table' AND substr(t.name, 1, 7) <> 'sqlite_' AND t.name <> 'schema_version'`)
	if err != nil {
		return nil, err
	}
	names, err := scanStrings(rows)
	all := map[string]bool{}
	for _, name := range names {
		all[name] = true
	}
	return all, err
}

func (n *sourceSnapshot) count(ctx context.Context, t copyTable) (count int64, err error) {
	return count, scanCount(ctx, n.tx, `SELECT COUNT(*) FROM "`+t.name+`"`, &count)
}

func (n *sourceSnapshot) rows(ctx context.Context, t copyTable) (*sql.Rows, error) {
	return n.tx.QueryContext(ctx, t.selectSQL())
}

// highestID is the highest id that was ever given, also to a row that is gone.
func (n *sourceSnapshot) highestID(ctx context.Context, t copyTable) (id int64, err error) {
	err = n.tx.QueryRowContext(ctx, `SELECT max((SELECT COALESCE(MAX("`+t.id+`"), 0) FROM "`+t.name+`"),
		COALESCE((SELECT seq FROM sqlite_sequence WHERE name = $1), 0))`, t.name).Scan(&id)
	return id, err
}
