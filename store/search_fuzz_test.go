package store_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"madang/store"
)

// FuzzSearch asks for any text. Each answer is one, in time, and shows in each
// result what was looked for.
func FuzzSearch(f *testing.F) {
	l := newLibrary(f)
	texts := []string{
		"대한민국 헌법 제1조", "Go언어로 만든 게시판", "Rock'n'roll NEAR the sea AND OR NOT", "東京タワーに行きました", "ภาษาไทย ລາວ",
		"e\u0301te\u0301 ÉTÉ ﬁn Straße ΣΊΣΥΦΟΣ", "a_b **c** `d*e` [link](x) ~~f~~ \\* <b>", "0 1 2 3.14 ½ Ⅳ ٣ ㉠ ㈜ ﷺ ｶﾞ", "ᄒᆞᆫ글 ㅋㅋㅋ ㅏ", "«a» »가 · 'b' \"c\" :* & | !",
	}
	for i, text := range texts {
		post := l.post(text, texts[(i+1)%len(texts)])
		l.comment(post, texts[(i+2)%len(texts)])
		f.Add(text)
	}
	for _, query := range []string{"", `"`, "-a", `-"a b" c`, "a*", "가*", `"가 나"*`, "«", "\x00", "\xff", "\u0301", "\u200b", "(a OR", "NEAR(", "title:", "a:* & !b", "' OR 1=1 --"} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		found, err := l.Search(t.Context(), store.SearchQuery{Text: query, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		if found.Unfinished || found.Count != len(found.Hits) || found.Nothing && found.Count > 0 {
			t.Errorf("%d of %d results, unfinished: %t, nothing: %t", len(found.Hits), found.Count, found.Unfinished, found.Nothing)
		}
		for _, hit := range found.Hits {
			if marked(hit.Title)+marked(hit.Excerpt) == "" || !utf8.ValidString(whole(hit.Title)+whole(hit.Excerpt)) {
				t.Errorf("post %d does not show why it was found: %v, %v", hit.Post.ID, hit.Title, hit.Excerpt)
			}
		}
	})
}

func whole(pieces []store.Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.Text)
	}
	return b.String()
}
