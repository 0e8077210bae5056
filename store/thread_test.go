package store_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// crowd puts so many comments under a post, each third one an answer to the
// first of its three, and returns the order in which they are shown.
func crowd(t *testing.T, s *store.Store, author store.User, post int64, n int) (shown []int64) {
	t.Helper()
	if n == 0 {
		return nil
	}
	err := s.Exec(t.Context(), `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
		INSERT INTO comments (post_id, author_id, parent_id, form_id, body, created_at)
		SELECT $2, $3, CASE WHEN i % 3 = 0 THEN i - 2 END, CAST(i AS TEXT), 'comment', 0 FROM n`, n, post, author.ID)
	if err != nil {
		t.Fatal(err)
	}
	exec(t, s, `UPDATE posts SET comments = (SELECT COUNT(*) FROM comments WHERE post_id = posts.id AND deleted_at IS NULL)`)
	for i := int64(1); i <= int64(n); i += 3 {
		for _, id := range []int64{i, i + 2, i + 1} {
			if id <= int64(n) {
				shown = append(shown, id)
			}
		}
	}
	return shown
}

func commentIDs(thread store.Thread) (ids []int64) {
	for _, c := range thread.Comments {
		ids = append(ids, c.ID)
	}
	return ids
}

func threadFrom(t *testing.T, s *store.Store, post, from int64) store.Thread {
	t.Helper()
	thread, err := s.ThreadFrom(t.Context(), post, from)
	if err != nil {
		t.Fatal(err)
	}
	return thread
}

func TestCommentsAreWalkedBothWays(t *testing.T) {
	const most = store.ThreadMax
	for _, n := range []int{0, 1, most, most + 1, 2 * most, 2*most + 1} {
		s := storetest.New(t)
		author := storetest.Member(t, s)
		post := storetest.Post(t, s, author)
		want := crowd(t, s, author, post, n)
		page, err := s.Thread(t.Context(), post)
		if err != nil || page.Earlier != 0 {
			t.Fatalf("%d: %v, earlier %d", n, err, page.Earlier)
		}
		down, pages := commentIDs(page), 1
		for ; page.Later != 0; pages++ {
			before := page
			page = threadFrom(t, s, post, page.Later)
			ids := commentIDs(page)
			if page.Comments[0].ID != before.Later { // what the first ones answer stands above
				if head := page.Comments[1].Parent; head != ids[0] {
					t.Errorf("%d: %d stands above an answer to %d", n, ids[0], head)
				}
				ids = ids[1:]
			}
			down = append(down, ids...)
			if back := threadFrom(t, s, post, page.Earlier); back.Later != before.Later || !cmp.Equal(back.Comments[0].ID, before.Comments[0].ID) {
				t.Errorf("%d: the page before %d begins with %d", n, before.Later, back.Comments[0].ID)
			}
		}
		if diff := cmp.Diff(want, down); diff != "" {
			t.Errorf("%d comments (-want +got):\n%s", n, diff)
		}
		if most := max(1, (n+most-1)/most); pages != most {
			t.Errorf("%d comments on %d pages, want %d", n, pages, most)
		}
	}
}

func TestPageOfCommentsBeginsWhereALinkLeads(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	post, other := storetest.Post(t, s, author), storetest.Post(t, s, author)
	crowd(t, s, author, post, 9)
	foreign := say(t, s, author, store.NewComment{PostID: other})
	if err := s.DeleteComment(t.Context(), author, 7); err != nil {
		t.Fatal(err)
	}
	for from, want := range map[int64][]int64{
		4: {4, 6, 5, 8, 9}, 6: {4, 6, 5, 8, 9}, 5: {5, 8, 9}, 9: {9},
		7: {1, 3, 2, 4, 6, 5, 8, 9}, foreign: {1, 3, 2, 4, 6, 5, 8, 9}, 999: {1, 3, 2, 4, 6, 5, 8, 9},
	} {
		if diff := cmp.Diff(want, commentIDs(threadFrom(t, s, post, from))); diff != "" {
			t.Errorf("from %d (-want +got):\n%s", from, diff)
		}
	}
	if _, err := s.ThreadFrom(t.Context(), 999, 4); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a post that is not there: %v", err)
	}
}

func TestCommentsOfAPageAreReadByTheirIndex(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	post := storetest.Post(t, s, author)
	crowd(t, s, author, post, 5000)
	exec(t, s, `ANALYZE`)
	for _, query := range []string{store.CommentsFromSQL, store.CommentsBeforeSQL} {
		plan := explain(t, s, query, post, 4000, 4000, 201)
		if !strings.Contains(plan, "comments_shown") || readsAll(plan, "c") || readsAll(plan, "comments") {
			t.Errorf("more is read than the page:\n%s", plan)
		}
	}
	if plan := explain(t, s, store.CommentsFromSQL, post, 4000, 4000, 201); strings.Contains(plan, "TEMP B-TREE") {
		t.Errorf("the comments are sorted:\n%s", plan)
	}
}

// Whoever answers what is being deleted is told, or begins a thread: no answer
// hangs under what is gone.
func TestAnswerMeetsTheDeletionOfWhatItAnswers(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	post := storetest.Post(t, s, author)
	for range 20 {
		top := say(t, s, author, store.NewComment{PostID: post})
		var both sync.WaitGroup
		both.Go(func() {
			if err := s.DeleteComment(t.Context(), author, top); err != nil {
				t.Error(err)
			}
		})
		for i := range 3 {
			both.Go(func() {
				_, err := s.CreateComment(t.Context(), author, store.NewComment{
					PostID: post, Parent: top, Body: "answer", FormID: strings.Repeat("x", i+1) + string(rune('a'+top%26)) + author.Nickname,
				})
				if _, refused := errors.AsType[*store.InvalidError](err); err != nil && !refused {
					if _, reused := errors.AsType[*store.FormReusedError](err); !reused {
						t.Error(err)
					}
				}
			})
		}
		both.Wait()
	}
	if n := count(t, s, `SELECT COUNT(*) FROM comments AS c JOIN comments AS top ON top.id = c.parent_id
		WHERE top.deleted_at IS NOT NULL`); n != 0 {
		t.Errorf("%d answers hang under what is gone", n)
	}
	wantTrueCounters(t, s)
}
