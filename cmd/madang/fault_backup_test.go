package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// command starts a command of madang in a process of its own.
func command(t *testing.T, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: exec.CommandContext(context.WithoutCancel(t.Context()), self, args...), ended: make(chan struct{})}
	p.cmd.Env = []string{beProgram + "=1", "TMPDIR=" + t.TempDir()}
	said := new(strings.Builder)
	p.cmd.Stdout, p.cmd.Stderr = said, said
	life, err := p.cmd.StdinPipe() // it ends with whoever holds the other end
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		if p.err = p.cmd.Wait(); p.err != nil && !killed(p.err) {
			p.err = errors.New(said.String())
		}
		_ = life.Close()
		close(p.ended)
	}()
	t.Cleanup(p.kill)
	return p
}

// done fails the test when a command fails.
func (p *process) done(t *testing.T) {
	t.Helper()
	if err := p.wait(time.Minute); err != nil {
		t.Fatalf("%q: %v", p.cmd.Args[1:], err)
	}
}

// TestFaultBackedUpUnderLoad backs a board up again and again while people use
// it. Each backup is restored as another board: it opens, agrees with itself, and
// holds everything that had been acknowledged when it was begun.
func TestFaultBackedUpUnderLoad(t *testing.T) {
	storetest.SQLiteOnly(t)
	dice := newDice(t)
	s := newSite(t)
	n := rounds(t, 4, 60)
	l := newLoad(t, s, usualCrowd())
	s.start()
	l.run(t, dice, usualCrowd())
	backups, known := t.TempDir(), make([][]entry, n)
	for i := range n {
		<-time.After(lateness(dice) / 2)
		known[i] = l.ledger.all()
		command(t, "backup", "--data", s.data, "--with-key", filepath.Join(backups, number(int64(i)))).done(t)
	}
	l.end()
	s.settle(30 * time.Second)
	s.stop()
	l.answered(t, http.StatusOK, http.StatusSeeOther)
	for i := range n {
		wantRestored(t, filepath.Join(backups, number(int64(i))), known[i])
	}
	if held := len(known[n-1]); held <= len(known[0]) {
		t.Errorf("%d deeds before the last backup, %d before the first: the test shows nothing", held, len(known[0]))
	}
	checkAll(t, s, l)
}

// wantRestored restores a backup and looks for what was acknowledged.
func wantRestored(t *testing.T, file string, known []entry) {
	t.Helper()
	data := newData(t)
	command(t, "restore", "--data", data, file).done(t)
	path := filepath.Join(data, store.FileName)
	if fileSum(t, path) != fileSum(t, file) {
		t.Errorf("%s was restored as something else", file)
	}
	checkFile(t, path, data)
	countOpenViews(t, path, data)
	have, readers := readRows(t, path), newReaders(t, path, data)
	defer readers.close()
	sure := 0
	for _, e := range known {
		if !e.Sure {
			continue
		}
		if sure++; !have.holds(e, readers) {
			t.Errorf("%s lacks what was acknowledged before: %+v", filepath.Base(file), e)
		}
	}
	t.Logf("%s holds all of %d acknowledged deeds", filepath.Base(file), sure)
}

// largeSite is a board whose backup takes a while.
func largeSite(t *testing.T) *site {
	t.Helper()
	storetest.SQLiteOnly(t)
	s := newSite(t)
	db := openStore(t, s.path(), s.data)
	storetest.Member(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	storetest.Rows(t, s.path(), `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
		INSERT INTO mailbox (recipient, recipient_key, subject, text, html, link, code, at)
		SELECT 'x@example.com', 'x@example.com', 'x', hex(randomblob(600)), '', '', '', i FROM n RETURNING 1`)
	return s
}

// TestFaultKilledWithinABackup kills backups anywhere. Whatever has the name of
// the backup is whole, and the next one clears what was left.
func TestFaultKilledWithinABackup(t *testing.T) {
	dice := newDice(t)
	s := largeSite(t)
	s.start()
	dir := t.TempDir()
	file := filepath.Join(dir, "backup.db")
	args := []string{"backup", "--data", s.data, file}
	begin := time.Now()
	command(t, args...).done(t)
	aim := &aim{dice, time.Since(begin)}
	var none, made, halves int
	n := rounds(t, 15, 200)
	for tries := 0; tries < n || halves == 0 && tries < 10*n; tries++ { // on a busy machine many come too late
		if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		aim.kill(command(t, args...))
		if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
			none++
		} else if _, err := store.ReadBoardFile(t.Context(), file); err != nil {
			t.Errorf("under its name lies: %v", err)
		} else {
			made++
		}
		halves += partials(t, dir)
	}
	t.Logf("killed before it had its name %d times, %d times with a file half made, after it %d times", none, halves, made)
	if halves == 0 {
		t.Error("no backup was killed while it was made: the test shows nothing")
	}
	_ = os.Remove(file)
	command(t, args...).done(t)
	if left := filesIn(t, dir); len(left) != 1 {
		t.Errorf("left are %v", left)
	}
	s.stop()
	checkFile(t, s.path(), s.data)
}

// aim kills commands before they end, most of the time, however long they take
// on this machine at this moment.
type aim struct {
	dice   *rand.Rand
	within time.Duration
}

// kill kills a command some time after it began, and reports whether that came
// before its end.
func (a *aim) kill(p *process) bool {
	<-time.After(time.Duration(a.dice.Int64N(int64(a.within))))
	p.kill()
	if !killed(p.err) {
		a.within = a.within * 3 / 4
		return false
	}
	a.within = a.within * 9 / 8
	return true
}

// partials counts the files without their names.
func partials(t *testing.T, dir string) (n int) {
	t.Helper()
	for _, name := range filesIn(t, dir) {
		if strings.Contains(name, ".partial-") {
			n++
		}
	}
	return n
}
