//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// own gives a file that root has made to whoever owns its directory: the board
// itself seldom runs as root, and must be able to read what an operator restores.
func (storage) own(file string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(filepath.Dir(file))
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	if err := os.Lchown(file, int(owner.Uid), int(owner.Gid)); err != nil {
		return fmt.Errorf("give %s to the owner of its directory: %w", file, err)
	}
	return nil
}
