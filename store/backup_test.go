package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

// newBoardFile makes a board of a post and leaves it open, so that the newest
// is in its log alone.
func newBoardFile(t *testing.T) (path string, open *store.Store) {
	t.Helper()
	storetest.SQLiteOnly(t)
	path = storetest.File(t)
	open = storetest.Open(t, store.Options{Database: path, NoLimits: true})
	storetest.Post(t, open, storetest.Member(t, open))
	return path, open
}

// names lists a directory.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestABackupOfABoardInUseHoldsItsNewest(t *testing.T) {
	path, open := newBoardFile(t)
	file := filepath.Join(t.TempDir(), "backup.db")
	made, err := store.Backup(t.Context(), path, file)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Post(t, open, storetest.Member(t, open))
	if n := storetest.Rows(t, file, `SELECT COUNT(*) FROM posts`)[0][0]; n != "1" {
		t.Errorf("it holds %s posts", n)
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != 0o600 || info.Size() != made.Size || made.Schema.There != made.Schema.Newest {
		t.Errorf("mode %v, %d bytes of %d, schema %+v", info.Mode(), info.Size(), made.Size, made.Schema)
	}
	if left := names(t, filepath.Dir(file)); len(left) != 1 {
		t.Errorf("beside it lies %v", left)
	}
}

func TestABackupNeverOverwrites(t *testing.T) {
	path, _ := newBoardFile(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "there"), "somebody's")
	if err := os.Symlink("nowhere", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]error{"there": store.ErrFileThere, "link": store.ErrFileThere, ".": store.ErrFileThere, "none/x": nil} {
		_, err := store.Backup(t.Context(), path, filepath.Join(dir, file))
		if err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: %v", file, err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "there")); err != nil || string(text) != "somebody's" {
		t.Errorf("it holds %q now: %v", text, err)
	}
	if left := names(t, dir); len(left) != 2 {
		t.Errorf("left are %v", left)
	}
}

func TestABackupIsOfABoard(t *testing.T) {
	storetest.SQLiteOnly(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "text"), strings.Repeat("a text of somebody's ", 500))
	write(t, filepath.Join(dir, "empty"), "")
	storetest.Rows(t, filepath.Join(dir, "other"), `CREATE TABLE theirs (x)`)
	for _, name := range []string{"text", "empty", "other", "none"} {
		_, err := store.Backup(t.Context(), filepath.Join(dir, name), filepath.Join(dir, "backup"))
		if !errors.Is(err, store.ErrForeign) && !errors.Is(err, store.ErrNoBoard) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left := names(t, dir); slices.Contains(left, "backup") || slices.Contains(left, "none") {
		t.Errorf("left are %v", left)
	}
}

// An interrupted backup leaves nothing, and one that was killed only until the
// next.
func TestABackupLeavesNothingHalfMade(t *testing.T) {
	path, _ := newBoardFile(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "backup.db.partial-1234"), "half")
	write(t, filepath.Join(dir, "other.db.partial-1234"), "of another backup")
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	if _, err := store.Backup(interrupted, path, filepath.Join(dir, "backup.db")); err == nil {
		t.Error("it goes on after it was interrupted")
	}
	if _, err := store.Backup(t.Context(), path, filepath.Join(dir, "backup.db")); err != nil {
		t.Error(err)
	}
	if left := names(t, dir); !slices.Equal(left, []string{"backup.db", "other.db.partial-1234"}) {
		t.Errorf("left are %v", left)
	}
}

func TestADamagedBoardFileIsFoundOut(t *testing.T) {
	path, open := newBoardFile(t)
	for range 50 {
		storetest.Post(t, open, storetest.Member(t, open))
	}
	file := filepath.Join(t.TempDir(), "backup.db")
	if _, err := store.Backup(t.Context(), path, file); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	half := len(whole) / 2 / 4096 * 4096
	zeros := string(make([]byte, 4096))
	for name, text := range map[string]string{
		"cut off":       string(whole[:half]),
		"cut to a byte": string(whole[:1]),
		"a page lost":   string(whole[:half]) + zeros + string(whole[half+4096:]),
		"no beginning":  zeros + string(whole[4096:]),
	} {
		write(t, file, text)
		_, err := store.ReadBoardFile(t.Context(), file)
		if !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrNoBoard) {
			t.Errorf("%s: %v", name, err)
		}
	}
	write(t, file, string(whole))
	write(t, file+"-wal", "what is missing")
	if _, err := store.ReadBoardFile(t.Context(), file); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "-wal") {
		t.Errorf("without its log: %v", err)
	}
}

func TestAKeyIsNotOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	for range 2 {
		if err := store.WriteKey(path, store.Key{1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.WriteKey(path, store.Key{2}); !errors.Is(err, store.ErrFileThere) {
		t.Errorf("another key: %v", err)
	}
	if key, err := store.ReadKey(path); err != nil || key != (store.Key{1}) {
		t.Errorf("read back: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("the mode is %v: %v", info.Mode(), err)
	}
}
