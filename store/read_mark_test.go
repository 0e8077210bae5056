package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// opens reads a post as a member does.
func opens(t *testing.T, s *store.Store, u store.User, post int64) {
	t.Helper()
	r, err := s.Reading(t.Context(), u.ID, post)
	if err == nil {
		err = s.MarkRead(t.Context(), u.ID, post, r)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func unread(t *testing.T, s *store.Store, u store.User) map[int64]store.Unread {
	t.Helper()
	got, err := s.Unread(t.Context(), u, list(t, s, store.ListQuery{Limit: 100}).Posts)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func wantUnread(t *testing.T, s *store.Store, u store.User, want map[int64]store.Unread) {
	t.Helper()
	if diff := cmp.Diff(want, unread(t, s, u)); diff != "" {
		t.Errorf("unread (-want +got):\n%s", diff)
	}
}

func TestWhatAMemberHasNotSeenIsUnread(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now, NoLimits: true})
	author := storetest.Member(t, s)
	storetest.Post(t, s, author) // before the reader joined
	clock.Advance(time.Minute)
	reader := storetest.Member(t, s)
	clock.Advance(time.Minute)
	first, second := storetest.Post(t, s, author), storetest.Post(t, s, author)
	own := storetest.Post(t, s, reader)
	never := store.Unread{Post: true}
	wantUnread(t, s, reader, map[int64]store.Unread{first: never, second: never})
	opens(t, s, reader, first)
	opens(t, s, reader, own)
	wantUnread(t, s, reader, map[int64]store.Unread{second: never})
	gone := say(t, s, author, store.NewComment{PostID: first})
	say(t, s, author, store.NewComment{PostID: first})
	say(t, s, author, store.NewComment{PostID: own})
	say(t, s, author, store.NewComment{PostID: second})
	if err := s.DeleteComment(t.Context(), author, gone); err != nil {
		t.Fatal(err)
	}
	wantUnread(t, s, reader, map[int64]store.Unread{first: {Comments: 1}, second: never, own: {Comments: 1}})
	wantUnread(t, s, author, map[int64]store.Unread{own: never})
	opens(t, s, reader, first)
	opens(t, s, reader, second)
	wantUnread(t, s, reader, map[int64]store.Unread{own: {Comments: 1}})
}

func TestUnreadIsForgottenTogetherWithItsMarks(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 23, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now, NoLimits: true})
	author, reader := storetest.Member(t, s), storetest.Member(t, s)
	clock.Advance(time.Minute)
	opened, unopened := storetest.Post(t, s, author), storetest.Post(t, s, author)
	opens(t, s, reader, opened)
	for range 32 {
		if _, err := s.Cleanup(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := unread(t, s, reader); got[opened].Post {
			t.Fatalf("%s: a post that was opened is new again", clock.Now())
		}
		clock.Advance(24 * time.Hour)
	}
	wantUnread(t, s, reader, map[int64]store.Unread{})
	if n := count(t, s, `SELECT COUNT(*) FROM read_marks`); n != 0 || unopened == 0 {
		t.Errorf("%d marks are left", n)
	}
}

func TestReadingKnowsWhatAPostWasToAMember(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now, NoLimits: true})
	me, other := storetest.Member(t, s), storetest.Member(t, s)
	post := storetest.Post(t, s, other)
	day := int32(clock.Now().Unix() / 86400)
	reading := func(u store.User, want store.Reading) {
		t.Helper()
		got, err := s.Reading(t.Context(), u.ID, post)
		if err != nil || got != want {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
	reading(me, store.Reading{})
	opens(t, s, me, post)
	reading(me, store.Reading{Day: day})
	comment := say(t, s, other, store.NewComment{PostID: post})
	if err := s.Like(t.Context(), me, post); err != nil {
		t.Fatal(err)
	}
	reading(me, store.Reading{Liked: true, Day: day, Newest: comment})
	reading(other, store.Reading{Newest: comment})
	opens(t, s, me, post)
	if err := s.MarkRead(t.Context(), me.ID, post, store.Reading{Newest: comment - 1}); err != nil { // came later
		t.Fatal(err)
	}
	clock.Advance(24 * time.Hour)
	reading(me, store.Reading{Liked: true, Seen: comment, Day: day, Newest: comment})
	opens(t, s, me, post)
	reading(me, store.Reading{Liked: true, Seen: comment, Day: day + 1, Newest: comment})
	if err := s.MarkRead(t.Context(), me.ID, 999, store.Reading{}); err != nil {
		t.Errorf("a post that is not there: %v", err)
	}
}

func TestNewCommentsAreCountedNoFurtherThanShown(t *testing.T) {
	s := storetest.New(t)
	author, reader := storetest.Member(t, s), storetest.Member(t, s)
	post := storetest.Post(t, s, author)
	opens(t, s, reader, post)
	crowd(t, s, author, post, 3*store.UnreadMax)
	wantUnread(t, s, reader, map[int64]store.Unread{post: {Comments: store.UnreadMax}})
}

func TestUnreadIsAnsweredByKeys(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	for range 7 {
		storetest.Member(t, s)
	}
	err := s.Exec(t.Context(), `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
		INSERT INTO posts (author_id, form_id, title, body, created_at) SELECT $1, CAST(i AS TEXT), 't', 'b', 0 FROM n`, author.ID)
	if err != nil {
		t.Fatal(err)
	}
	exec(t, s, `INSERT INTO read_marks SELECT u.id, p.id, 0, 0 FROM users AS u, posts AS p`)
	exec(t, s, `INSERT INTO comments (post_id, author_id, form_id, body, created_at)
		SELECT p.id, u.id, CAST(p.id AS TEXT), 'b', 0 FROM posts AS p, users AS u`)
	exec(t, s, `ANALYZE`)
	args := []any{store.UnreadMax, author.ID}
	for id := range 20 {
		args = append(args, id+1)
	}
	plan := explain(t, s, store.UnreadSQL(20), args...)
	for _, table := range []string{"m", "c", "read_marks", "comments"} {
		if readsAll(plan, table) {
			t.Errorf("%s is read as a whole:\n%s", table, plan)
		}
	}
	if !strings.Contains(plan, "comments_post") {
		t.Errorf("new comments are not found by post and number:\n%s", plan)
	}
}
