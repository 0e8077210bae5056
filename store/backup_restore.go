package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrInUse says that somebody else has the database open.
var ErrInUse = errors.New("another program has the database open; end it first")

// Restore is a backup on its way into the place of a board.
type Restore struct {
	// Board is what the backup holds.
	Board BoardFile

	partial, database string
}

// BeginRestore copies a backup beside the SQLite file whose place it is to take,
// and reads all of the copy. The file itself is only read. It returns ErrNoBoard,
// ErrDamaged, ErrNewerSchema or ErrDiskFull. Close it after use.
func BeginRestore(ctx context.Context, file, database string) (*Restore, error) {
	if _, err := sizeOfWhole(file); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := RemovePartials(filepath.Dir(database), filepath.Base(database)); err != nil {
		return nil, fmt.Errorf("restore: %w", err)
	}
	partial, err := os.CreateTemp(filepath.Dir(database), filepath.Base(database)+partialMark+"*")
	if err != nil {
		return nil, fmt.Errorf("restore: %w", fullDisk(err))
	}
	r := &Restore{partial: partial.Name(), database: database}
	err = copyInto(ctx, partial, file)
	if err = errors.Join(err, partial.Close()); err != nil {
		err = fmt.Errorf("copy %s: %w", file, fullDisk(err))
	} else {
		err = r.read(ctx, file)
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func copyInto(ctx context.Context, to *os.File, path string) error {
	from, err := os.Open(path) //nolint:gosec // the operator's own path
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	if _, err := io.Copy(to, reader{ctx, from}); err != nil {
		return err
	}
	return to.Sync()
}

// reader reads until its context ends.
type reader struct {
	ctx  context.Context //nolint:containedctx // io.Copy has no place for it
	from io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

// read looks at the copy, which is what will be served.
func (r *Restore) read(ctx context.Context, file string) (err error) {
	if r.Board, err = readBoardFile(ctx, r.partial); err != nil {
		return fmt.Errorf("%s: %w", file, damaged(err))
	}
	if err := r.Board.Schema.refuseNewer(); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// Close removes the copy unless it has taken its place.
func (r *Restore) Close() error {
	if err := os.Remove(r.partial); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Finish puts the copy into its place and keeps what was there under another
// name; it returns false when nothing was. Whoever keeps other processes from
// serving the database must do so until it returns. Up to the last step the old
// board is in its place, after it the new one. It returns ErrInUse when somebody
// has it open, and ErrForeign when it is the database of another program.
func (r *Restore) Finish(ctx context.Context, kept string) (bool, error) {
	was := there(r.database)
	if was {
		if err := makeWhole(ctx, r.database); err != nil {
			return false, fmt.Errorf("nothing was restored: %s: %w", r.database, fullDisk(err))
		}
		if err := keep(ctx, r.database, kept); err != nil {
			return false, fmt.Errorf("nothing was restored: keep the database as it is: %w", fullDisk(err))
		}
	}
	if err := r.moveLogs(kept); err != nil {
		return false, fmt.Errorf("nothing was restored: move the old log away: %w", err)
	}
	dir := filepath.Dir(r.database)
	// The old log must be gone for good first: read with the new file it would
	// spoil it.
	err := syncDirectory(dir)
	if err == nil {
		err = os.Rename(r.partial, r.database)
	}
	if err != nil {
		return false, fmt.Errorf("nothing was restored: %w", err)
	}
	if err := syncDirectory(dir); err != nil {
		return was, fmt.Errorf("restore: %w", err)
	}
	return was, nil
}

// makeWhole carries the log of a database over into its file and removes it, for
// which nobody else may have the database open. It leaves the database in WAL
// mode, since a kill while that changes would leave a journal to be rolled back.
// What is too damaged for that stays as it is.
func makeWhole(ctx context.Context, path string) (err error) {
	if foreign, _ := ofAnother(ctx, path); foreign { // what is broken is found out below
		return ErrForeign
	}
	query := fmt.Sprintf("mode=rw&_pragma=locking_mode(exclusive)&_pragma=busy_timeout(%d)", checkpointWait)
	db, err := openURI(path, query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	var busy, pages, copied int64
	err = db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &copied)
	e, ok := errors.AsType[*sqlite.Error](err)
	switch {
	case errors.Is(damaged(err), ErrDamaged):
		return nil
	case ok && e.Code()&0xff == sqlite3.SQLITE_BUSY, busy != 0:
		return ErrInUse
	}
	return err
}

// keep gives a file a second name, or where there are no links makes a copy.
func keep(ctx context.Context, path, kept string) error {
	if there(kept) {
		return fmt.Errorf("%s %w", kept, ErrFileThere)
	}
	if os.Link(path, kept) == nil {
		return nil
	}
	file, err := os.OpenFile(kept, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // beside the database
	if err != nil {
		return err
	}
	return errors.Join(copyInto(ctx, file, path), file.Close())
}

// moveLogs takes away what SQLite would read together with the new file: the
// logs of a database that was too damaged, or has gone without them.
func (r *Restore) moveLogs(kept string) error {
	if err := os.Remove(r.database + "-shm"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, end := range []string{"-wal", "-journal"} {
		if err := os.Rename(r.database+end, kept+end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
