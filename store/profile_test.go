package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// named gives a member another nickname.
func named(t *testing.T, s *store.Store, u store.User, nickname string) store.User {
	t.Helper()
	if err := s.Exec(t.Context(), `UPDATE users SET nickname = $1, nickname_key = $2 WHERE id = $3`,
		nickname, store.NicknameKey(nickname), u.ID); err != nil {
		t.Fatal(err)
	}
	u.Nickname = nickname
	return u
}

func TestProfileIsFoundUnderAnySpelling(t *testing.T) {
	s := storetest.New(t)
	u := named(t, s, storetest.Member(t, s), "Tomás가")
	for _, spelling := range []string{"Tomás가", "TOMÁS가", "tomás가", "Toma\u0301s\u1100\u1161", "Ｔomás가"} {
		got, err := s.Profile(t.Context(), spelling)
		want := store.Profile{ID: u.ID, Nickname: "Tomás가", CreatedAt: u.CreatedAt}
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v", spelling, got, err)
		}
	}
	for _, nobody := range []string{"", "x", "tomas가", "#1", u.Email, "Tomás가\x00", "\xff", strings.Repeat("a", 9999)} {
		if _, err := s.Profile(t.Context(), nobody); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%q: %v", nobody, err)
		}
	}
}

func TestWhoIsKeptOutHasAProfileAndWhoLeftHasNone(t *testing.T) {
	s := storetest.New(t)
	chief, out, left := storetest.Admin(t, s), storetest.Member(t, s), storetest.Member(t, s)
	if err := s.Disable(t.Context(), chief.ID, out.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteAccount(t.Context(), store.Reentry{UserID: left.ID, Current: storetest.Password}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Profile(t.Context(), out.Nickname); err != nil {
		t.Errorf("disabled: %v", err)
	}
	if _, err := s.Profile(t.Context(), left.Nickname); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("left: %v", err)
	}
	if n := count(t, s, `SELECT COUNT(*) FROM read_marks WHERE user_id = $1`, left.ID); n != 0 {
		t.Errorf("%d marks of who left", n)
	}
}

func TestProfileListsWhatAMemberWrote(t *testing.T) {
	s := storetest.New(t)
	me, other := storetest.Member(t, s), storetest.Member(t, s)
	for range 3 {
		storetest.Post(t, s, me)    // 1, 3, 5
		storetest.Post(t, s, other) // 2, 4, 6
	}
	for post := int64(1); post <= 6; post++ {
		say(t, s, me, store.NewComment{PostID: post})    // 1, 3, 5, 7, 9, 11
		say(t, s, other, store.NewComment{PostID: post}) // even ones
	}
	if err := s.DeletePost(t.Context(), me, 3); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteComment(t.Context(), me, 9); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		q            store.ListQuery
		posts        []int64
		older, newer bool
		said         []int64
		below, above bool
	}{
		{store.ListQuery{Limit: 2}, []int64{5, 1}, false, false, []int64{11, 7}, true, false},
		{store.ListQuery{Limit: 1}, []int64{5}, true, false, []int64{11}, true, false},
		{store.ListQuery{Limit: 2, Before: 7}, []int64{5, 1}, false, false, []int64{3, 1}, false, true},
		{store.ListQuery{Limit: 1, Before: 5}, []int64{1}, false, true, []int64{3}, true, true},
		{store.ListQuery{Limit: 2, After: 3}, []int64{5}, true, false, []int64{11, 7}, true, false},
		{store.ListQuery{Limit: 2, Before: 1}, nil, false, true, nil, false, true},
		{store.ListQuery{Limit: 2, After: 11}, nil, true, false, nil, true, false},
	} {
		posts, err := s.PostsBy(t.Context(), me.ID, c.q)
		if err != nil {
			t.Fatal(err)
		}
		if got := ids(posts); !cmp.Equal(append([]int64{}, c.posts...), got) || posts.Older != c.older || posts.Newer != c.newer {
			t.Errorf("%+v: posts %v, older %t, newer %t", c.q, got, posts.Older, posts.Newer)
		}
		said, err := s.CommentsBy(t.Context(), me.ID, c.q)
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, one := range said.Said {
			got = append(got, one.ID)
		}
		if !cmp.Equal(c.said, got) || said.Older != c.below || said.Newer != c.above {
			t.Errorf("%+v: comments %v, older %t, newer %t", c.q, got, said.Older, said.Newer)
		}
	}
}

func TestProfileReadsNoMoreThanItShows(t *testing.T) {
	s := storetest.New(t)
	author, other := storetest.Member(t, s), storetest.Member(t, s)
	post := storetest.Post(t, s, author)
	err := s.Exec(t.Context(), `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
		INSERT INTO posts (author_id, form_id, title, body, created_at)
		SELECT CASE WHEN i % 50 = 0 THEN CAST($1 AS BIGINT) ELSE $2 END, CAST(i AS TEXT), 't', 'b', 0 FROM n`, author.ID, other.ID)
	if err != nil {
		t.Fatal(err)
	}
	crowd(t, s, other, post, 3000)
	exec(t, s, fmt.Sprintf(`UPDATE comments SET author_id = %d WHERE id %% 50 = 0`, author.ID))
	exec(t, s, `ANALYZE`)
	for query, index := range map[string]string{store.OlderPostsBySQL(): "posts_author", store.OlderSaidSQL(): "comments_author"} {
		plan := explain(t, s, query, author.ID, 1000, 21)
		if !strings.Contains(plan, index) || strings.Contains(plan, "TEMP B-TREE") || readsAll(plan, "p") || readsAll(plan, "c") {
			t.Errorf("%s is not enough:\n%s", index, plan)
		}
	}
}
