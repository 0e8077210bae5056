package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"madang/store"
)

// backupCmd copies the board into one file.
type backupCmd struct {
	storage `embed:""`

	File    newFile `arg:"" help:"File to make, for nobody but its owner to read. It must not exist."`
	WithKey bool    `local:"" help:"Also write the key of the board, into FILE.key. Who has both has the whole board."`
}

// Help goes on below the help of the flags.
func (backupCmd) Help() string {
	return `The board may be running. The file appears under its name only when all of it is on disk and was checked.
To let the board do so by itself every day, see --backup-at of madang serve.

Examples:
  madang backup /mnt/backup/madang-monday.db
  madang backup --data /var/lib/madang --with-key /mnt/safe/madang.db`
}

// newFile is the path of a file that is to be made.
type newFile string

// UnmarshalText reads the path.
func (f *newFile) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		return errors.New("must be the path of a file, not empty")
	}
	*f = newFile(text)
	return nil
}

// Run makes the backup and says where its key is.
func (c *backupCmd) Run(ctx context.Context, s streams) error {
	file := string(c.File)
	if store.OnServer(c.address()) {
		return fmt.Errorf("the board is in %s: make a backup with pg_dump --format=custom --file=%s, and keep the key too", c.name(), file)
	}
	var key store.Key
	if c.WithKey {
		var err error
		if key, err = c.ownKey(ctx, file); err != nil {
			return err
		}
	}
	made, err := c.backUp(ctx, file)
	if err != nil {
		return err
	}
	if c.WithKey {
		if err := addKey(file, made, key); err != nil {
			return errors.Join(err, os.Remove(file)) // of this moment, and not what was asked for
		}
	}
	fmt.Fprintf(s.out, "%s holds the board in %s: %s, schema %d, read through and found whole.\n", file, c.name(), size(made.Size), made.Schema.There)
	_, err = fmt.Fprintln(s.out, c.aboutKey(file))
	return err
}

// ownKey returns the key that belongs beside the backup, before any work is done.
func (c *backupCmd) ownKey(ctx context.Context, file string) (store.Key, error) {
	if there, err := os.Lstat(keyBeside(file)); err == nil && !there.Mode().IsRegular() {
		return store.Key{}, fmt.Errorf("%s %w", keyBeside(file), store.ErrFileThere)
	}
	return c.key(ctx)
}

// key reads the key of the board and makes none.
func (s storage) key(ctx context.Context) (store.Key, error) {
	if s.Secret != "" {
		return store.LoadKey(ctx, string(s.Data), s.address(), string(s.Secret))
	}
	return store.ReadKey(s.keyFile())
}

func (s storage) keyFile() string { return filepath.Join(string(s.Data), store.KeyFileName) }

// keyBeside is where the key of a backup lies.
func keyBeside(file string) string { return file + ".key" }

func addKey(file string, made store.BoardFile, key store.Key) error {
	if !made.Fits(key) {
		return store.ErrKeyMismatch
	}
	return store.WriteKey(keyBeside(file), key)
}

func (c *backupCmd) aboutKey(file string) string {
	if c.WithKey {
		return "Its key is in " + keyBeside(file) + ": who has both has the whole board. Keep them where nobody else can read them."
	}
	where := c.keyFile()
	if c.Secret != "" {
		where = "the setting " + variable("secret")
	}
	return "Its key is not in it, and without its key no backup can be restored: keep a copy of " + where + " too, in another place."
}

// backUp makes a backup once no other one of this board is being made.
func (s storage) backUp(ctx context.Context, file string) (store.BoardFile, error) {
	turn, err := s.waitForBackups(ctx)
	if err != nil {
		return store.BoardFile{}, err
	}
	made, err := store.Backup(ctx, s.file(), file)
	return made, errors.Join(err, turn.Close())
}

// waitForBackups lets one backup of the board be made at a time: each removes
// what a killed one left half made.
func (s storage) waitForBackups(ctx context.Context) (io.Closer, error) {
	if _, err := os.Stat(s.file()); err != nil {
		return nil, fmt.Errorf("there is no board in %s; name its place by --data or --database", s.name())
	}
	turn := flock.New(s.file()+".backup.lock", flock.SetPermissions(0o600))
	const again = 100 * time.Millisecond
	if _, err := turn.TryLockContext(ctx, again); err != nil {
		return nil, fmt.Errorf("wait for another backup: %w", err)
	}
	return turn, s.own(turn.Path())
}

// size says how large a file is.
func size(bytes int64) string {
	const kB, MB = 1000, 1000 * 1000
	if bytes < MB {
		return fmt.Sprintf("%.0f kB", float64(bytes)/kB)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/MB)
}
