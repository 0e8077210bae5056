package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// This file opens SQLite files.

// pragma is a setting that every connection must have; it is read back at the
// start because a misspelt one is ignored in silence.
type pragma struct{ name, set, want string }

// sqlitePragmas are the settings of every connection; others may take the place
// of those of their name.
func sqlitePragmas(others ...pragma) []pragma {
	usual := []pragma{
		// How long a statement waits for another process before it fails.
		{"busy_timeout", fmt.Sprint(writeTimeout.Milliseconds()), fmt.Sprint(writeTimeout.Milliseconds())},
		// Readers go on while the writer commits.
		{"journal_mode", "WAL", "wal"},
		// A commit is on disk when it returns: "answered" means "not lost".
		{"synchronous", "FULL", "2"},
		{"foreign_keys", "ON", "1"},
		// After a checkpoint the WAL shrinks to 64 MiB at most.
		{"journal_size_limit", "67108864", "67108864"},
		// 16 MiB of pages a connection.
		{"cache_size", "-16384", "-16384"},
	}
	for _, o := range others {
		usual = slices.DeleteFunc(usual, func(p pragma) bool { return p.name == o.name })
	}
	return append(usual, others...)
}

// pragma is the setting of a durability.
func (d Durability) pragma() pragma {
	if d == UntilPowerFails {
		return pragma{"synchronous", "NORMAL", "1"}
	}
	return pragma{"synchronous", "FULL", "2"}
}

// openFile returns the writing and the reading pool.
func openFile(ctx context.Context, path string, others ...pragma) (write, read *sql.DB, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, nil, err
	}
	if err := makePrivate(path); err != nil {
		return nil, nil, err
	}
	if err := refuseForeign(ctx, path); err != nil {
		return nil, nil, err
	}
	if write, err = openPool(ctx, path, 1, "_txlock=immediate", others...); err != nil {
		return nil, nil, err
	}
	read, err = openPool(ctx, path, max(4, 2*runtime.GOMAXPROCS(0)), "_pragma=query_only(1)", others...)
	if err != nil {
		return nil, nil, errors.Join(err, write.Close())
	}
	return write, read, nil
}

// ErrForeign says that the file belongs to another program, or is no database.
var ErrForeign = errors.New("not a database of madang; name another database or data directory")

// refuseForeign looks into a file before anything is written to it. A new file
// has neither id nor tables.
func refuseForeign(ctx context.Context, path string) error {
	foreign, err := ofAnother(ctx, path)
	if foreign || notDatabase(err) {
		return ErrForeign
	}
	return err
}

// ofAnother reports whether another program made a SQLite file. A file of ours
// is brought back to its last commit first, if a process was killed where SQLite
// keeps a journal instead of a log: it does so while the one takes the place of
// the other. Who may only read cannot do that.
func ofAnother(ctx context.Context, path string) (bool, error) {
	foreign, err := whose(ctx, path, "mode=ro&_pragma=query_only(1)")
	if e, ok := errors.AsType[*sqlite.Error](err); ok && e.Code() == sqlite3.SQLITE_READONLY_ROLLBACK && hasOurMark(path) {
		return whose(ctx, path, "mode=rw")
	}
	return foreign, err
}

func whose(ctx context.Context, path, mode string) (foreign bool, err error) {
	db, err := openURI(path, fmt.Sprintf("%s&_pragma=busy_timeout(%d)", mode, writeTimeout.Milliseconds()))
	if err != nil {
		return false, err
	}
	defer func() { _ = db.Close() }()
	var id, tables int64
	err = db.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id), COUNT(*) FROM sqlite_schema`).Scan(&id, &tables)
	return err == nil && id != applicationID && (id != 0 || tables > 0), err
}

// hasOurMark looks for the application id where the file format has it.
func hasOurMark(path string) bool {
	file, err := os.Open(path) //nolint:gosec // the operator's own path
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	mark := make([]byte, 4)
	const place = 68
	_, err = file.ReadAt(mark, place)
	return err == nil && binary.BigEndian.Uint32(mark) == applicationID
}

// notDatabase reports whether SQLite says that a file is none of its own.
func notDatabase(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == sqlite3.SQLITE_NOTADB
}

// openReadOnly opens a file of which nothing may change, in whatever state it is.
func openReadOnly(path string) (*sql.DB, error) {
	return openURI(path, fmt.Sprintf("mode=ro&_pragma=query_only(1)&_pragma=busy_timeout(%d)", writeTimeout.Milliseconds()))
}

// openURI opens a file in the way that a query says.
func openURI(path, query string) (*sql.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query}
	return sql.Open("sqlite", address.String())
}

// makePrivate makes the file of a new database readable by its owner alone;
// SQLite gives the files beside it the same mode.
func makePrivate(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // the operator's own path
	switch {
	case err == nil:
		return file.Close()
	case errors.Is(err, fs.ErrExist):
		return nil
	}
	return err
}

func openPool(ctx context.Context, path string, conns int, extra string, others ...pragma) (*sql.DB, error) {
	var query strings.Builder
	query.WriteString(extra)
	for _, p := range sqlitePragmas(others...) {
		query.WriteString("&_pragma=" + p.name + "(" + p.set + ")")
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query.String()}
	connector, err := sqlite.NewConnector(address.String())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(preparing{connector})
	// Connections are kept: opening one costs more than any query.
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	err = checkPragmas(ctx, db, others...)
	for deadline := time.Now().Add(writeTimeout); isBusy(err) && time.Now().Before(deadline); {
		// Another process makes the same new database; turning the WAL on does
		// not wait for it by itself.
		time.Sleep(10 * time.Millisecond)
		err = checkPragmas(ctx, db, others...)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func isBusy(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

func checkPragmas(ctx context.Context, db *sql.DB, others ...pragma) error {
	for _, p := range sqlitePragmas(others...) {
		var got string
		if err := db.QueryRowContext(ctx, "PRAGMA "+p.name).Scan(&got); err != nil {
			return fmt.Errorf("pragma %s: %w", p.name, err)
		}
		if got != p.want {
			return fmt.Errorf("pragma %s is %s, want %s", p.name, got, p.want)
		}
	}
	return nil
}
