package store_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
)

func (l *library) emptyIndex() {
	l.t.Helper()
	for _, statement := range []string{`DELETE FROM post_words`, `DELETE FROM comment_words`, `INSERT INTO settings (name, value) VALUES ('search', 'filling')`} {
		if err := l.Exec(l.t.Context(), statement); err != nil {
			l.t.Fatal(err)
		}
	}
}

func TestTextsFromBeforeAreTakenIn(t *testing.T) {
	l := newLibrary(t)
	var posts []int64
	for i := range 50 {
		posts = append(posts, l.post(fmt.Sprint("옛 글 ", i), "본문"))
	}
	spoken := l.comment(posts[0], "옛말")
	if err := l.DeletePost(t.Context(), l.writer, posts[49]); err != nil {
		t.Fatal(err)
	}
	l.emptyIndex()
	fresh := l.post("새 글", "본문")
	if err := l.EditPost(t.Context(), l.writer, posts[1], store.NewPost{Title: "고친 글", Body: "고침"}); err != nil {
		t.Fatal(err)
	}
	l.finds("본문", fresh)
	if !l.search(store.SearchQuery{Text: "옛"}).Filling {
		t.Error("says that all texts are searched")
	}
	wantChecked(t, l.Store)
	n, err := l.FillSearch(t.Context())
	if err != nil || n != 48+1 { // of 49 one was edited; and a comment
		t.Errorf("%d texts (%v)", n, err)
	}
	found := l.search(store.SearchQuery{Text: "옛"})
	if found.Count != 48 || found.Filling {
		t.Errorf("%d found, filling: %v", found.Count, found.Filling)
	}
	l.finds("옛말", posts[0])
	l.finds("고친", posts[1])
	if n, err := l.FillSearch(t.Context()); n != 0 || err != nil {
		t.Errorf("once more: %d (%v)", n, err)
	}
	wantChecked(t, l.Store)
	if err := l.Exec(t.Context(), `DELETE FROM comment_words`); err != nil {
		t.Fatal(err)
	}
	wantChecked(t, l.Store, "comments that search cannot find: 1")
	if err := l.Exec(t.Context(), `UPDATE comments SET deleted_at = 1 WHERE id = $1`, spoken); err != nil {
		t.Fatal(err)
	}
}

func TestCommentsOfADeletedPostAreNotTakenIn(t *testing.T) {
	l := newLibrary(t)
	post, other := l.post("글", "본문"), l.post("다른 글", "본문")
	l.comment(post, "댓글")
	l.comment(other, "댓글")
	if err := l.DeletePost(t.Context(), l.writer, post); err != nil {
		t.Fatal(err)
	}
	l.emptyIndex()
	if n, err := l.FillSearch(t.Context()); n != 2 || err != nil {
		t.Errorf("%d texts (%v), want a post and its comment", n, err)
	}
	if found := l.search(store.SearchQuery{Text: "댓글"}); found.Count != 1 || len(found.Hits) != 1 {
		t.Errorf("%d counted, %d shown", found.Count, len(found.Hits))
	}
	wantChecked(t, l.Store)
	if err := l.Exec(t.Context(), `UPDATE posts SET deleted_at = 1 WHERE id = $1`, other); err != nil {
		t.Fatal(err)
	}
	wantChecked(t, l.Store, "deleted posts in the index: 1", "deleted comments in the index: 1")
}

func TestAnIndexIsFilledBesideThoseWhoWrite(t *testing.T) {
	l := newLibrary(t)
	var posts []int64
	for range 60 {
		posts = append(posts, l.post("전", "전"))
	}
	l.emptyIndex()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if _, err := l.FillSearch(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Go(func() {
		for i, post := range posts {
			var err error
			switch i % 3 {
			case 0:
				err = l.EditPost(t.Context(), l.writer, post, store.NewPost{Title: "후", Body: "후"})
			case 1:
				err = l.DeletePost(t.Context(), l.writer, post)
			}
			if err != nil {
				t.Error(err)
			}
		}
	})
	wg.Wait()
	if n := l.search(store.SearchQuery{Text: "후"}).Count; n != 20 {
		t.Errorf("%d edited posts are found", n)
	}
	if n := l.search(store.SearchQuery{Text: "전"}).Count; n != 20 {
		t.Errorf("%d others", n)
	}
	wantChecked(t, l.Store)
}

func TestWritersAtOnceAreAllFound(t *testing.T) {
	l := newLibrary(t)
	post := l.post("마당", "여럿이")
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			for n := range 5 {
				form := fmt.Sprintf("at-once-%d-%d", i, n)
				if _, err := l.CreateComment(t.Context(), l.writer, store.NewComment{PostID: post, Body: form + " 함께", FormID: form}); err != nil {
					t.Error(err)
				}
				// The next to fail shares a commit with those who succeed.
				_, _ = l.CreateComment(t.Context(), l.writer, store.NewComment{PostID: post, Body: "거절", FormID: form})
				if _, err := l.Search(t.Context(), store.SearchQuery{Text: form}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for i := range 16 {
		l.finds(fmt.Sprintf(`"at-once-%d-4"`, i), post)
	}
	l.finds("거절")
	wantChecked(t, l.Store)
}

func TestACopyIsSearchedOnceItsIndexIsMade(t *testing.T) {
	b := newUsedBoard(t)
	s, _ := b.copied(t)
	query := store.SearchQuery{Text: "산", Limit: 20}
	before, err := s.Search(t.Context(), query)
	if err != nil || before.Count != 0 || !before.Filling {
		t.Errorf("before: %d found, filling: %v (%v)", before.Count, before.Filling, err)
	}
	if _, err := s.FillSearch(t.Context()); err != nil {
		t.Fatal(err)
	}
	file := b.open(t, b.path)
	defer func() { _ = file.Close() }()
	want, err := file.Search(t.Context(), query)
	if err != nil || want.Count == 0 {
		t.Fatalf("%d found in the file (%v)", want.Count, err)
	}
	got, err := s.Search(t.Context(), query)
	if err != nil || got.Filling {
		t.Errorf("filling: %v (%v)", got.Filling, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the copy finds other texts (-file +copy):\n%s", diff)
	}
	wantChecked(t, s)
}
