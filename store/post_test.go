package store_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// count is the only number a query answers.
func count(t *testing.T, s *store.Store, query string, args ...any) int64 {
	t.Helper()
	var n int64
	if err := s.Readers().QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

func post(t *testing.T, s *store.Store, id int64) store.Post {
	t.Helper()
	p, err := s.PostByID(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func wantInvalid(t *testing.T, err error, want map[string]store.Problem) {
	t.Helper()
	invalid, ok := errors.AsType[*store.InvalidError](err)
	if !ok {
		t.Fatalf("error %v, want one of fields %v", err, want)
	}
	if diff := cmp.Diff(want, invalid.Fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

func TestPostIsReadAsItWasWritten(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now, NoLimits: true})
	author := storetest.Member(t, s)
	body := "> a\n\n\"b\" & <c>\t*d*  \n대한민국 👩‍👩‍👧\n"
	id, err := s.CreatePost(t.Context(), author, store.NewPost{Title: " 첫 글 ", Body: body, FormID: "f1"})
	if err != nil {
		t.Fatal(err)
	}
	want := store.Post{
		ID: id, AuthorID: author.ID, Author: author.Nickname, Title: "첫 글", Body: body, CreatedAt: clock.Now(),
	}
	if diff := cmp.Diff(want, post(t, s, id)); diff != "" {
		t.Errorf("post (-want +got):\n%s", diff)
	}
}

func TestPostThatCannotBeTakenIsRefused(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	good := store.NewPost{Title: "title", Body: "body", FormID: "f"}
	for _, c := range []struct {
		name   string
		change func(*store.NewPost)
		want   map[string]store.Problem
	}{
		{
			"nothing", func(n *store.NewPost) { *n = store.NewPost{} },
			map[string]store.Problem{"title": store.Missing, "body": store.Missing, "form_id": store.Missing},
		},
		{
			"long title", func(n *store.NewPost) { n.Title = strings.Repeat("가", 201) },
			map[string]store.Problem{"title": store.TooLong},
		},
		{
			"long body", func(n *store.NewPost) { n.Body = strings.Repeat("가", 50_001) },
			map[string]store.Problem{"body": store.TooLong},
		},
		{
			"invisible body", func(n *store.NewPost) { n.Body = "\u200b\u3164\n" },
			map[string]store.Problem{"body": store.Missing},
		},
		{
			"override in the title", func(n *store.NewPost) { n.Title = "abc\u202edef" },
			map[string]store.Problem{"title": store.Malformed},
		},
		{
			"invalid UTF-8", func(n *store.NewPost) { n.Title, n.Body = "\xff", "\xc3(" },
			map[string]store.Problem{"title": store.Malformed, "body": store.Malformed},
		},
		{
			"long form id", func(n *store.NewPost) { n.FormID = strings.Repeat("f", 65) },
			map[string]store.Problem{"form_id": store.TooLong},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := good
			c.change(&n)
			_, err := s.CreatePost(t.Context(), author, n)
			wantInvalid(t, err, c.want)
		})
	}
	if n := count(t, s, `SELECT COUNT(*) FROM posts`); n != 0 {
		t.Errorf("%d posts, want none", n)
	}
	longest := store.NewPost{Title: strings.Repeat("가", 200), Body: strings.Repeat("가", 50_000), FormID: strings.Repeat("f", 64)}
	if _, err := s.CreatePost(t.Context(), author, longest); err != nil {
		t.Errorf("the longest post: %v", err)
	}
}

func TestFormSentTwiceMakesOnePost(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	n := store.NewPost{Title: "title", Body: "body", FormID: "once"}
	var wg sync.WaitGroup
	var mu sync.Mutex
	made := map[int64]bool{}
	fresh := 0
	for range 20 {
		wg.Go(func() {
			id, err := s.CreatePost(context.WithoutCancel(t.Context()), author, n)
			mu.Lock()
			defer mu.Unlock()
			reused, again := errors.AsType[*store.FormReusedError](err)
			switch {
			case err == nil:
				fresh++
			case again && reused.Same:
				id = reused.ID
			default:
				t.Errorf("create: %v", err)
			}
			made[id] = true
		})
	}
	wg.Wait()
	if fresh != 1 || len(made) != 1 || count(t, s, `SELECT COUNT(*) FROM posts`) != 1 {
		t.Errorf("%d made, ids %v, want one of each", fresh, made)
	}
}

func TestReusedFormSaysWhetherTheTextIsTheSame(t *testing.T) {
	s := storetest.New(t)
	author, other := storetest.Member(t, s), storetest.Member(t, s)
	n := store.NewPost{Title: "title", Body: "body", FormID: "once"}
	id, err := s.CreatePost(t.Context(), author, n)
	if err != nil {
		t.Fatal(err)
	}
	again := func(n store.NewPost) store.FormReusedError {
		t.Helper()
		_, err := s.CreatePost(t.Context(), author, n)
		reused, ok := errors.AsType[*store.FormReusedError](err)
		if !ok {
			t.Fatalf("error %v, want a reused form", err)
		}
		return *reused
	}
	changed := n
	changed.Body = "other"
	if got := again(changed); got.ID != id || got.Same {
		t.Errorf("other text: %+v", got)
	}
	if got := again(n); got.ID != id || !got.Same {
		t.Errorf("same text: %+v", got)
	}
	if _, err := s.CreatePost(t.Context(), other, n); err != nil {
		t.Errorf("the same form id of somebody else: %v", err)
	}
	if err := s.DeletePost(t.Context(), author, id); err != nil {
		t.Fatal(err)
	}
	if got := again(changed); got.ID != id || !got.Same {
		t.Errorf("deleted post: %+v", got)
	}
}

func TestEditChangesTheTextAndNothingElse(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now, NoLimits: true})
	author := storetest.Member(t, s)
	id := storetest.Post(t, s, author)
	if err := s.Like(t.Context(), author, id); err != nil {
		t.Fatal(err)
	}
	if err := s.Exec(t.Context(), `UPDATE posts SET views = 7 WHERE id = $1`, id); err != nil {
		t.Fatal(err)
	}
	before := post(t, s, id)
	clock.Advance(time.Hour)
	if err := s.EditPost(t.Context(), author, id, store.NewPost{Title: before.Title, Body: before.Body}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, post(t, s, id)); diff != "" {
		t.Errorf("saving the same text changed (-before +after):\n%s", diff)
	}
	if err := s.EditPost(t.Context(), author, id, store.NewPost{Title: "new", Body: "text"}); err != nil {
		t.Fatal(err)
	}
	want := before
	want.Title, want.Body, want.EditedAt = "new", "text", clock.Now()
	if diff := cmp.Diff(want, post(t, s, id)); diff != "" {
		t.Errorf("after the edit (-want +got):\n%s", diff)
	}
	wantInvalid(t, s.EditPost(t.Context(), author, id, store.NewPost{Title: "x"}), map[string]store.Problem{"body": store.Missing})
}

