package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"madang/store"
)

// address returns where the database lies, with the password if there is one.
func (s storage) address() string {
	if s.Database != "" {
		return string(s.Database)
	}
	return filepath.Join(string(s.Data), store.FileName)
}

// name returns where the database lies, for logs and people.
func (s storage) name() string { return store.DatabaseName(s.address()) }

// open opens the store of the board, whose address and key it adds to the
// options; the data directory and the key are made when they are missing.
func (s storage) open(ctx context.Context, o store.Options) (*store.Store, error) {
	if err := s.makeDirectory(); err != nil {
		return nil, err
	}
	key, err := store.LoadKey(ctx, string(s.Data), s.address(), string(s.Secret))
	if err != nil {
		return nil, err
	}
	o.Database, o.Key = s.address(), key
	if err := s.backUpOldSchema(ctx, o.Log); err != nil {
		return nil, err
	}
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
// however it ends. Many may serve a database on a server.
func (s storage) lock() (io.Closer, error) {
	if err := s.makeDirectory(); err != nil {
		return nil, err
	}
	if store.OnServer(s.address()) {
		return io.NopCloser(nil), nil
	}
	lock := flock.New(s.file()+".lock", flock.SetPermissions(0o600))
	taken, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the database: %w", err)
	}
	if !taken {
		return nil, fmt.Errorf("%w: %s", errServed, s.name())
	}
	return lock, nil
}

// file is where the SQLite file itself lies: whatever links lead to it, there is
// one lock for it. SQLite too follows them to its log.
func (s storage) file() string {
	if file, err := filepath.EvalSymlinks(s.address()); err == nil {
		return file
	}
	return s.address() // there is none yet
}

// errServed says that two serve on one database.
var errServed = errors.New("another madang serve already runs on this database")
