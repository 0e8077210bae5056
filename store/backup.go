package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Errors of a backup.
var (
	// ErrFileThere: there is something of this name.
	ErrFileThere = errors.New("is there already, and nothing is ever overwritten; name another file")
	// ErrDamaged: the file cannot be relied on.
	ErrDamaged = errors.New("the database is damaged")
	// ErrDiskFull: there is no room for the copy.
	ErrDiskFull = errors.New("the disk is full; free some space there or name a file on another disk")
)

// Backup copies the SQLite file of a board as it is at one moment into a new
// file, while others read and write it. It changes nothing in the board, whatever
// its schema is, and needs no key. The copy gets its name only when all of it is
// on disk and was read through: a file of that name is a good one, however the
// process ended. Two backups of one board at a time are for the caller to prevent.
// It returns ErrNoBoard, ErrFileThere, ErrDiskFull or ErrDamaged.
func Backup(ctx context.Context, database, file string) (BoardFile, error) {
	made, err := backup(ctx, database, file)
	if err != nil {
		return BoardFile{}, fmt.Errorf("back up %s: %w", database, err)
	}
	return made, nil
}

func backup(ctx context.Context, database, file string) (BoardFile, error) {
	version, err := sqliteVersion(ctx, database)
	switch {
	case err != nil:
		return BoardFile{}, err
	case version.There == 0:
		return BoardFile{}, ErrNoBoard
	}
	partial, err := newPartial(file)
	if err != nil {
		return BoardFile{}, err
	}
	defer func() { _ = os.Remove(partial) }()
	if err := vacuumInto(ctx, database, partial); err != nil {
		return BoardFile{}, fullDisk(err)
	}
	if err := syncFile(partial); err != nil {
		return BoardFile{}, fullDisk(err)
	}
	made, err := ReadBoardFile(ctx, partial)
	if err != nil {
		return BoardFile{}, fmt.Errorf("the copy is not good, and was not kept: %w", err)
	}
	return made, place(partial, file)
}

// vacuumInto writes what a reader sees at this moment. The connection may read
// the board alone; the copy is a database of its own to it.
func vacuumInto(ctx context.Context, database, file string) (err error) {
	db, err := openURI(database, fmt.Sprintf("mode=ro&_pragma=busy_timeout(%d)", writeTimeout.Milliseconds()))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, `VACUUM INTO $1`, file)
	return err
}

// fullDisk says in our words that there is no room.
func fullDisk(err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	if ok && e.Code()&0xff == sqlite3.SQLITE_FULL || noSpace(err) {
		return ErrDiskFull
	}
	return err
}

// damaged says in our words that SQLite cannot make sense of a file.
func damaged(err error) error {
	e, ok := errors.AsType[*sqlite.Error](err)
	if ok && (e.Code()&0xff == sqlite3.SQLITE_CORRUPT || e.Code()&0xff == sqlite3.SQLITE_NOTADB) {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

// there reports whether something has a name.
func there(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
