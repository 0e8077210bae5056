package store_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// wantTrueCounters checks that each counter is the number of the rows it counts.
func wantTrueCounters(t *testing.T, s *store.Store) {
	t.Helper()
	for what, query := range map[string]string{
		"likes of a post": `SELECT COUNT(*) FROM posts AS p
			WHERE p.likes <> (SELECT COUNT(*) FROM likes AS l WHERE l.post_id = p.id)`,
		"comments of a post": `SELECT COUNT(*) FROM posts AS p WHERE p.comments <>
			(SELECT COUNT(*) FROM comments AS c WHERE c.post_id = p.id AND c.deleted_at IS NULL)`,
		"views of a post": `SELECT COUNT(*) FROM posts AS p
			WHERE p.views <> (SELECT COALESCE(SUM(d.views), 0) FROM post_days AS d WHERE d.post_id = p.id)`,
		"likes of the days": `SELECT COUNT(*) FROM posts AS p
			WHERE p.likes <> (SELECT COALESCE(SUM(d.likes), 0) FROM post_days AS d WHERE d.post_id = p.id)`,
		"days below zero": `SELECT COUNT(*) FROM post_days WHERE likes < 0 OR views < 0`,
	} {
		if n := count(t, s, query); n != 0 {
			t.Errorf("%s: %d counters are wrong", what, n)
		}
	}
}

func TestSeedFillsABoard(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 20, 9, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now, NoLimits: true})
	if err := s.Seed(t.Context(), storetest.Password); err != nil {
		t.Fatal(err)
	}
	wantTrueCounters(t, s)
	for query, want := range map[string]int64{
		`SELECT COUNT(*) FROM posts`:                             200,
		`SELECT COUNT(DISTINCT title) FROM posts`:                200,
		`SELECT COUNT(DISTINCT body) FROM posts`:                 200,
		`SELECT COUNT(*) FROM users`:                             int64(len(store.SeedEmails())),
		`SELECT COUNT(*) FROM users WHERE role = 'moderator'`:    1,
		`SELECT COUNT(*) FROM posts WHERE body LIKE '%{x}%'`:     0,
		`SELECT COUNT(*) FROM comments WHERE body LIKE '%{x}%'`:  0,
		`SELECT COUNT(*) FROM comments WHERE body LIKE '% => %'`: 0,
		`SELECT COUNT(*) FROM viewers`:                           count(t, s, `SELECT SUM(views) FROM posts`),
		// Nobody speaks before there is something to speak of, nor tomorrow.
		`SELECT COUNT(*) FROM comments AS c JOIN posts AS p ON p.id = c.post_id WHERE c.created_at < p.created_at`:      0,
		`SELECT COUNT(*) FROM comments AS c JOIN comments AS a ON a.id = c.parent_id WHERE c.created_at < a.created_at`: 0,
		`SELECT COUNT(*) FROM posts AS p JOIN users AS u ON u.id = p.author_id WHERE p.created_at < u.created_at`:       0,
		`SELECT COUNT(*) FROM posts AS p JOIN posts AS q ON q.id = p.id + 1 WHERE q.created_at < p.created_at`:          0,
	} {
		if n := count(t, s, query); n != want {
			t.Errorf("%s: %d, want %d", query, n, want)
		}
	}
	for _, query := range []string{
		`SELECT MAX(created_at) FROM posts`, `SELECT MAX(created_at) FROM comments`, `SELECT MAX(created_at) FROM likes`,
	} {
		if n := count(t, s, query); n > clock.Now().UnixMilli() {
			t.Errorf("%s: %d, after now", query, n)
		}
	}
	page := list(t, s, store.ListQuery{Sort: store.SortPopular, Limit: 20})
	if len(page.Posts) != 20 {
		t.Errorf("%d popular posts, want 20", len(page.Posts))
	}
	for _, email := range store.SeedEmails() {
		in, err := s.Authenticate(t.Context(), store.Login{Email: email, Password: storetest.Password})
		if err != nil || in.User.Email != email {
			t.Errorf("log in as %s: %v", email, err)
		}
	}
	if err := s.Seed(t.Context(), storetest.Password); !errors.Is(err, store.ErrNotEmpty) {
		t.Errorf("second time: %v", err)
	}
}

func TestSeedIsTheSameEachTime(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 20, 9, 0, 0, 0, time.UTC))
	var boards [][]store.Post
	for range 2 {
		s := storetest.Open(t, store.Options{Database: filepath.Join(t.TempDir(), "x.db"), Now: clock.Now})
		if err := s.Seed(t.Context(), storetest.Password); err != nil {
			t.Fatal(err)
		}
		boards = append(boards, list(t, s, store.ListQuery{Limit: 100}).Posts)
	}
	if diff := cmp.Diff(boards[0], boards[1]); diff != "" {
		t.Errorf("two boards differ:\n%s", diff)
	}
}

func TestSeedRefusesAnInhabitedDatabase(t *testing.T) {
	s := storetest.New(t)
	storetest.Member(t, s)
	if err := s.Seed(t.Context(), storetest.Password); !errors.Is(err, store.ErrNotEmpty) {
		t.Errorf("seed: %v", err)
	}
	if n := count(t, s, `SELECT COUNT(*) FROM posts`); n != 0 {
		t.Errorf("%d posts", n)
	}
	wantInvalid(t, s.Seed(t.Context(), strings.Repeat("x", 7)), map[string]store.Problem{"password": store.TooShort})
}