func TestOnlyAuthorAndModeratorsChangeAPost(t *testing.T) {
	s := storetest.New(t)
	author, other := storetest.Member(t, s), storetest.Member(t, s)
	text := store.NewPost{Title: "new", Body: "text"}
	for name, c := range map[string]struct {
		editor store.User
		want   error
	}{
		"author":    {author, nil},
		"other":     {other, store.ErrForbidden},
		"nobody":    {store.User{}, store.ErrForbidden},
		"moderator": {storetest.Moderator(t, s), nil},
		"admin":     {storetest.Admin(t, s), nil},
	} {
		t.Run(name, func(t *testing.T) {
			id := storetest.Post(t, s, author)
			if err := s.EditPost(t.Context(), c.editor, id, text); !errors.Is(err, c.want) {
				t.Errorf("edit: %v, want %v", err, c.want)
			}
			if err := s.DeletePost(t.Context(), c.editor, id); !errors.Is(err, c.want) {
				t.Errorf("delete: %v, want %v", err, c.want)
			}
		})
	}
}

func TestDeletedPostIsGone(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	id := storetest.Post(t, s, author)
	if err := s.DeletePost(t.Context(), author, id); err != nil {
		t.Fatal(err)
	}
	_, readErr := s.PostByID(t.Context(), id)
	for name, err := range map[string]error{
		"read":    readErr,
		"edit":    s.EditPost(t.Context(), author, id, store.NewPost{Title: "a", Body: "b"}),
		"delete":  s.DeletePost(t.Context(), author, id),
		"like":    s.Like(t.Context(), author, id),
		"unlike":  s.Unlike(t.Context(), author, id),
		"unknown": s.DeletePost(t.Context(), author, id+1),
	} {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v, want not found", name, err)
		}
	}
}
