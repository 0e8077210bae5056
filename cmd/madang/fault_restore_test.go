package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// TestFaultRestoredOverAKilledBoard restores a backup where a process was killed
// and left its newest in the log.
func TestFaultRestoredOverAKilledBoard(t *testing.T) {
	storetest.SQLiteOnly(t)
	dice := newDice(t)
	s := newSite(t)
	l := newLoad(t, s, usualCrowd())
	s.start()
	file := filepath.Join(t.TempDir(), "backup.db")
	command(t, "backup", "--data", s.data, file).done(t)
	l.run(t, dice, usualCrowd())
	for range rounds(t, 2, 30) {
		<-time.After(lateness(dice))
		commandSays(t, []string{"restore", "--data", s.data, file}, true, "a madang serve runs on", "stop it first")
		known := l.ledger.all()
		s.kill()
		command(t, "restore", "--data", s.data, file).done(t)
		if fileSum(t, s.path()) != fileSum(t, file) {
			t.Error("it was restored as something else")
		}
		wantOnlyBoards(t, s.data)
		kept := keptBoards(t, s)
		if len(kept) != 1 {
			t.Fatalf("kept are %v", kept)
		}
		wantKept(t, kept[0], s.data, known)
		// The people go on with the board they know.
		if err := os.Rename(kept[0], s.path()); err != nil {
			t.Fatal(err)
		}
		s.start()
	}
	l.end()
	s.settle(30 * time.Second)
	s.stop()
	checkAll(t, s, l)
}

// keptBoards are the old boards that restores have kept.
func keptBoards(t *testing.T, s *site) []string {
	t.Helper()
	kept, err := filepath.Glob(s.path() + ".before-restore-*")
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// wantKept looks for what was acknowledged in a copy of the old board.
func wantKept(t *testing.T, kept, data string, known []entry) {
	t.Helper()
	copied := filepath.Join(t.TempDir(), store.FileName)
	text, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(copied, text, 0o600); err != nil {
		t.Fatal(err)
	}
	checkFile(t, copied, data)
	countOpenViews(t, copied, data)
	have, readers := readRows(t, copied), newReaders(t, copied, data)
	defer readers.close()
	for _, e := range known {
		if e.Sure && !have.holds(e, readers) {
			t.Errorf("the kept board lacks what was acknowledged: %+v", e)
		}
	}
}

// wantOnlyBoards fails the test when a log, or anything half made, lies in a
// data directory.
func wantOnlyBoards(t *testing.T, data string) {
	t.Helper()
	for _, name := range filesIn(t, data) {
		for _, end := range []string{"-wal", "-shm", "-journal"} {
			if strings.HasSuffix(name, end) {
				t.Errorf("left is %s", name)
			}
		}
	}
	if n := partials(t, data); n > 0 {
		t.Errorf("left are %d files half made", n)
	}
}

// TestFaultKilledWithinARestore: afterwards there is the old board or the new one.
func TestFaultKilledWithinARestore(t *testing.T) {
	dice := newDice(t)
	s := largeSite(t)
	file := filepath.Join(t.TempDir(), "backup.db")
	command(t, "backup", "--data", s.data, file).done(t)
	const mark = `INSERT INTO settings (name, value) VALUES ('mark', '1') ON CONFLICT (name) DO UPDATE SET value = '1' RETURNING 1`
	args := []string{"restore", "--data", s.data, file}
	storetest.Rows(t, s.path(), mark)
	begin := time.Now()
	command(t, args...).done(t)
	aim := &aim{dice, time.Since(begin)}
	var cut, before, after int
	for range rounds(t, 15, 200) {
		storetest.Rows(t, s.path(), mark)
		if aim.kill(command(t, args...)) {
			cut++
		}
		checkFile(t, s.path(), s.data)
		if len(storetest.Rows(t, s.path(), `SELECT 1 FROM settings WHERE name = 'mark'`)) > 0 {
			before++
		} else {
			after++
		}
		for _, kept := range keptBoards(t, s) {
			_ = os.Remove(kept)
		}
	}
	t.Logf("cut off %d times; %d times the old board is there, %d times the new one", cut, before, after)
	if cut == 0 || before == 0 {
		t.Error("no restore was cut off: the test shows nothing")
	}
	command(t, args...).done(t)
	if n := partials(t, s.data); n > 0 {
		t.Errorf("left are %d files half made", n)
	}
}
