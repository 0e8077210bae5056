package store

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// KeyFileName is the name of the key in the data directory.
const KeyFileName = "secret.key"

// ReadKey reads a key from a file. It returns an error that is fs.ErrNotExist
// when there is none.
func ReadKey(path string) (Key, error) {
	text, err := os.ReadFile(path) //nolint:gosec // the operator's own file
	if err != nil {
		return Key{}, fmt.Errorf("secret key: %w", err)
	}
	key, err := parseKey(string(text))
	if err != nil {
		return Key{}, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}

// WriteKey writes a key into a new file that its owner alone can read. There may
// be one that holds the same key; with any other it returns ErrFileThere.
func WriteKey(path string, key Key) error {
	switch there, err := ReadKey(path); {
	case err == nil && there == key:
		return nil
	case err == nil, !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s %w", path, ErrFileThere)
	}
	partial, err := newPartial(path)
	if err != nil {
		return fmt.Errorf("secret key: %w", err)
	}
	defer func() { _ = os.Remove(partial) }()
	if err := writeSynced(partial, hex.EncodeToString(key[:])+"\n"); err != nil {
		return fmt.Errorf("secret key: %w", fullDisk(err))
	}
	return place(partial, path)
}

func writeSynced(path, text string) error {
	file, err := os.OpenFile(filepath.Clean(path), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Sync(), file.Close())
}
