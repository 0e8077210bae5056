package store_test

import (
	"context"
	"os"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// usedBoard is a board with something in every table, and what its people hold
// in their hands.
type usedBoard struct {
	path    string
	options store.Options // but for the database
	copy    string        // the database it was copied into

	post                    int64
	linked, coded, unmailed int64 // sign-ups that wait
	token, code             string
	running                 store.Job
	dead                    int64
	highest                 map[string]int64 // ids that were given last, of rows that are gone
}

func newUsedBoard(t *testing.T) *usedBoard {
	t.Helper()
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	b := &usedBoard{
		path: storetest.File(t), highest: map[string]int64{},
		options: store.Options{NoLimits: true, Now: clock.Now, Key: store.Key{7}},
	}
	s := b.open(t, b.path)
	if err := s.Seed(t.Context(), storetest.Password); err != nil {
		t.Fatal(err)
	}
	_, b.post = busyPost(t, s)
	if err := s.AddViews(t.Context(), []store.ViewEvent{event(t, s, b.post, 0, "192.0.2.7", "known")}); err != nil {
		t.Fatal(err)
	}
	apply(t, s)
	b.signUps(t, s)
	b.rest(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *usedBoard) open(t *testing.T, database string) *store.Store {
	t.Helper()
	o := b.options
	o.Database = database
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// signUps makes sign-ups in every state, a dead mail and one in a worker's hands.
func (b *usedBoard) signUps(t *testing.T, s *store.Store) {
	t.Helper()
	b.linked, b.coded = storetest.Signup(t, s), storetest.Signup(t, s)
	b.token, b.code = storetest.Token(t, s, b.linked), storetest.Code(t, s, b.coded)
	storetest.Signup(t, s)
	dead := claimed(t, s, 1, store.KindVerifyMail)[0]
	if err := s.KillJob(t.Context(), dead, "550 no such user"); err != nil {
		t.Fatal(err)
	}
	b.dead = dead.ID
	storetest.Signup(t, s)
	b.running = claimed(t, s, 1, store.KindVerifyMail)[0]
	b.unmailed = storetest.Signup(t, s)
}

// rest fills what is left empty, with values of every sort.
func (b *usedBoard) rest(t *testing.T, s *store.Store) {
	t.Helper()
	ctx := t.Context()
	for _, err := range []error{
		s.Sessions().Save(ctx, store.Session{Token: "living", UserID: 1, Device: "Firefox", Data: []byte{0, 1, 0xff}, ExpiresAt: b.options.Now().Add(time.Hour)}),
		s.Sessions().Save(ctx, store.Session{Token: "ended", Data: []byte("x"), ExpiresAt: b.options.Now().Add(time.Hour)}),
		s.Sessions().DeleteCtx(ctx, "ended"), // leaves a row with no bytes
		s.AddMail(ctx, store.MailboxMail{To: "하늘@example.com", Subject: "\t\"quoted\" \\N 🙂", Text: "a\nb"}),
		s.RaiseAlarm(ctx, store.Alarm{Kind: store.AlarmMail, Since: b.options.Now(), Reason: "down"}),
		s.MarkRead(ctx, 1, b.post, store.Reading{Newest: 1}),
		s.Exec(ctx, `INSERT INTO slots (task, slot, started_at) VALUES ('cleanup', '2026-05-01', 1)`),
		s.Exec(ctx, `INSERT INTO days VALUES (20000, 1, 2, 3, 4, 5, 6, 7)`),
		s.Exec(ctx, `INSERT INTO kept_texts VALUES (x'00ff', '/posts/new', '', '', 'f', 0, 9000000000000, 1)`),
		s.Exec(ctx, `INSERT INTO drafts (user_id, form, subject, title, body, parent, base_at, saved_at)
			VALUES (1, 'comment', 1, '', '글\n', 1, 0, 9000000000000)`),
		s.Exec(ctx, `INSERT INTO email_changes (user_id, email, email_key, old_email, old_key, credentials, nonce, created_at)
			VALUES (1, 'A@b.kr', 'a@b.kr', 'c@d.kr', 'c@d.kr', 0, x'0102', 5)`),
		s.Exec(ctx, `INSERT INTO corrected_addresses VALUES (x'00ff', 7)`),
		s.Exec(ctx, `INSERT INTO notices VALUES (7, 'Gone@example.com', 'gone@example.com', 'ko')`),
		s.Exec(ctx, `INSERT INTO resets (email_key, credentials, nonce, created_at) VALUES ('a@b.kr', 0, x'03', 6)`),
		s.Exec(ctx, `INSERT INTO turns (bucket, who, at) VALUES ('login', x'00', 1), ('login', x'', -5)`),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, table := range []string{"turns", "mailbox"} {
		b.highest[table] = 500
		if err := s.Exec(ctx, `UPDATE `+table+` SET id = 500 WHERE id = (SELECT MAX(id) FROM `+table+`)`); err != nil {
			t.Fatal(err)
		}
	}
	// The newest post was deleted for good: its id is never given again.
	gone := storetest.Post(t, s, storetest.Member(t, s))
	if err := s.Exec(ctx, `DELETE FROM posts WHERE id = $1`, gone); err != nil {
		t.Fatal(err)
	}
	b.highest["posts"] = gone
}

// copyInto copies the board into a database.
func (b *usedBoard) copyInto(t *testing.T, database string, tell store.CopyProgress) (store.CopyReport, error) {
	t.Helper()
	return b.copyWithin(t.Context(), t, database, tell)
}

func (b *usedBoard) copyWithin(ctx context.Context, t *testing.T, database string, tell store.CopyProgress) (store.CopyReport, error) {
	t.Helper()
	source, err := store.OpenCopySource(t.Context(), b.path)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	target, err := store.OpenCopyTarget(t.Context(), database)
	if err != nil {
		return store.CopyReport{}, err
	}
	defer target.Close()
	return store.Copy(ctx, source, target, tell)
}

// copied copies the board and opens the copy.
func (b *usedBoard) copied(t *testing.T) (*store.Store, store.CopyReport) {
	t.Helper()
	b.copy = storetest.PostgresOnce(t).Blank(t)
	report, err := b.copyInto(t, b.copy, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := b.open(t, b.copy)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, report
}

// altered makes a copy of the board's file and changes it by hand.
func (b *usedBoard) altered(t *testing.T, statement string) func(path string) error {
	return func(path string) error {
		text, err := os.ReadFile(b.path)
		if err == nil {
			err = os.WriteFile(path, text, 0o600)
		}
		if err == nil {
			storetest.Rows(t, path, statement)
		}
		return err
	}
}
