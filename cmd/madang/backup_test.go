package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestEndToEndBackupOfARunningBoard(t *testing.T) {
	storetest.SQLiteOnly(t)
	data, dir := newData(t), t.TempDir()
	site := startBoard(t, data)
	member := site.browser(t, "member")
	signUp(member, "minsu").redirected(t, "/auth/pending")

	file := filepath.Join(dir, "one.db")
	commandSays(t, []string{"backup", "--data", data, file}, false, file, "found whole", "Its key is not in it", "secret.key")
	commandSays(t, []string{"backup", "--data", data, file}, true, "is there already", "name another")
	commandSays(t, []string{"backup", "--data", data, filepath.Join(dir, "none", "x")}, true, "no directory", "make it first")
	commandSays(t, []string{"backup", "--data", dir, file + "2"}, true, "no board", "--data")

	both := filepath.Join(dir, "both.db")
	commandSays(t, []string{"backup", "--data", data, "--with-key", both}, false, both+".key", "who has both")
	for _, made := range []string{file, both, both + ".key"} {
		if info, err := os.Stat(made); err != nil || info.Mode() != 0o600 {
			t.Errorf("%s has the mode %v: %v", made, info.Mode(), err)
		}
	}
	key, _ := os.ReadFile(filepath.Join(data, store.KeyFileName))
	if beside, _ := os.ReadFile(both + ".key"); string(beside) != string(key) || len(key) == 0 {
		t.Error("the key beside it is another")
	}
	if text, _ := os.ReadFile(both); strings.Contains(string(text), strings.TrimSpace(string(key))) {
		t.Error("the key is in the backup itself")
	}
	commandSays(t, []string{"restore", "--data", data, file}, true, "a madang serve runs on", "stop it first")

	elsewhere := newData(t)
	commandSays(t, []string{"restore", "--data", elsewhere, file}, true, "there is no key in", file+".key", "MADANG_SECRET_FILE")
	commandSays(t, []string{"restore", "--data", elsewhere, both}, false, "is that of "+both)
	again := startBoard(t, elsewhere)
	member.base = again.url
	if page := member.get("/auth/pending"); !strings.Contains(page.doc.Text(), "minsu@example.com") {
		t.Errorf("the restored board does not know who signed up: %d", page.status)
	}
}

// What cannot be had whole is not had at all.
func TestABackupWithAKeyHasItsKey(t *testing.T) {
	storetest.SQLiteOnly(t)
	data, dir := newData(t), t.TempDir()
	if _, err := runCommand(t, "", "migrate", "--data", data); err != nil {
		t.Fatal(err)
	}
	servedOnce(t, data) // it leaves the fingerprint of its key
	file := filepath.Join(dir, "backup.db")
	args := []string{"backup", "--data", data, "--with-key", file}
	if err := os.WriteFile(file+".key", []byte(secretA), 0o600); err != nil {
		t.Fatal(err)
	}
	commandSays(t, args, true, file+".key", "is there already")
	commandSays(t, append(args, "--secret", secretB), true, "not the one this database was made with")
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the backup without a key is there: %v", err)
	}
	if err := os.Remove(filepath.Join(data, store.KeyFileName)); err != nil {
		t.Fatal(err)
	}
	commandSays(t, args, true, "secret key", "no such file")
	commandSays(t, []string{"backup", "--data", data, file}, false, "Its key is not in it")
}

func TestARestoreNeedsTheKeyOfTheBackup(t *testing.T) {
	storetest.SQLiteOnly(t)
	data, file := newData(t), filepath.Join(t.TempDir(), "backup.db")
	servedOnce(t, data, "--secret", secretA)
	commandSays(t, []string{"backup", "--data", data, "--secret", secretA, file}, false, "MADANG_SECRET")
	other := newData(t)
	servedOnce(t, other)
	before := fileSum(t, filepath.Join(other, store.FileName))
	commandSays(t, []string{"restore", "--data", other, file}, true, "nothing was changed", "is not the one that", file+".key")
	commandSays(t, []string{"restore", "--data", other, "--secret", secretB, file}, true, "nothing was changed", "MADANG_SECRET")
	if fileSum(t, filepath.Join(other, store.FileName)) != before {
		t.Error("the board is another now")
	}
	commandSays(t, []string{"restore", "--data", other, "--secret", secretA, file}, false, "is kept as")
	startBoard(t, other, "--secret", secretA)
}

