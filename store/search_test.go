package store_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// library is a board with one writer.
type library struct {
	*store.Store
	t      testing.TB
	writer store.User
	forms  int
}

func newLibrary(t testing.TB) *library {
	t.Helper()
	s := storetest.New(t)
	return &library{Store: s, t: t, writer: storetest.Member(t, s)}
}

func (l *library) form() string {
	l.forms++
	return fmt.Sprint("form-", l.forms)
}

func (l *library) post(title, body string) int64 {
	l.t.Helper()
	id, err := l.CreatePost(l.t.Context(), l.writer, store.NewPost{Title: title, Body: body, FormID: l.form()})
	if err != nil {
		l.t.Fatal(err)
	}
	return id
}

func (l *library) comment(post int64, body string) int64 {
	l.t.Helper()
	id, err := l.CreateComment(l.t.Context(), l.writer, store.NewComment{PostID: post, Body: body, FormID: l.form()})
	if err != nil {
		l.t.Fatal(err)
	}
	return id
}

func (l *library) search(q store.SearchQuery) store.SearchResult {
	l.t.Helper()
	if q.Limit == 0 {
		q.Limit = 20
	}
	found, err := l.Search(l.t.Context(), q)
	if err != nil {
		l.t.Fatalf("search for %q: %v", q.Text, err)
	}
	return found
}

