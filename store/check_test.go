package store_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func wantChecked(t *testing.T, s *store.Store, want ...string) {
	t.Helper()
	got, err := s.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("contradictions (-want +got):\n%s", diff)
	}
}

func TestABoardInUseHasNoContradictions(t *testing.T) {
	s := storetest.New(t)
	wantChecked(t, s)
	if err := s.Seed(t.Context(), storetest.Password); err != nil {
		t.Fatal(err)
	}
	member, post := busyPost(t, s)
	wantChecked(t, s)
	if err := s.Unlike(t.Context(), member, post); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Cleanup(t.Context()); err != nil {
		t.Fatal(err)
	}
	storetest.Signup(t, s)
	wantChecked(t, s)
}

// busyPost makes a post with a like, a comment, a deleted comment and a view.
func busyPost(t *testing.T, s *store.Store) (store.User, int64) {
	t.Helper()
	ctx, member := t.Context(), storetest.Member(t, s)
	post := storetest.Post(t, s, member)
	if err := s.Like(ctx, member, post); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"first", "second"} {
		comment, err := s.CreateComment(ctx, member, store.NewComment{PostID: post, Body: id, FormID: id})
		if err != nil {
			t.Fatal(err)
		}
		if id == "second" {
			if err := s.DeleteComment(ctx, member, comment); err != nil {
				t.Fatal(err)
			}
		}
	}
	countView(t, s, post)
	return member, post
}

func countView(t *testing.T, s *store.Store, post int64) {
	t.Helper()
	ctx := t.Context()
	event, err := s.ViewEvent(ctx, post, 0, client(), "agent")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AddViews(ctx, []store.ViewEvent{event}); err != nil {
		t.Fatal(err)
	}
	batches, err := s.ClaimJobs(ctx, []string{store.KindViews}, 10, time.Minute)
	if err != nil || len(batches) != 1 {
		t.Fatalf("%d batches (%v)", len(batches), err)
	}
	if err := s.FinishJob(ctx, batches[0]); err != nil {
		t.Fatal(err)
	}
}

func TestEachContradictionIsFound(t *testing.T) {
	for want, statement := range map[string]string{
		"posts whose views are not those of their days: 1":          `UPDATE posts SET views = views + 1`,
		"days whose views are not their viewers: 1":                 `DELETE FROM viewers`,
		"members who have left, and something of theirs has not: 1": `UPDATE users SET deleted_at = 1`,
		"viewers who count nowhere: 1":                              `UPDATE viewers SET day = day + 1`,
		"posts whose likes are counted wrong: 1":                    `UPDATE posts SET likes = 2`,
		"days whose likes are counted wrong: 1":                     `UPDATE post_days SET likes = 0`,
		"posts whose comments are counted wrong: 1":                 `UPDATE posts SET comments = 2`,
		"members with the address of another: 1": `INSERT INTO users (email, email_key, nickname, nickname_key, name, password_hash, lang, created_at)
			SELECT email, upper(email_key), 'other', 'other', name, password_hash, lang, 0 FROM users`,
		"changes of an address that are over, and keep a password: 1": `INSERT INTO email_changes
			(user_id, email, email_key, old_email, old_key, credentials, nonce, state, created_at, password_hash)
			SELECT id, 'a@b.kr', 'a@b.kr', '', '', 0, x'00', 'proven', 0, password_hash FROM users`,
		"sign-ups whose mail is lost: 1":              `DELETE FROM jobs`,
		"sign-ups without a link: 1":                  `DELETE FROM signup_links`,
		"mails handed over without a note of when: 1": `UPDATE jobs SET state = 'done', finished_at = 0`,
		"jobs held long after their lease: 1":         `UPDATE jobs SET state = 'running', lease = 'x', lease_until = 0`,
	} {
		t.Run(want, func(t *testing.T) {
			s := storetest.New(t)
			busyPost(t, s)
			if err := s.Exec(t.Context(), `DELETE FROM jobs`); err != nil {
				t.Fatal(err)
			}
			storetest.Signup(t, s)
			if err := s.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
			got, err := s.Check(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(got, want) {
				t.Errorf("found %q, want %q", got, want)
			}
		})
	}
}

func TestAReferenceThatLeadsNowhereIsFound(t *testing.T) {
	o := store.Options{Database: filepath.Join(t.TempDir(), store.FileName), NoLimits: true}
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	busyPost(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	storetest.Rows(t, o.Database, `DELETE FROM users RETURNING id`)
	again, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	got, err := again.Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(got, "a reference leads nowhere: posts to users") {
		t.Errorf("found %q", got)
	}
}
