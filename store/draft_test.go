package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func newPostDraft(title, body string) store.Draft {
	return store.Draft{Place: store.DraftPlace{Form: store.DraftPost}, Title: title, Body: body, FormID: "form"}
}

func saveDraft(t *testing.T, s *store.Store, u store.User, d store.Draft) {
	t.Helper()
	if err := s.SaveDraft(t.Context(), u, d); err != nil {
		t.Fatal(err)
	}
}

// wantDraft checks what text a member finds in a form, "" for none.
func wantDraft(t *testing.T, s *store.Store, u store.User, place store.DraftPlace, body string) {
	t.Helper()
	d, err := s.DraftOf(t.Context(), u.ID, place)
	if body == "" {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%v: a draft is left: %q, %v", place, d.Body, err)
		}
		return
	}
	if err != nil || d.Body != body {
		t.Errorf("%v: the draft is %q, %v; want %q", place, d.Body, err, body)
	}
}

func TestDraftComesBackToItsAuthorForThirtyDays(t *testing.T) {
	clock := storetest.NewClock(noon())
	s := storetest.Open(t, store.Options{Now: clock.Now})
	u, other := storetest.Member(t, s), storetest.Member(t, s)
	post := storetest.Post(t, s, u)
	d := store.Draft{
		Place: store.DraftPlace{Form: store.DraftPostEdit, Subject: post}, Title: "제목", Body: " a\nb\n", Base: noon(),
	}
	saveDraft(t, s, u, d)
	clock.Advance(30*24*time.Hour - time.Millisecond)
	got, err := s.DraftOf(t.Context(), u.ID, d.Place)
	if err != nil {
		t.Fatal(err)
	}
	d.SavedAt = noon()
	if diff := cmp.Diff(d, got); diff != "" {
		t.Errorf("draft (-want +got):\n%s", diff)
	}
	wantDraft(t, s, other, d.Place, "")
	wantDraft(t, s, u, store.DraftPlace{Form: store.DraftPostEdit, Subject: post + 1}, "")
	if n := clean(t, s)["drafts"]; n != 0 {
		t.Errorf("%d drafts were cleaned away too early", n)
	}
	clock.Advance(time.Millisecond)
	wantDraft(t, s, u, d.Place, "")
	if n := clean(t, s)["drafts"]; n != 1 {
		t.Errorf("%d drafts were cleaned away", n)
	}
}

func TestNewestDraftOfAFormIsKeptButNoEmptyOne(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	place := store.DraftPlace{Form: store.DraftPost}
	saveDraft(t, s, u, newPostDraft("", "first"))
	saveDraft(t, s, u, newPostDraft("a title", "second"))
	saveDraft(t, s, u, newPostDraft("", ""))
	saveDraft(t, s, u, newPostDraft(" ", "\u200b\n"))
	wantDraft(t, s, u, place, "second")
	saveDraft(t, s, u, newPostDraft("a title alone", ""))
	if d, err := s.DraftOf(t.Context(), u.ID, place); err != nil || d.Title != "a title alone" {
		t.Errorf("%+v, %v", d, err)
	}
	if err := s.DropDraft(t.Context(), u.ID, place); err != nil {
		t.Fatal(err)
	}
	wantDraft(t, s, u, place, "")
}

func TestDraftMayBeNoLongerThanWhatItBecomes(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	post := storetest.Post(t, s, u)
	for name, d := range map[string]store.Draft{
		"title":   newPostDraft(strings.Repeat("가", 201), "x"),
		"body":    newPostDraft("x", strings.Repeat("가", 50_001)),
		"comment": {Place: store.DraftPlace{Form: store.DraftComment, Subject: post}, Body: strings.Repeat("가", 5_001)},
		"control": newPostDraft("x", "a\x1bb"),
		"unicode": newPostDraft("\xff", "b"),
	} {
		err := s.SaveDraft(t.Context(), u, d)
		if _, refused := errors.AsType[*store.InvalidError](err); !refused {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := count(t, s, `SELECT COUNT(*) FROM drafts`); n != 0 {
		t.Errorf("%d drafts were kept", n)
	}
}

// written is a member who has a draft of every form.
type written struct {
	user          store.User
	post, comment int64
}

func writeDrafts(t *testing.T, s *store.Store) written {
	t.Helper()
	w := written{user: storetest.Member(t, s)}
	w.post = storetest.Post(t, s, w.user)
	var err error
	w.comment, err = s.CreateComment(t.Context(), w.user, store.NewComment{PostID: w.post, Body: "said", FormID: "said"})
	if err != nil {
		t.Fatal(err)
	}
	for _, place := range w.places() {
		saveDraft(t, s, w.user, store.Draft{Place: place, Title: "t", Body: "draft", FormID: "f"})
	}
	return w
}

func (w written) places() []store.DraftPlace {
	return []store.DraftPlace{
		{Form: store.DraftPost},
		{Form: store.DraftPostEdit, Subject: w.post},
		{Form: store.DraftComment, Subject: w.post},
		{Form: store.DraftCommentEdit, Subject: w.comment},
	}
}

func TestDraftGoesWithWhatIsPublishedAndNoOther(t *testing.T) {
	for i, publish := range []func(*store.Store, written) error{
		func(s *store.Store, w written) error {
			_, err := s.CreatePost(t.Context(), w.user, store.NewPost{Title: "t", Body: "b", FormID: "f"})
			return err
		},
		func(s *store.Store, w written) error {
			return s.EditPost(t.Context(), w.user, w.post, store.NewPost{Title: "t", Body: "b"})
		},
		func(s *store.Store, w written) error {
			_, err := s.CreateComment(t.Context(), w.user, store.NewComment{PostID: w.post, Body: "b", FormID: "f"})
			return err
		},
		func(s *store.Store, w written) error { return s.EditComment(t.Context(), w.user, w.comment, "b") },
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s := storetest.New(t)
			w := writeDrafts(t, s)
			if err := publish(s, w); err != nil {
				t.Fatal(err)
			}
			for at, place := range w.places() {
				if at == i {
					wantDraft(t, s, w.user, place, "")
				} else {
					wantDraft(t, s, w.user, place, "draft")
				}
			}
			// What a slow line brings late.
			saveDraft(t, s, w.user, store.Draft{Place: w.places()[i], Title: "t", Body: "b", FormID: "f"})
			wantDraft(t, s, w.user, w.places()[i], "")
		})
	}
}