// finds checks which posts a query finds, in their order.
func (l *library) finds(query string, want ...int64) {
	l.t.Helper()
	var got []int64
	for _, hit := range l.search(store.SearchQuery{Text: query}).Hits {
		got = append(got, hit.Post.ID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		l.t.Errorf("%q finds other posts (-want +got):\n%s", query, diff)
	}
}

func TestKoreanIsFoundFromOneSyllableOn(t *testing.T) {
	l := newLibrary(t)
	republic := l.post("대한민국 헌법", "모든 권력은 국민으로부터 나온다.")
	history := l.post("역사 공부", "결제 수단을 **고양이**가 골랐다. 모두 감사ㄳ")
	for query, want := range map[string][]int64{
		"민": {republic}, "국": {republic}, "헌": {republic}, "법": {republic}, "민국": {republic}, "대한민": {republic}, "대한민국": {republic},
		"한국": nil, "국대": nil, "역사": {history}, "결제": {history}, "제": {history}, "고양이가": {history}, "양이가 골": {history},
		"감사": {history}, "감사ㄳ": {history}, "나온다": {republic}, "국민 헌법": {republic}, "국민 역사": nil, "의": nil,
	} {
		l.finds(query, want...)
	}
}

func TestMixedScriptsAreFoundTogetherAndApart(t *testing.T) {
	l := newLibrary(t)
	glued := l.post("Go언어로 만든 게시판", "PostgreSQL과 SQLite3을 씁니다. 東京タワーに行きました。")
	apart := l.post("Go 언어", "node.js는 아니다")
	for query, want := range map[string][]int64{
		"Go언어": {apart, glued}, "go": {apart, glued}, "언어": {apart, glued}, "언어로": {glued}, "Go언어로": {glued},
		"PostgreSQL": {glued}, "postgresql과": {glued}, "sqlite3": {glued}, "sqlite3을": {glued}, "東京": {glued}, "タワー": {glued}, "京": {glued},
		"node.js": {apart}, "js": {apart}, "ode": nil,
	} {
		l.finds(query, want...)
	}
}

func TestCaseWidthAndFormMakeNoDifference(t *testing.T) {
	l := newLibrary(t)
	id := l.post("ＧＯ 언어 ﾀﾜｰ", "한글 Straße ΣΊΣΥΦΟΣ Ⅳ") // the body begins with jamo
	for _, query := range []string{"go", "ＧＯ", "gO", "タワー", "ﾀﾜｰ", "한글", "한글", "글", "strasse", "STRASSE", "σίσυφος", "iv", "GO언"} {
		l.finds(query, id)
	}
}

func TestPhrasesKeepTheirOrder(t *testing.T) {
	l := newLibrary(t)
	cat := l.post("첫째", "고양이 사료를 샀다. The quick brown fox.")
	feed := l.post("둘째", "사료 좋아하는 고양이. The brown quick fox.")
	l.finds(`고양이 사료`, cat, feed) // side by side first
	l.finds(`"고양이 사료"`, cat)
	l.finds(`“고양이 사료”`, cat)
	l.finds(`"사료를 샀"`, cat)
	l.finds(`"quick brown"`, cat)
	l.finds(`"brown quick"`, feed)
	l.finds(`"quick brown`, cat) // never closed
	l.finds(`고양이 -좋아`, cat)
	l.finds(`고양이 -"brown quick"`, cat)
	l.finds(`-고양이`)
	l.finds(`qui*`, feed, cat)
	l.finds(`"fox 둘째"`)
	l.finds(`"첫째 고양이"`) // not from the title into the body
}

func TestLongerWordsAreFoundWhenNothingElseIs(t *testing.T) {
	l := newLibrary(t)
	many := l.post("Recipes", "Many of them")
	if found := l.search(store.SearchQuery{Text: "recipe"}); len(found.Hits) != 1 || !found.Widened {
		t.Errorf("%+v", found)
	}
	one := l.post("A recipe", "Only one")
	if found := l.search(store.SearchQuery{Text: "recipe"}); len(found.Hits) != 1 || found.Widened || found.Hits[0].Post.ID != one {
		t.Errorf("%+v", found)
	}
	l.finds("recip* of", many)
}

func TestTitlesComeBeforeTextsAndTheseBeforeComments(t *testing.T) {
	l := newLibrary(t)
	titled := l.post("김치 찌개", "레시피")
	both := l.post("반찬", "김치와 김치")
	spoken := l.post("저녁", "뭐 먹지")
	comment := l.comment(spoken, "김치 먹자")
	l.comment(titled, "김치!")
	later := l.post("장보기", "김치")
	l.finds("김치", titled, later, both, spoken)
	hits := l.search(store.SearchQuery{Text: "김치"}).Hits
	if got := hits[3].Comment; got.ID != comment || got.Author != l.writer.Nickname {
		t.Errorf("found in the comment %+v", got)
	}
	newer := l.comment(spoken, "김치가 좋아")
	if got := l.search(store.SearchQuery{Text: "김치"}).Hits[3].Comment.ID; got != newer {
		t.Errorf("shows the comment %d, want %d", got, newer)
	}
	if hits[0].Comment.ID != 0 || hits[0].Post.Comments != 1 || hits[0].Post.Author != l.writer.Nickname {
		t.Errorf("%+v", hits[0])
	}
}

func TestWhatIsEditedOrDeletedIsNotFoundAsItWas(t *testing.T) {
	l := newLibrary(t)
	ctx := t.Context()
	post := l.post("처음", "바다")
	comment := l.comment(post, "파도")
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(l.EditPost(ctx, l.writer, post, store.NewPost{Title: "나중", Body: "호수"}))
	check(l.EditComment(ctx, l.writer, comment, "물결"))
	for query, want := range map[string][]int64{"처음": nil, "바다": nil, "파도": nil, "나중": {post}, "호수": {post}, "물결": {post}} {
		l.finds(query, want...)
	}
	check(l.DeleteComment(ctx, l.writer, comment))
	l.finds("물결")
	l.comment(post, "고래")
	l.finds("고래", post)
	check(l.DeletePost(ctx, l.writer, post))
	for _, query := range []string{"나중", "호수", "고래", "후"} {
		l.finds(query)
	}
	wantChecked(t, l.Store)
}

func TestARefusedTextIsNotFound(t *testing.T) {
	l := newLibrary(t)
	stranger := storetest.Member(t, l.Store)
	post := l.post("제목", "본문")
	if err := l.EditPost(t.Context(), stranger, post, store.NewPost{Title: "도둑", Body: "도둑"}); err == nil {
		t.Error("a stranger may edit")
	}
	form := l.form()
	for _, body := range []string{"하나", "둘"} { // the second form is refused
		_, _ = l.CreatePost(t.Context(), l.writer, store.NewPost{Title: "양식", Body: body, FormID: form})
	}
	l.finds("도둑")
	l.finds("둘")
	wantChecked(t, l.Store)
}

// Other programs took these for commands, or failed.
// Any part of what is written is found, in whatever form it is typed.
// marked is what is marked as found.
// emptyIndex is a board from before there was an index.
