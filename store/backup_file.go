package store

import (
	"context"
	"crypto/hmac"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
)

// BoardFile is a SQLite file that holds a whole board and that nobody uses.
type BoardFile struct {
	Size   int64
	Schema SchemaVersion

	fingerprint string // of its key; empty when it has had none yet
}

// Fits reports whether a key is the one that the board was made with.
func (f BoardFile) Fits(key Key) bool {
	return f.fingerprint == "" || hmac.Equal([]byte(f.fingerprint), []byte(key.fingerprint()))
}

// ReadBoardFile reads all of a file that nobody writes to and looks whether it
// is a sound board. It changes nothing and leaves nothing beside it. It returns
// ErrNoBoard for any other file and ErrDamaged for one that is not whole; the
// board of a newer program is no error here.
func ReadBoardFile(ctx context.Context, path string) (BoardFile, error) {
	f, err := readBoardFile(ctx, path)
	if err != nil {
		return BoardFile{}, fmt.Errorf("%s: %w", path, damaged(err))
	}
	return f, nil
}

func readBoardFile(ctx context.Context, path string) (f BoardFile, err error) {
	if f.Size, err = sizeOfWhole(path); err != nil {
		return BoardFile{}, err
	}
	db, err := openURI(path, "mode=ro&immutable=1&_pragma=query_only(1)")
	if err != nil {
		return BoardFile{}, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := isBoard(ctx, db); err != nil {
		return BoardFile{}, err
	}
	if f.Schema, err = fileVersion(ctx, db); err != nil {
		return BoardFile{}, err
	}
	if f.Schema.There == 0 {
		return BoardFile{}, ErrNoBoard
	}
	if err := isSound(ctx, db); err != nil {
		return BoardFile{}, err
	}
	f.fingerprint, err = keyFingerprint(ctx, db)
	return f, err
}

// sizeOfWhole refuses a file to which another belongs, without which it is not
// the board it seems to be.
func sizeOfWhole(path string) (int64, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return 0, errors.Unwrap(err) // the path is said already
	case !info.Mode().IsRegular() || info.Size() == 0:
		return 0, ErrNoBoard
	}
	for _, end := range []string{"-wal", "-journal"} {
		if beside, err := os.Stat(path + end); err == nil && beside.Size() > 0 {
			return 0, fmt.Errorf("%w: %s lies beside it, so it is not whole by itself; copy both with madang backup --database", ErrDamaged, path+end)
		}
	}
	return info.Size(), nil
}

func isBoard(ctx context.Context, db *sql.DB) error {
	var id int64
	err := db.QueryRowContext(ctx, `SELECT application_id FROM pragma_application_id`).Scan(&id)
	switch {
	case notDatabase(err), err == nil && id != applicationID:
		return ErrNoBoard
	}
	return err
}

// isSound reads every page.
func isSound(ctx context.Context, db *sql.DB) error {
	t, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer rollback(t)
	faults, err := fileFaults(ctx, t)
	if err == nil && len(faults) > 0 {
		return fmt.Errorf("%w: %s", ErrDamaged, faults[0])
	}
	return err
}

func keyFingerprint(ctx context.Context, q querier) (fingerprint string, err error) {
	err = q.QueryRowContext(ctx, `SELECT COALESCE(MAX(value), '') FROM settings WHERE name = 'key'`).Scan(&fingerprint)
	return fingerprint, err
}

// fingerprint names a key without telling it.
func (k Key) fingerprint() string { return hex.EncodeToString(k.mac("fingerprint")) }
