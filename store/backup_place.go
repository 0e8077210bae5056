package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// This file gives files their names: a whole one or none.

// partialMark stands between the name that a file is to have and chance.
const partialMark = ".partial-"

// newPartial makes the empty file that becomes another, readable by its owner
// alone, once it is certain that the other can be made. What an earlier process
// left of the same file, because it was killed, goes.
func newPartial(file string) (string, error) {
	dir := filepath.Dir(file)
	if err := RemovePartials(dir, filepath.Base(file)); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no directory %s; make it first", dir)
	} else if err != nil {
		return "", fmt.Errorf("%s: %w", dir, errors.Unwrap(err))
	}
	if there(file) {
		return "", fmt.Errorf("%s %w", file, ErrFileThere)
	}
	partial, err := os.CreateTemp(dir, filepath.Base(file)+partialMark+"*")
	if err != nil {
		return "", fullDisk(err)
	}
	return partial.Name(), partial.Close()
}

// RemovePartials removes what killed processes left in a directory of a file
// that never got its name, or of all such files when name is empty.
func RemovePartials(dir, name string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		of, _, partial := strings.Cut(e.Name(), partialMark)
		if partial && (name == "" || of == name) {
			_ = os.Remove(filepath.Join(dir, e.Name())) // it is in nobody's way
		}
	}
	return nil
}

// place gives a file that is on disk its name, for good, unless something else
// has it. Linking decides and names in one step. Some file systems, such as those
// of memory cards, know no links: there nothing keeps another process from making
// the file between our look and the renaming.
func place(partial, file string) error {
	err := os.Link(partial, file)
	switch {
	case errors.Is(err, fs.ErrExist) || err != nil && there(file):
		return fmt.Errorf("%s %w", file, ErrFileThere)
	case err == nil:
		err = os.Remove(partial)
	default:
		err = os.Rename(partial, file)
	}
	return errors.Join(err, syncDirectory(filepath.Dir(file)))
}

// syncFile returns when a file that others wrote is on disk.
func syncFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0) //nolint:gosec // made by us
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// syncDirectory returns when the names in a directory are on disk, where the
// system can be asked for that.
func syncDirectory(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	opened, err := os.Open(dir) //nolint:gosec // the operator's own directory
	if err != nil {
		return err
	}
	err = opened.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, opened.Close())
}

// noSpace reports whether the system had no room for what was written.
func noSpace(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
