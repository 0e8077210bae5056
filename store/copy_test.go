package store_test

import (
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func TestACopyHoldsAllThatWasThere(t *testing.T) {
	b := newUsedBoard(t)
	s, report := b.copied(t)
	tables := 0
	for _, line := range report.Lines {
		if !line.Same || line.There != line.Here {
			t.Errorf("%+v", line)
		}
		if !strings.Contains(line.Name, " ") {
			tables++
			if line.There == 0 {
				t.Errorf("the board of this test has nothing in %s, so nothing is shown of it", line.Name)
			}
		}
	}
	if want := len(storetest.Rows(t, b.path, `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`)) - 1; tables != want {
		t.Errorf("%d tables, want %d", tables, want)
	}
	wantChecked(t, s)
	for _, query := range []string{
		`SELECT id, email_key, nickname, password_hash, role, disabled_at FROM users ORDER BY id`,
		`SELECT id, author_id, title, body, views, likes, comments, deleted_at FROM posts ORDER BY id`,
		`SELECT id, post_id, parent_id, body, deleted_at FROM comments ORDER BY id`,
		`SELECT id, kind, attempt, forgiven, last_error FROM jobs ORDER BY id`,
		`SELECT id, recipient, subject, html, at FROM mailbox ORDER BY id`,
		`SELECT token, expires_at, dead FROM sessions ORDER BY token`,
		`SELECT signup_id, generation, sent_at, code_tries FROM signup_links ORDER BY 1, 2`,
		`SELECT name, value FROM settings WHERE name = 'key'`,
	} {
		want := storetest.Rows(t, b.path, query)
		if diff := cmp.Diff(want, storetest.Rows(t, b.copy, query)); diff != "" || len(want) == 0 {
			t.Errorf("%s (-there +here):\n%s", query, diff)
		}
	}
}

func TestPeopleGoOnOnACopyAsIfNothingHadHappened(t *testing.T) {
	b := newUsedBoard(t)
	s, _ := b.copied(t)
	ctx := t.Context()
	if _, err := s.VerifyLink(ctx, store.Proof{Token: b.token, SignupID: b.linked}); err != nil {
		t.Errorf("the link of a mail from before: %v", err)
	}
	if _, err := s.VerifyCode(ctx, b.coded, b.code, ""); err != nil {
		t.Errorf("the code of a mail from before: %v", err)
	}
	if _, err := s.VerifyCode(ctx, b.unmailed, storetest.Code(t, s, b.unmailed), ""); err != nil {
		t.Errorf("a mail that had not gone out: %v", err)
	}
	if _, err := s.Authenticate(ctx, store.Login{Email: store.SeedEmails()[0], Password: storetest.Password, Client: client()}); err != nil {
		t.Errorf("the password of a member: %v", err)
	}
	if data, found, err := s.Sessions().FindCtx(ctx, "living"); string(data) != "\x00\x01\xff" || !found || err != nil {
		t.Errorf("a session from before: %q, %v, %v", data, found, err)
	}
	if _, found, err := s.Sessions().FindCtx(ctx, "ended"); found || err != nil {
		t.Errorf("a session that had ended: %v, %v", found, err)
	}
	if err := s.RetryDead(ctx, b.dead); err != nil {
		t.Errorf("a dead mail: %v", err)
	}
	wantChecked(t, s)
}

func TestNewIDsOfACopyWereNeverGiven(t *testing.T) {
	b := newUsedBoard(t)
	s, _ := b.copied(t)
	if got := storetest.Post(t, s, storetest.Member(t, s)); got != b.highest["posts"]+1 {
		t.Errorf("the next post has the id %d, want %d: that of the last one is used up", got, b.highest["posts"]+1)
	}
	for table, statement := range map[string]string{
		"turns":   `INSERT INTO turns (bucket, who, at) VALUES ('x', x'', 0)`,
		"mailbox": `INSERT INTO mailbox (recipient, recipient_key, subject, text, html, link, code, at) VALUES ('', '', '', '', '', '', '', 0)`,
	} {
		if err := s.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
		var id int64
		if err := s.Readers().QueryRowContext(t.Context(), `SELECT MAX(id) FROM `+table).Scan(&id); err != nil || id != b.highest[table]+1 {
			t.Errorf("%s goes on with %d (%v), want %d", table, id, err, b.highest[table]+1)
		}
	}
}

func TestAReaderFromBeforeTheCopyIsNotCountedAgain(t *testing.T) {
	b := newUsedBoard(t)
	s, _ := b.copied(t)
	before := views(t, s, b.post)
	err := s.AddViews(t.Context(), []store.ViewEvent{
		event(t, s, b.post, 0, "192.0.2.7", "known"),
		event(t, s, b.post, 0, "192.0.2.8", "new"),
	})
	if err != nil {
		t.Fatal(err)
	}
	apply(t, s)
	if got := views(t, s, b.post); got != before+1 {
		t.Errorf("%d views after one known and one new reader, want %d", got, before+1)
	}
	wantChecked(t, s)
}

func TestAJobOfAKilledProcessWaitsAgainOnACopy(t *testing.T) {
	b := newUsedBoard(t)
	s, report := b.copied(t)
	if report.Jobs != 1 {
		t.Errorf("%d jobs were given back, want 1", report.Jobs)
	}
	if err := s.FinishJob(t.Context(), b.running); !errors.Is(err, store.ErrLeaseLost) {
		t.Errorf("the worker from before finishes it: %v", err)
	}
	got, err := s.JobByID(t.Context(), b.running.ID)
	if err != nil || got.State != store.Available {
		t.Errorf("it is %s (%v)", got.State, err)
	}
	attempts, err := s.Attempts(t.Context(), b.running.ID)
	if err != nil || len(attempts) != 1 || attempts[0].Outcome != store.OutcomeLost {
		t.Errorf("its history is %+v (%v), as at a start one attempt is lost", attempts, err)
	}
}

// sums are the fingerprints of a database file and of the log beside it.
func sums(t *testing.T, path string) map[string][32]byte {
	t.Helper()
	found := map[string][32]byte{}
	for _, name := range []string{path, path + "-wal"} {
		text, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if len(text) > 0 {
			found[filepath.Base(name)] = sha256.Sum256(text)
		}
	}
	return found
}

func TestACopyLeavesTheFileAsItWas(t *testing.T) {
	b := newUsedBoard(t)
	before := sums(t, b.path)
	b.copied(t)
	if diff := cmp.Diff(before, sums(t, b.path)); diff != "" {
		t.Errorf("-before +after\n%s", diff)
	}
}

func TestACopyReadsTheLogOfAKilledProcess(t *testing.T) {
	b := newUsedBoard(t)
	s := b.open(t, b.path)
	written := storetest.Post(t, s, storetest.Member(t, s))
	left := storetest.File(t)
	for _, end := range []string{"", "-wal"} {
		text, err := os.ReadFile(b.path + end)
		if err == nil {
			err = os.WriteFile(left+end, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	b.path = left
	before := sums(t, left)
	if len(before) != 2 {
		t.Fatal("no log was left: the test shows nothing")
	}
	copied, _ := b.copied(t)
	if _, err := copied.PostByID(t.Context(), written); err != nil {
		t.Errorf("a post that was in the log alone: %v", err)
	}
	if diff := cmp.Diff(before, sums(t, left)); diff != "" {
		t.Errorf("-before +after\n%s", diff)
	}
}
