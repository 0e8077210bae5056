package store_test

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// say comments and returns the id.
func say(t *testing.T, s *store.Store, author store.User, n store.NewComment) int64 {
	t.Helper()
	if n.FormID == "" {
		n.FormID = rand.Text()
	}
	if n.Body == "" {
		n.Body = "a comment"
	}
	id, err := s.CreateComment(t.Context(), author, n)
	if err != nil {
		t.Fatalf("comment: %v", err)
	}
	return id
}

func comments(t *testing.T, s *store.Store, postID int64) []store.Comment {
	t.Helper()
	thread, err := s.Thread(t.Context(), postID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		t.Fatal(err)
	}
	return thread.Comments
}

func TestCommentsAreReadOldestFirst(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now, NoLimits: true})
	me, other := storetest.Member(t, s), storetest.Member(t, s)
	id, elsewhere := storetest.Post(t, s, me), storetest.Post(t, s, me)
	first := say(t, s, other, store.NewComment{PostID: id, Body: "첫 *댓글*\r\n둘째 줄"})
	say(t, s, other, store.NewComment{PostID: elsewhere})
	clock.Advance(time.Minute)
	second := say(t, s, me, store.NewComment{PostID: id, Parent: first, Body: "answer"})
	at := clock.Now()
	want := []store.Comment{
		{ID: first, PostID: id, AuthorID: other.ID, Author: other.Nickname, Body: "첫 *댓글*\n둘째 줄", CreatedAt: at.Add(-time.Minute)},
		{ID: second, PostID: id, AuthorID: me.ID, Author: me.Nickname, Parent: first, Body: "answer", CreatedAt: at},
	}
	if diff := cmp.Diff(want, comments(t, s, id)); diff != "" {
		t.Errorf("comments (-want +got):\n%s", diff)
	}
	one, err := s.CommentByID(t.Context(), second)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want[1], one); diff != "" {
		t.Errorf("comment by id (-want +got):\n%s", diff)
	}
	wantTrueCounters(t, s)
}

func TestCommentThatCannotBeTakenIsRefused(t *testing.T) {
	s := storetest.New(t)
	me := storetest.Member(t, s)
	id, elsewhere := storetest.Post(t, s, me), storetest.Post(t, s, me)
	foreign := say(t, s, me, store.NewComment{PostID: elsewhere})
	gone := say(t, s, me, store.NewComment{PostID: id})
	if err := s.DeleteComment(t.Context(), me, gone); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		n    store.NewComment
		want map[string]store.Problem
	}{
		{"nothing", store.NewComment{PostID: id}, map[string]store.Problem{"body": store.Missing, "form_id": store.Missing}},
		{"too long", store.NewComment{PostID: id, Body: strings.Repeat("가", 5001), FormID: "f"}, map[string]store.Problem{"body": store.TooLong}},
		{"escape", store.NewComment{PostID: id, Body: "a\x1b[31m", FormID: "f"}, map[string]store.Problem{"body": store.Malformed}},
		{"parent of another post", store.NewComment{PostID: id, Parent: foreign, Body: "b", FormID: "f"}, map[string]store.Problem{"parent": store.Missing}},
		{"deleted parent", store.NewComment{PostID: id, Parent: gone, Body: "b", FormID: "f"}, map[string]store.Problem{"parent": store.Missing}},
		{"unknown parent", store.NewComment{PostID: id, Parent: 999, Body: "b", FormID: "f"}, map[string]store.Problem{"parent": store.Missing}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := s.CreateComment(t.Context(), me, c.n)
			wantInvalid(t, err, c.want)
		})
	}
	if got := comments(t, s, id); len(got) != 0 {
		t.Errorf("%d comments, want none", len(got))
	}
	wantTrueCounters(t, s)
	say(t, s, me, store.NewComment{PostID: id, Body: strings.Repeat("가", 5000)})
}

func TestAnswerToAnAnswerStaysInTheThread(t *testing.T) {
	s := storetest.New(t)
	me := storetest.Member(t, s)
	id := storetest.Post(t, s, me)
	top := say(t, s, me, store.NewComment{PostID: id})
	answer := say(t, s, me, store.NewComment{PostID: id, Parent: top})
	again := say(t, s, me, store.NewComment{PostID: id, Parent: answer})
	if c, err := s.CommentByID(t.Context(), again); c.Parent != top || err != nil {
		t.Errorf("parent %d, %v, want %d", c.Parent, err, top)
	}
	// Without its top the answers stand for themselves, and begin threads.
	if err := s.DeleteComment(t.Context(), me, top); err != nil {
		t.Fatal(err)
	}
	late := say(t, s, me, store.NewComment{PostID: id, Parent: answer})
	parents := map[int64]int64{}
	for _, c := range comments(t, s, id) {
		parents[c.ID] = c.Parent
	}
	if diff := cmp.Diff(map[int64]int64{answer: 0, again: 0, late: answer}, parents); diff != "" {
		t.Errorf("parents (-want +got):\n%s", diff)
	}
	wantTrueCounters(t, s)
}