func TestDraftStaysWhenNothingIsPublished(t *testing.T) {
	s := storetest.New(t)
	w := writeDrafts(t, s)
	if _, err := s.CreatePost(t.Context(), w.user, store.NewPost{Body: "no title", FormID: "f"}); err == nil {
		t.Fatal("a post without a title was published")
	}
	if _, err := s.CreateComment(t.Context(), w.user, store.NewComment{PostID: w.post, Parent: 99, Body: "b", FormID: "f"}); err == nil {
		t.Fatal("a comment that answers nothing was published")
	}
	for _, place := range w.places() {
		wantDraft(t, s, w.user, place, "draft")
	}
}

func TestDraftAboutWhatIsGoneIsNotFound(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	for _, form := range []store.DraftForm{store.DraftPostEdit, store.DraftComment, store.DraftCommentEdit} {
		err := s.SaveDraft(t.Context(), u, store.Draft{Place: store.DraftPlace{Form: form, Subject: 99}, Title: "t", Body: "b"})
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", form, err)
		}
	}
}

func TestMemberHasSoManyDrafts(t *testing.T) {
	clock := storetest.NewClock(noon())
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	u, other, author := storetest.Member(t, s), storetest.Member(t, s), storetest.Member(t, s)
	saveDraft(t, s, other, newPostDraft("t", "mine"))
	var posts []int64
	for range 52 {
		posts = append(posts, storetest.Post(t, s, author))
		clock.Advance(time.Second)
		place := store.DraftPlace{Form: store.DraftComment, Subject: posts[len(posts)-1]}
		saveDraft(t, s, u, store.Draft{Place: place, Body: "b", FormID: "f"})
	}
	for i, want := range map[int]string{0: "", 1: "", 2: "b", 51: "b"} {
		wantDraft(t, s, u, store.DraftPlace{Form: store.DraftComment, Subject: posts[i]}, want)
	}
	wantDraft(t, s, other, store.DraftPlace{Form: store.DraftPost}, "mine")
}

func TestDraftsAndPreviewsHaveLimitsOfTheirOwn(t *testing.T) {
	clock := storetest.NewClock(noon())
	s := storetest.Open(t, store.Options{Now: clock.Now})
	u := storetest.Member(t, s)
	d := newPostDraft("t", "b")
	for range 20 {
		saveDraft(t, s, u, d)
		if err := s.PreviewDraft(t.Context(), u, d); err != nil {
			t.Fatal(err)
		}
	}
	for name, again := range map[string]error{"draft": s.SaveDraft(t.Context(), u, d), "preview": s.PreviewDraft(t.Context(), u, d)} {
		if soon, ok := errors.AsType[*store.TooSoonError](again); !ok || soon.Wait != time.Minute {
			t.Errorf("the 21st %s: %v", name, again)
		}
	}
	saveDraft(t, s, storetest.Member(t, s), d)
	clock.Advance(time.Minute)
	saveDraft(t, s, u, d)
}

func TestPreviewTellsWhatIsWrongAndKeepsWhatThereIs(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	err := s.PreviewDraft(t.Context(), u, newPostDraft("", "text"))
	if refused, ok := errors.AsType[*store.InvalidError](err); !ok || refused.Fields["title"] != store.Missing || len(refused.Fields) != 1 {
		t.Errorf("without a title: %v", err)
	}
	wantDraft(t, s, u, store.DraftPlace{Form: store.DraftPost}, "text")
}

func TestDraftsOfADeletedMemberAreGone(t *testing.T) {
	s := storetest.New(t)
	w := writeDrafts(t, s)
	if err := s.DeleteAccount(t.Context(), reentry(w.user, storetest.Password)); err != nil {
		t.Fatal(err)
	}
	if n := count(t, s, `SELECT COUNT(*) FROM drafts`); n != 0 {
		t.Errorf("%d drafts are left", n)
	}
}

func TestKeptTextIsForTheMemberWhoWroteIt(t *testing.T) {
	s := storetest.New(t)
	keep(t, s, "owner", store.KeptText{Path: "/posts/new", Body: "secret", UserID: 7})
	if _, err := s.KeptText(t.Context(), "owner", "/posts/new", 8); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another member: %v", err)
	}
	if k, err := s.KeptText(t.Context(), "owner", "/posts/new", 7); err != nil || k.Body != "secret" {
		t.Errorf("its author: %q, %v", k.Body, err)
	}
}
