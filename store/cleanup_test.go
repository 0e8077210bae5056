package store_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// noon is when the night work of these tests begins.
func noon() time.Time { return time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC) }

func exec(t *testing.T, s *store.Store, query string, args ...any) {
	t.Helper()
	if err := s.Exec(t.Context(), query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// clean returns what was deleted, without the tables that lost nothing.
func clean(t *testing.T, s *store.Store) store.Cleaned {
	t.Helper()
	cleaned, err := s.Cleanup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for table, n := range cleaned {
		if n == 0 {
			delete(cleaned, table)
		}
	}
	return cleaned
}

// wantCleaned checks what the night work deletes, and that it then finds nothing more.
func wantCleaned(t *testing.T, s *store.Store, want store.Cleaned) {
	t.Helper()
	if diff := cmp.Diff(want, clean(t, s)); diff != "" {
		t.Errorf("cleaned (-want +got):\n%s", diff)
	}
	if again := clean(t, s); len(again) != 0 {
		t.Errorf("the second time: %v", again)
	}
}

func TestEachTableIsCleanedAtItsTimeAndNotBefore(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		table  string
		insert string // $1 is a time
		life   time.Duration
	}{
		{"sessions", `INSERT INTO sessions (token, data, created_at, seen_at, expires_at) VALUES ('t', x'00', 0, 0, $1)`, time.Hour},
		{"sessions", `INSERT INTO sessions (token, data, created_at, seen_at, expires_at, dead) VALUES ('t', x'00', 0, 0, $1, 1)`, time.Hour},
		{"jobs", `INSERT INTO jobs (kind, state, payload, run_at, created_at, finished_at)
			VALUES ('verify_mail', 'done', x'00', 0, 0, $1)`, 7 * day},
		{"mailbox", `INSERT INTO mailbox (recipient, recipient_key, subject, text, html, link, code, at)
			VALUES ('', '', '', '', '', '', '', $1)`, 7 * day},
		{"turns", `INSERT INTO turns (bucket, who, at) VALUES ('mail', x'00', $1)`, 25 * time.Hour},
		{"kept_texts", `INSERT INTO kept_texts (owner, path, title, body, form_id, parent, expires_at)
			VALUES (x'00', '', '', '', '', 0, $1)`, -time.Millisecond},
		{"corrected_addresses", `INSERT INTO corrected_addresses VALUES (x'00', $1)`, -time.Millisecond},
		{"slots", `INSERT INTO slots (task, slot, started_at) VALUES ('t', 's', $1)`, 90 * day},
		{"signups", `INSERT INTO signups (email, email_key, name, nickname, password_hash, lang, created_at, ends_at)
			VALUES ('', '', '', '', '', 'en', 0, $1)`, -time.Millisecond},
	} {
		t.Run(c.table, func(t *testing.T) {
			clock := storetest.NewClock(noon())
			s := storetest.Open(t, store.Options{Now: clock.Now})
			exec(t, s, c.insert, noon().UnixMilli())
			clock.Advance(c.life)
			wantCleaned(t, s, store.Cleaned{})
			clock.Advance(time.Millisecond)
			wantCleaned(t, s, store.Cleaned{c.table: 1})
		})
	}
}

func TestSignupLivesAsLongAsItsMailAndADayMore(t *testing.T) {
	const signup = `INSERT INTO signups (email, email_key, name, nickname, password_hash, lang, created_at, job_id)
		VALUES ('', '', '', '', '', 'en', $1, 1)`
	for _, c := range []struct {
		name, job string
		stays     bool
	}{
		{"waiting", `INSERT INTO jobs (id, kind, state, payload, run_at, created_at) VALUES (1, 'verify_mail', 'available', x'00', 0, 0)`, true},
		{"waiting for its next try", `INSERT INTO jobs (id, kind, state, payload, run_at, created_at) VALUES (1, 'verify_mail', 'scheduled', x'00', 0, 0)`, true},
		{"under way", `INSERT INTO jobs (id, kind, state, payload, run_at, created_at, lease, lease_until) VALUES (1, 'verify_mail', 'running', x'00', 0, 0, 'l', 0)`, true},
		{"gone", ``, false},
		{"given up", `INSERT INTO jobs (id, kind, state, payload, run_at, created_at, finished_at) VALUES (1, 'verify_mail', 'dead', x'00', 0, 0, $1)`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			clock := storetest.NewClock(noon())
			s := storetest.Open(t, store.Options{Now: clock.Now})
			exec(t, s, signup, noon().UnixMilli())
			if c.job != "" {
				args := []any{noon().UnixMilli()}
				if c.stays {
					args = nil
				}
				exec(t, s, c.job, args...)
			}
			clock.Advance(24 * time.Hour)
			wantCleaned(t, s, store.Cleaned{})
			clock.Advance(time.Millisecond)
			want := store.Cleaned{"signups": 1}
			if c.stays {
				want = store.Cleaned{}
			}
			wantCleaned(t, s, want)
		})
	}
}

