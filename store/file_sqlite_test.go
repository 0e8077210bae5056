package store

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAKillWhileThereIsAJournalIsUndone: a backup comes without a log, and its
// first start gives it one, under a journal.
func TestAKillWhileThereIsAJournalIsUndone(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	closeForTest(t, openForTest(t, path))
	db, err := openURI(path, "mode=rw&_pragma=journal_mode(delete)&_pragma=cache_size(1)&_pragma=cache_spill(1)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		`INSERT INTO settings (name, value) VALUES ('mark', 'before')`, `BEGIN IMMEDIATE`, `UPDATE settings SET value = 'after' WHERE name = 'mark'`,
		`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
			INSERT INTO settings (name, value) SELECT 'x' || i, hex(randomblob(500)) FROM n`,
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	killed := filepath.Join(t.TempDir(), FileName)
	for _, end := range []string{"", "-journal"} {
		text, err := os.ReadFile(path + end)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(killed+end, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := openReadOnlyCount(t, killed); err == nil {
		t.Fatal("who may only read can read it: the test shows nothing")
	}
	s := openForTest(t, killed)
	defer closeForTest(t, s)
	var value string
	err = s.readers.QueryRowContext(t.Context(), `SELECT value FROM settings WHERE name = 'mark'`).Scan(&value)
	if err != nil || value != "before" {
		t.Errorf("it says %q: %v", value, err)
	}
}

func openReadOnlyCount(t *testing.T, path string) (n int64, err error) {
	t.Helper()
	db, err := openReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	err = db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM settings`).Scan(&n)
	return n, err
}