func TestBackupsOfPostgreSQLAreMadeByPostgreSQL(t *testing.T) {
	const server = "postgres://u:hidden@127.0.0.1:1/d"
	commandSays(t, []string{"backup", "--database", server, "x.db"}, true, "pg_dump", "--file=x.db", "postgres://127.0.0.1:1/d")
	commandSays(t, []string{"restore", "--database", server, "x.db"}, true, "pg_restore")
	commandSays(t, serveArgs(t.TempDir(), "--database", server, "--backup-at", "03:30"), true, "--backup-at (MADANG_BACKUP_AT)", "pg_dump")
}

func TestABackupOnAFullDiskSaysSo(t *testing.T) {
	storetest.SQLiteOnly(t)
	data, disk := newData(t), t.TempDir()
	servedOnce(t, data)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := `mount -t tmpfs -o size=64k none "$0" 2>/dev/null || { echo no tmpfs; exit 9; }; "$@" </dev/fd/3; echo "status $?"; ls -A "$0"`
	c := exec.CommandContext(t.Context(), "unshare", "-rm", "sh", "-c", script, disk, self, "backup", "--data", data, filepath.Join(disk, "x.db"))
	c.Env = []string{beProgram + "=1", "PATH=" + os.Getenv("PATH")}
	in, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	c.ExtraFiles = []*os.File{in}
	said, err := c.CombinedOutput()
	if err != nil {
		lacks(t, fmt.Sprintf("a disk of its own cannot be had here: %v %s", err, said))
	}
	if text := string(said); !strings.Contains(text, "the disk is full; free some space there") || !strings.HasSuffix(text, "status 1\n") {
		t.Errorf("it says\n%s", text)
	}
}

func TestTheBoardBacksItselfUp(t *testing.T) {
	storetest.SQLiteOnly(t)
	data := newData(t)
	site := startBoard(t, data, "--backup-at", "03:30", "--backup-keep", "2", "--timezone", "Asia/Seoul")
	var made []string
	for deadline := time.Now().Add(20 * time.Second); len(made) == 0; <-time.After(20 * time.Millisecond) {
		if made, _ = filepath.Glob(filepath.Join(data, "backups", "*.db")); time.Now().After(deadline) {
			t.Fatal("there is no backup of the last slot")
		}
	}
	if err := site.halt(); err != nil {
		t.Fatal(err)
	}
	board, err := store.ReadBoardFile(t.Context(), made[0])
	if err != nil || board.Schema.There == 0 || !dailyBackups.MatchString(filepath.Base(made[0])) {
		t.Errorf("%s holds %+v: %v", made[0], board, err)
	}
	db := openStore(t, filepath.Join(data, store.FileName), data)
	defer db.Close()
	if runs, err := db.BackupRuns(t.Context()); err != nil || runs.Good.IsZero() || runs.Failure != "" {
		t.Errorf("its row says %+v: %v", runs, err)
	}
}

