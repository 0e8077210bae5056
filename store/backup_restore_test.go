package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

// backedUp makes a board that has been closed, and a backup of it that holds one
// post less.
func backedUp(t *testing.T) (path, file string) {
	t.Helper()
	path, open := newBoardFile(t)
	file = filepath.Join(t.TempDir(), "backup.db")
	if _, err := store.Backup(t.Context(), path, file); err != nil {
		t.Fatal(err)
	}
	storetest.Post(t, open, storetest.Member(t, open))
	if err := open.Close(); err != nil {
		t.Fatal(err)
	}
	return path, file
}

func restore(t *testing.T, file, path string) (kept string, err error) {
	t.Helper()
	r, err := store.BeginRestore(t.Context(), file, path)
	if err != nil {
		return "", err
	}
	kept = path + ".kept"
	_, err = r.Finish(t.Context(), kept)
	return kept, errors.Join(err, r.Close())
}

func posts(t *testing.T, path string) string {
	t.Helper()
	return storetest.Rows(t, path, `SELECT COUNT(*) FROM posts`)[0][0]
}

func same(t *testing.T, one, other string) bool {
	t.Helper()
	a, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(a, b)
}

func TestARestoredBoardIsTheBackup(t *testing.T) {
	path, file := backedUp(t)
	kept, err := restore(t, file, path)
	if err != nil {
		t.Fatal(err)
	}
	if !same(t, path, file) {
		t.Error("it is another file than the backup")
	}
	if before, now := posts(t, kept), posts(t, path); before != "2" || now != "1" {
		t.Errorf("%s posts are kept and %s restored", before, now)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("the mode is %v: %v", info.Mode(), err)
	}
}

// What a killed process leaves: the newest is in the log alone.
func TestTheLogOfTheOldBoardStaysWithIt(t *testing.T) {
	path, file := backedUp(t)
	leaveLog(t, path)
	kept, err := restore(t, file, path)
	if err != nil {
		t.Fatal(err)
	}
	if before := posts(t, kept); before != "3" {
		t.Errorf("%s posts are kept, and one of them was in the log", before)
	}
	if !same(t, path, file) {
		t.Error("it is another file than the backup")
	}
	if left := names(t, filepath.Dir(path)); !slices.Equal(left, []string{"madang.db", "madang.db.kept"}) {
		t.Errorf("left are %v", left)
	}
}

// leaveLog gives a board a post that is in its log alone, as if the process that
// wrote it had been killed.
func leaveLog(t *testing.T, path string) {
	t.Helper()
	used := storetest.File(t)
	copyFile(t, path, used)
	open := storetest.Open(t, store.Options{Database: used, Key: keyless(t, used), NoLimits: true})
	storetest.Post(t, open, storetest.Member(t, open))
	copyFile(t, used, path)
	copyFile(t, used+"-wal", path+"-wal")
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	write(t, to, string(text))
}

func TestABoardThatIsInUseIsNotReplaced(t *testing.T) {
	path, file := backedUp(t)
	open := storetest.Open(t, store.Options{Database: path, Key: keyless(t, path)})
	if _, err := restore(t, file, path); !errors.Is(err, store.ErrInUse) {
		t.Errorf("restored beside another program: %v", err)
	}
	storetest.Post(t, open, storetest.Member(t, open))
	if left := names(t, filepath.Dir(path)); slices.Contains(left, store.FileName+".kept") {
		t.Errorf("left are %v", left)
	}
}

// keyless lets a board be opened with a key of the test.
func keyless(t *testing.T, path string) store.Key {
	t.Helper()
	storetest.Rows(t, path, `DELETE FROM settings WHERE name = 'key' RETURNING 1`)
	return store.Key{7}
}

func TestABrokenBoardIsReplacedAndKept(t *testing.T) {
	path, file := backedUp(t)
	for name, text := range map[string]string{"no beginning": strings.Repeat("x", 9000), "empty": "", "cut off": "SQLite format 3\x00"} {
		write(t, path, text)
		write(t, path+"-wal", "its log")
		write(t, path+"-journal", "its journal")
		kept, err := restore(t, file, path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if now, err := os.ReadFile(kept); err != nil || !strings.HasPrefix(text, string(now)) {
			t.Errorf("%s: kept is %q: %v", name, now, err)
		}
		for _, end := range []string{"-wal", "-journal", "-shm"} {
			if _, err := os.Stat(path + end); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s: the old %s lies beside the new board", name, end)
			}
			_ = os.Remove(kept + end)
		}
		if !same(t, path, file) {
			t.Errorf("%s: it is another file than the backup", name)
		}
		_ = os.Remove(kept)
	}
}

func TestALogWithoutItsBoardIsNotReadWithAnother(t *testing.T) {
	path, file := backedUp(t)
	leaveLog(t, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := restore(t, file, path); err != nil {
		t.Fatal(err)
	}
	if now := posts(t, path); now != "1" {
		t.Errorf("%s posts are restored", now)
	}
}

func TestWhatIsNotRestored(t *testing.T) {
	path, file := backedUp(t)
	newer := filepath.Join(t.TempDir(), "newer")
	other := filepath.Join(t.TempDir(), "other")
	copyFile(t, file, newer)
	copyFile(t, file, other)
	storetest.Rows(t, newer, `INSERT INTO schema_version SELECT MAX(version) + 1 FROM schema_version RETURNING 1`)
	storetest.Rows(t, other, `PRAGMA application_id = 77`)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for from, want := range map[string]error{
		newer: store.ErrNewerSchema, other: store.ErrNoBoard, filepath.Dir(file): store.ErrNoBoard, file + "-none": os.ErrNotExist,
	} {
		if _, err := restore(t, from, path); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", from, err, want)
		}
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the board is another now: %v", err)
	}
	if left := names(t, filepath.Dir(path)); len(left) != 1 {
		t.Errorf("left are %v", left)
	}
	if _, err := restore(t, file, other); !errors.Is(err, store.ErrForeign) {
		t.Errorf("in the place of another program's: %v", err)
	}
}
