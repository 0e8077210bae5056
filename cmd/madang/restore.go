package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"madang/store"
)

// restoreCmd puts a backup into the place of the board.
type restoreCmd struct {
	storage `embed:""`

	File boardFile `arg:"" help:"Backup to restore. It is only read."`
}

// Help goes on below the help of the flags.
func (restoreCmd) Help() string {
	return `The board must not be running. The backup is read through before anything is changed, and what was there is
kept under another name. It needs the key the backup was made with: in the data directory, in MADANG_SECRET, or in
FILE.key, from where it is copied into a data directory without one. The next madang serve brings an older schema up
to date.

Examples:
  madang restore /mnt/backup/madang-monday.db
  madang restore --data /var/lib/madang /var/lib/madang/backups/madang-20261201T033000.000Z.db`
}

// Run restores and says where the old board is.
func (c *restoreCmd) Run(ctx context.Context, s streams) (err error) {
	if store.OnServer(c.address()) {
		return fmt.Errorf("the board is in %s: restore it with pg_restore", c.name())
	}
	lock, err := c.keepServeAway()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	restore, err := store.BeginRestore(ctx, string(c.File), c.file())
	if err != nil {
		return fmt.Errorf("nothing was changed: %w", err)
	}
	defer func() { err = errors.Join(err, restore.Close()) }()
	if err := c.bringKey(ctx, restore.Board); err != nil {
		return fmt.Errorf("nothing was changed: %w", err)
	}
	return c.finish(ctx, restore, s.out)
}

// keepServeAway holds the lock that a running board holds.
func (c *restoreCmd) keepServeAway() (io.Closer, error) {
	lock, err := c.lock()
	if errors.Is(err, errServed) {
		return nil, fmt.Errorf("a madang serve runs on %s; stop it first", c.name())
	}
	if err != nil {
		return nil, err
	}
	return lock, c.own(c.file() + ".lock")
}

// bringKey sees to it that the key of a backup is where serve looks for it.
func (c *restoreCmd) bringKey(ctx context.Context, board store.BoardFile) error {
	key, err := c.key(ctx)
	if err == nil && !board.Fits(key) {
		return fmt.Errorf("the key in %s is not the one that %s was made with; %s", c.whereKey(), c.File, c.howToBring())
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	key, err = store.ReadKey(keyBeside(string(c.File)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no key in %s; %s", c.whereKey(), c.howToBring())
	case err != nil:
		return err
	case !board.Fits(key):
		return fmt.Errorf("the key in %s is not the one that %s was made with", keyBeside(string(c.File)), c.File)
	}
	return errors.Join(store.WriteKey(c.keyFile(), key), c.own(c.keyFile()))
}

func (c *restoreCmd) whereKey() string {
	if c.Secret != "" {
		return variable("secret")
	}
	return c.keyFile()
}

// howToBring says what to do about a key that is not there, or another's.
func (c *restoreCmd) howToBring() string {
	return fmt.Sprintf("put the secret.key of that board, as %s, beside the backup and restore into a data directory without a key, or name it by MADANG_SECRET_FILE",
		keyBeside(string(c.File)))
}

func (c *restoreCmd) finish(ctx context.Context, restore *store.Restore, out io.Writer) error {
	kept := c.file() + ".before-restore-" + time.Now().UTC().Format(stampForm)
	was, err := restore.Finish(ctx, kept)
	if err != nil {
		return err
	}
	if err := c.own(c.file()); err != nil {
		return err
	}
	fmt.Fprintf(out, "The board in %s is that of %s now: %s, schema %d.\n", c.name(), c.File, size(restore.Board.Size), restore.Board.Schema.There)
	if was {
		fmt.Fprintf(out, "What was there is kept as %s; delete it when all is well.\n", kept)
	}
	return nil
}
