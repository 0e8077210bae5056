package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func crowdWords() []string { return []string{"가을", "나무", "바다", "go", "sea"} }

// rambler does one thing after the other to what is on a board.
type rambler struct {
	*store.Store
	dice *rand.Rand
	user store.User
	name string
	n    int
}

func (r *rambler) text() string {
	all, words := crowdWords(), make([]string, 1+r.dice.IntN(3))
	for i := range words {
		words[i] = all[r.dice.IntN(len(all))]
	}
	return strings.Join(words, " ")
}

// step changes one of the first posts or comments, which others change too.
func (r *rambler) step(ctx context.Context) error {
	r.n++
	form, post, comment := fmt.Sprint(r.name, r.n), 1+r.dice.Int64N(12), 1+r.dice.Int64N(30)
	switch r.dice.IntN(9) {
	case 0:
		_, err := r.CreatePost(ctx, r.user, store.NewPost{Title: r.text(), Body: r.text(), FormID: form})
		return err
	case 1:
		return r.EditPost(ctx, r.user, post, store.NewPost{Title: r.text(), Body: r.text()})
	case 2:
		if r.dice.IntN(3) > 0 { // some are to be left
			return nil
		}
		return r.DeletePost(ctx, r.user, post)
	case 3, 4:
		_, err := r.CreateComment(ctx, r.user, store.NewComment{PostID: post, Body: r.text(), FormID: form})
		return err
	case 5:
		return r.EditComment(ctx, r.user, comment, r.text())
	case 6:
		return r.DeleteComment(ctx, r.user, comment)
	case 7:
		return r.Like(ctx, r.user, post)
	}
	return r.Unlike(ctx, r.user, post)
}

func TestCountsAndIndexAreExactWhateverACrowdDoes(t *testing.T) {
	s := storetest.New(t)
	leaver := storetest.Member(t, s)
	for range 12 {
		storetest.Post(t, s, leaver)
	}
	seed := uint64(time.Now().UnixNano()) //nolint:gosec // any number
	var wg sync.WaitGroup
	for i := range 6 {
		r := &rambler{Store: s, dice: rand.New(rand.NewPCG(seed, uint64(i))), user: storetest.Admin(t, s), name: fmt.Sprint("r", i, "-")} //nolint:gosec // for tests
		wg.Go(func() {
			for range 60 {
				if err := r.step(context.WithoutCancel(t.Context())); err != nil && !errors.Is(err, store.ErrNotFound) {
					t.Errorf("seed %d: %v", seed, err)
				}
			}
		})
	}
	if err := s.DeleteAccount(t.Context(), store.Reentry{UserID: leaver.ID, Current: storetest.Password}); err != nil {
		t.Error(err)
	}
	wg.Wait()
	wantChecked(t, s)
	for _, word := range append(crowdWords(), "을", "무") {
		found, err := s.Search(t.Context(), store.SearchQuery{Text: word, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		got := map[int64]bool{}
		for _, hit := range found.Hits {
			got[hit.Post.ID] = true
		}
		if diff := cmp.Diff(postsThatHold(t, s, word), got); diff != "" || found.Count != len(got) {
			t.Errorf("seed %d: %q finds other posts, %d of them (-there +found):\n%s", seed, word, found.Count, diff)
		}
	}
}

// postsThatHold looks at every text.
func postsThatHold(t *testing.T, s *store.Store, word string) map[int64]bool {
	t.Helper()
	pattern := "%" + word + "%"
	posts := map[int64]bool{}
	for _, id := range scanIDs(t, s, `SELECT p.id FROM posts AS p WHERE p.deleted_at IS NULL AND (p.title LIKE $1 OR p.body LIKE $1
		OR EXISTS (SELECT 1 FROM comments AS c WHERE c.post_id = p.id AND c.deleted_at IS NULL AND c.body LIKE $1))`, pattern) {
		posts[id] = true
	}
	return posts
}
