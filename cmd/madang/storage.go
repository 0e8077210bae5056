package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"madang/store"
)

// path returns where the database lies.
func (s storage) path() string {
	if s.Database != "" {
		return string(s.Database)
	}
	return filepath.Join(string(s.Data), store.FileName)
}

// open opens the store of the board, whose path and key it adds to the
// options; the data directory and the key are made when they are missing.
func (s storage) open(ctx context.Context, o store.Options) (*store.Store, error) {
	if err := s.makeDirectory(); err != nil {
		return nil, err
	}
	key, err := store.LoadKey(string(s.Data), s.path(), string(s.Secret))
	if err != nil {
		return nil, err
	}
	o.Database, o.Key = s.path(), key
	return store.Open(ctx, o)
}

func (s storage) makeDirectory() error {
	if err := os.MkdirAll(string(s.Data), 0o700); err != nil {
		return badSetting("data", fmt.Sprintf("must be a directory that can be written: %v", err))
	}
	return nil
}

// lock takes the database for this process alone among all that serve; the
// other commands do not ask. The system frees it when the process ends,
// however it ends.
func (s storage) lock() (*flock.Flock, error) {
	if err := s.makeDirectory(); err != nil {
		return nil, err
	}
	lock := flock.New(s.path()+".lock", flock.SetPermissions(0o600))
	taken, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the database: %w", err)
	}
	if !taken {
		return nil, fmt.Errorf("%w: %s", errServed, s.path())
	}
	return lock, nil
}

// errServed says that two serve on one database.
var errServed = errors.New("another madang serve already runs on this database")