func TestOldBackupsGoOnceANewOneIsGood(t *testing.T) {
	storetest.SQLiteOnly(t)
	data := newData(t)
	servedOnce(t, data)
	c := &serveCmd{storage: storage{Data: directory(data)}, ownBackups: ownBackups{BackupAt: clockTime{set: true}, BackupKeep: 2}}
	now := time.Date(2026, 5, 1, 3, 30, 0, 0, time.UTC)
	task := c.backupTask(func() time.Time { return now }, testLogger(t))
	if err := c.makeBackups(); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{"before-schema-27-from-26-20260101T000000.000Z.db", "madang-20200101T000000.000Z.db.mine", "madang-20200101T000000.000Z.db.partial-77"} {
		if err := os.WriteFile(filepath.Join(c.backups(), other), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 {
		now = now.Add(24 * time.Hour)
		if result, err := task(t.Context()); err != nil || !strings.Contains(result, now.Format("madang-20060102T")) {
			t.Fatalf("%q, %v", result, err)
		}
	}
	want := []string{
		"before-schema-27-from-26-20260101T000000.000Z.db", "madang-20200101T000000.000Z.db.mine",
		"madang-20260504T033000.000Z.db", "madang-20260505T033000.000Z.db",
	}
	if left := filesIn(t, c.backups()); !slices.Equal(left, want) {
		t.Errorf("left are %v", left)
	}
	if _, err := task(t.Context()); err == nil { // its name is taken
		t.Error("a backup that cannot be made is no failure")
	}
	if left := filesIn(t, c.backups()); !slices.Equal(left, want) {
		t.Errorf("after a failure left are %v", left)
	}
}

func TestABoardOfAnOlderSchemaIsKeptBeforeItChanges(t *testing.T) {
	storetest.SQLiteOnly(t)
	data := newData(t)
	newest := schemaVersion(t)
	olderBoard(t, data, newest-1)
	commandSays(t, []string{"backup", "--data", data, filepath.Join(t.TempDir(), "x.db")}, false, fmt.Sprintf("schema %d", newest-1))
	if now := storetest.Rows(t, filepath.Join(data, store.FileName), `SELECT MAX(version) FROM schema_version`)[0][0]; now != fmt.Sprint(newest-1) {
		t.Fatalf("a backup brought the schema to %s", now)
	}
	servedOnce(t, data)
	kept := filesIn(t, filepath.Join(data, "backups"))
	if len(kept) != 1 || !strings.HasPrefix(kept[0], fmt.Sprintf("before-schema-%d-from-%d-", newest, newest-1)) {
		t.Fatalf("kept are %v", kept)
	}
	board, err := store.ReadBoardFile(t.Context(), filepath.Join(data, "backups", kept[0]))
	if err != nil || board.Schema.There != newest-1 {
		t.Errorf("it holds %+v: %v", board, err)
	}
	servedOnce(t, data)
	if again := filesIn(t, filepath.Join(data, "backups")); len(again) != 1 {
		t.Errorf("a start with nothing to change keeps %v", again)
	}
}

func TestAStartThatCannotKeepTheOldSchemaChangesNothing(t *testing.T) {
	storetest.SQLiteOnly(t)
	data := newData(t)
	olderBoard(t, data, schemaVersion(t)-1)
	if err := os.WriteFile(filepath.Join(data, "backups"), []byte("no directory"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := fileSum(t, filepath.Join(data, store.FileName))
	for _, args := range [][]string{serveArgs(data), {"migrate", "--data", data}, {"jobs", "list", "--data", data}} {
		commandSays(t, args, true, "nothing was changed", "the backup before that failed")
	}
	if fileSum(t, filepath.Join(data, store.FileName)) != before {
		t.Error("the board is another now")
	}
}

func TestAStartThatFailsAgainAndAgainKeepsFewCopies(t *testing.T) {
	storetest.SQLiteOnly(t)
	data := newData(t)
	olderBoard(t, data, schemaVersion(t)-1)
	s := storage{Data: directory(data)}
	for range oldSchemasKept + 2 {
		if kept, err := s.keepOldSchema(t.Context()); err != nil || kept == "" {
			t.Fatal(kept, err)
		}
	}
	if kept := filesIn(t, s.backups()); len(kept) != oldSchemasKept {
		t.Errorf("kept are %v", kept)
	}
}

func TestTimesOfBackups(t *testing.T) {
	var at clockTime
	for text, cron := range map[string]string{"00:00": "0 0 0 * * *", "03:30": "0 30 3 * * *", "23:59": "0 59 23 * * *"} {
		if err := at.UnmarshalText([]byte(text)); err != nil || at.cron() != cron || at.String() != text {
			t.Errorf("%s is %q: %v", text, at.cron(), err)
		}
	}
	for _, text := range []string{"", "3:30", "24:00", "03:60", "03:30:00", "0330", "0 30 3 * * *"} {
		if err := at.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is a time of the day", text)
		}
	}
	for _, text := range []string{"", "0", "-1", "1001", "x"} {
		if err := new(backupCount).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is a number of backups", text)
		}
	}
}