func TestCommentFormSentTwiceMakesOneComment(t *testing.T) {
	s := storetest.New(t)
	me := storetest.Member(t, s)
	id, elsewhere := storetest.Post(t, s, me), storetest.Post(t, s, me)
	n := store.NewComment{PostID: id, Body: "body", FormID: "once"}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			_, err := s.CreateComment(context.WithoutCancel(t.Context()), me, n)
			if reused, ok := errors.AsType[*store.FormReusedError](err); err != nil && (!ok || !reused.Same) {
				t.Errorf("comment: %v", err)
			}
		})
	}
	wg.Wait()
	all := comments(t, s, id)
	if len(all) != 1 {
		t.Fatalf("%d comments, want 1", len(all))
	}
	wantTrueCounters(t, s)
	other, away := n, n
	other.Body, away.PostID = "other", elsewhere
	for _, n := range []store.NewComment{other, away} {
		_, err := s.CreateComment(t.Context(), me, n)
		reused, ok := errors.AsType[*store.FormReusedError](err)
		if !ok || reused.Same || reused.ID != all[0].ID {
			t.Errorf("%+v: %v, want the form of another text", n, err)
		}
	}
	wantTrueCounters(t, s)
}

func TestOnlyAuthorAndModeratorsChangeAComment(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now, NoLimits: true})
	author, other := storetest.Member(t, s), storetest.Member(t, s)
	id := storetest.Post(t, s, other)
	for name, c := range map[string]struct {
		editor store.User
		want   error
	}{
		"author":             {author, nil},
		"author of the post": {other, store.ErrForbidden},
		"moderator":          {storetest.Moderator(t, s), nil},
	} {
		t.Run(name, func(t *testing.T) {
			comment := say(t, s, author, store.NewComment{PostID: id, Body: "old"})
			if err := s.EditComment(t.Context(), c.editor, comment, "new"); !errors.Is(err, c.want) {
				t.Errorf("edit: %v, want %v", err, c.want)
			}
			if got, err := s.CommentByID(t.Context(), comment); err != nil || (got.Body == "new") != (c.want == nil) {
				t.Errorf("body %q, %v", got.Body, err)
			}
			if err := s.DeleteComment(t.Context(), c.editor, comment); !errors.Is(err, c.want) {
				t.Errorf("delete: %v, want %v", err, c.want)
			}
		})
	}
	wantTrueCounters(t, s)
}

func TestEditOfACommentIsMarkedOnlyWhenItChangedSomething(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now, NoLimits: true})
	me := storetest.Member(t, s)
	id := say(t, s, me, store.NewComment{PostID: storetest.Post(t, s, me), Body: "old"})
	clock.Advance(time.Minute)
	for _, step := range []struct {
		body string
		want time.Time
	}{{"old", time.Time{}}, {"new", clock.Now()}} {
		if err := s.EditComment(t.Context(), me, id, step.body); err != nil {
			t.Fatal(err)
		}
		if c, err := s.CommentByID(t.Context(), id); err != nil || !c.EditedAt.Equal(step.want) {
			t.Errorf("%q edited at %v, %v, want %v", step.body, c.EditedAt, err, step.want)
		}
	}
	wantInvalid(t, s.EditComment(t.Context(), me, id, " "), map[string]store.Problem{"body": store.Missing})
}

func TestGoneCommentsAreNotFound(t *testing.T) {
	s := storetest.New(t)
	me := storetest.Member(t, s)
	id := storetest.Post(t, s, me)
	deleted := say(t, s, me, store.NewComment{PostID: id})
	orphan := say(t, s, me, store.NewComment{PostID: id})
	if err := s.DeleteComment(t.Context(), me, deleted); err != nil {
		t.Fatal(err)
	}
	wantTrueCounters(t, s)
	if err := s.DeletePost(t.Context(), me, id); err != nil {
		t.Fatal(err)
	}
	for name, comment := range map[string]int64{"deleted": deleted, "of a deleted post": orphan, "unknown": 999} {
		_, readErr := s.CommentByID(t.Context(), comment)
		for what, err := range map[string]error{
			"read":   readErr,
			"edit":   s.EditComment(t.Context(), me, comment, "new"),
			"delete": s.DeleteComment(t.Context(), me, comment),
		} {
			if !errors.Is(err, store.ErrNotFound) {
				t.Errorf("%s %s: %v, want not found", what, name, err)
			}
		}
	}
	if got := comments(t, s, id); len(got) != 0 {
		t.Errorf("%d comments under a deleted post", len(got))
	}
	_, err := s.CreateComment(t.Context(), me, store.NewComment{PostID: id, Body: "b", FormID: "f"})
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("comment under a deleted post: %v", err)
	}
}