func TestNightWorkLeavesAloneWhatIsAlive(t *testing.T) {
	clock := storetest.NewClock(noon())
	s := storetest.Open(t, store.Options{Now: clock.Now, NoLimits: true})
	member := storetest.Member(t, s)
	comment := say(t, s, member, store.NewComment{PostID: storetest.Post(t, s, member)})
	waiting := storetest.Signup(t, s)
	clock.Advance(29 * 24 * time.Hour)
	sent := storetest.Signup(t, s)
	storetest.Mail(t, s, sent)
	clock.Advance(24*time.Hour - time.Millisecond)
	clean(t, s)
	if _, err := s.UserByID(t.Context(), member.ID); err != nil {
		t.Errorf("member: %v", err)
	}
	if _, err := s.CommentByID(t.Context(), comment); err != nil {
		t.Errorf("comment: %v", err)
	}
	for name, id := range map[string]int64{"whose mail waits": waiting, "whose link is still good": sent} {
		if _, err := s.SignupByID(t.Context(), id); err != nil {
			t.Errorf("sign-up %s: %v", name, err)
		}
	}
	if n := count(t, s, `SELECT COUNT(*) FROM signups WHERE state = 'verified'`); n != 1 {
		t.Errorf("%d verified sign-ups, want the one of 30 days", n)
	}
	clock.Advance(time.Millisecond)
	clean(t, s)
	if n := count(t, s, `SELECT COUNT(*) FROM signups`); n != 1 {
		t.Errorf("%d sign-ups, want the one whose mail waits", n)
	}
	if n := count(t, s, `SELECT COUNT(*) FROM signup_links`); n != 1 {
		t.Errorf("%d links of %d sign-ups", n, 1)
	}
	if _, err := s.UserByID(t.Context(), member.ID); err != nil {
		t.Errorf("member: %v", err)
	}
}

func TestDeadJobsStayForTheOperator(t *testing.T) {
	clock := storetest.NewClock(noon())
	s := storetest.Open(t, store.Options{Now: clock.Now})
	exec(t, s, `INSERT INTO jobs (kind, state, payload, run_at, created_at, finished_at) VALUES ('k', 'dead', x'00', 0, 0, 0)`)
	clock.Advance(365 * 24 * time.Hour)
	wantCleaned(t, s, store.Cleaned{})
}

func TestViewersAreForgottenOnceTheirReadingsAreCounted(t *testing.T) {
	midnight := time.Date(2026, 5, 20, 0, 0, 0, 0, time.UTC)
	today := midnight.Unix() / 86400
	clock := storetest.NewClock(midnight.Add(-time.Millisecond))
	s := storetest.Open(t, store.Options{Now: clock.Now})
	for day := today - 2; day <= today; day++ {
		exec(t, s, `INSERT INTO viewers (day, post_id, viewer) VALUES ($1, 1, x'00')`, day)
		exec(t, s, `INSERT INTO view_keys (day, key) VALUES ($1, x'00')`, day)
	}
	// On the day after a day: its key goes, its viewers stay.
	wantCleaned(t, s, store.Cleaned{"view_keys": 1})
	clock.Set(midnight)
	for _, job := range []string{
		`INSERT INTO jobs (id, kind, state, payload, run_at, created_at) VALUES (7, 'views', 'available', x'', 0, 0)`,
		`UPDATE jobs SET state = 'scheduled'`,
		`UPDATE jobs SET state = 'running', lease = 'l', lease_until = 0`,
	} {
		exec(t, s, job)
		wantCleaned(t, s, store.Cleaned{})
	}
	exec(t, s, `DELETE FROM jobs`)
	wantCleaned(t, s, store.Cleaned{"viewers": 1})
	// The key of yesterday rests an hour, for readings of its last moment.
	clock.Advance(time.Hour - time.Millisecond)
	wantCleaned(t, s, store.Cleaned{})
	clock.Advance(time.Millisecond)
	wantCleaned(t, s, store.Cleaned{"view_keys": 1})
	if n := count(t, s, `SELECT COUNT(*) FROM viewers`); n != 2 {
		t.Errorf("%d viewers, want those of today and yesterday", n)
	}
}

func TestMoreThanABatchIsDeleted(t *testing.T) {
	clock := storetest.NewClock(noon())
	s := storetest.Open(t, store.Options{Now: clock.Now})
	exec(t, s, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1234)
		INSERT INTO turns (bucket, who, at) SELECT 'mail', x'00', i FROM n`)
	wantCleaned(t, s, store.Cleaned{"turns": 1234})
}

func TestCleanupEndsWithItsContext(t *testing.T) {
	s := storetest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Cleanup(ctx); err == nil {
		t.Error("no error from a cleanup that was called off")
	}
}

// The server cannot know that a backlog of views and one of retries have no job
// in common.
func TestAskingForOpenViewsReadsNoBacklog(t *testing.T) {
	s, _ := onServer(t)
	addJobs(t, s, 20_000, store.KindViews, store.Available, time.Now())
	addJobs(t, s, 20_000, store.KindVerifyMail, store.Scheduled, time.Now().Add(time.Hour))
	exec(t, s, `ANALYZE`)
	if plan := explain(t, s, store.NoOpenViewsSQL, 1); readsAll(plan, "jobs") {
		t.Errorf("asks by\n%s", plan)
	}
}
