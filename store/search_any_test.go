package store_test

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"madang/store"
)

func TestAnyTextIsAQuery(t *testing.T) {
	l := newLibrary(t)
	post := l.post("Rock'n'roll NEAR the sea", `"a" AND b OR (c) {title}: words`)
	for _, query := range []string{
		"", " ", "'", `"`, `""`, `"""`, "' OR '1'='1", "1; DROP TABLE posts; --", "NEAR(a b)", "a NEAR/2 b", "AND", "OR", "NOT", "AND OR NOT", "NOT a", "(", ")", "((((", "a (",
		"*", "a*", "**", `"*`, `"a"*`, "^a", "^", "-", "--", "-a", "- a", "+a", "a + b", "title:a", "words:a", "{words}:a", "{a b}: c", "col : x", ":", ":*", "a:*", "!a", "a & b", "a | !b", "a <-> b",
		"<->", "a <0> b", "'a':1A", `\`, `\'`, `a\`, "%", "_", "\x00", "a\x00b", "\xff\xfe", "\u202eabc", "\u200b", "가\u200b나", "😀", "👨‍👩‍👧", "e\u0301\u0301\u0301", "\u0301", "«a", "»가", "«»가", "·", "﷽﷽",
		"ㅋㅋㅋ", "ㅏ", "\u1100", "\u1161", "가\u11a8\u11a8", "$1", "$$", "{{7*7}}", "${7*7}", "<script>alert(1)</script>",
		strings.Repeat("a ", 5000), strings.Repeat("가", 3000), strings.Repeat(`"`, 300), strings.Repeat("-", 300), strings.Repeat("(", 300), strings.Repeat("ﷺ", 200), strings.Repeat("가 ", 100), strings.Repeat("a* ", 66),
	} {
		l.search(store.SearchQuery{Text: query})
	}
	l.finds(`near AND (title)`, post)
	l.finds(`rock'n'roll`, post)
	wantChecked(t, l.Store)
}

func TestAnyPartOfAStoredTextIsFound(t *testing.T) {
	l := newLibrary(t)
	syllables := rapid.StringOfN(rapid.OneOf(rapid.RuneFrom([]rune("가나다라마 하힣\n*")), rapid.RuneFrom(nil, unicode.Hangul)), 1, 30, -1)
	forms := rapid.SampledFrom([]func(string) string{norm.NFC.String, norm.NFD.String, norm.NFKD.String})
	rapid.Check(t, func(r *rapid.T) {
		text := norm.NFC.String(syllables.Draw(r, "text"))
		post := l.post("x", "."+text)
		defer func() {
			if err := l.DeletePost(t.Context(), l.writer, post); err != nil {
				t.Fatal(err)
			}
		}()
		runes := []rune(text)
		from := rapid.IntRange(0, len(runes)-1).Draw(r, "from")
		to := rapid.IntRange(from+1, len(runes)).Draw(r, "to")
		for _, part := range strings.FieldsFunc(string(runes[from:to]), func(r rune) bool { return r < '가' || r > '힣' }) {
			query := forms.Draw(r, "form")(part)
			found := l.search(store.SearchQuery{Text: query})
			if len(found.Hits) != 1 || !strings.Contains(marked(found.Hits[0].Excerpt), part) {
				r.Fatalf("%q finds %+v in %q", query, found.Hits, text)
			}
		}
	})
}

func marked(pieces []store.Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.Hit {
			b.WriteString(p.Text + " ")
		}
	}
	return b.String()
}

func TestTheLongestTextsAreFoundToTheirEnd(t *testing.T) {
	l := newLibrary(t)
	different := func(from rune) string {
		var b strings.Builder
		for i := range rune(49_000) {
			b.WriteRune(from + i)
		}
		return b.String()
	}
	for _, text := range []string{
		strings.Repeat("습니다 ", 12_000), strings.Repeat("가", 49_000), strings.Repeat("a b ", 12_000), strings.Repeat("a", 49_000),
		different(0x20000), different('가' - 40_000), strings.Repeat("\uFDFA", 49_000),
	} {
		post := l.post("긴 글", text+" 끝에서 처음으로 quick brown")
		l.finds("끝에서", post)
		l.finds(`"끝에서 처음으로 quick"`, post)
		l.finds("처음으", post)
		l.finds("brown", post)
		if err := l.DeletePost(t.Context(), l.writer, post); err != nil {
			t.Fatal(err)
		}
	}
}
