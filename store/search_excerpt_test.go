package store

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// show writes pieces with their hits in brackets.
func show(pieces []Piece) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.Hit {
			b.WriteString("{" + p.Text + "}")
			continue
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

func TestWhatWasLookedForIsMarked(t *testing.T) {
	for _, c := range []struct{ query, text, want string }{
		{"민국", "대한민국 만세, 민국", "대한{민국} 만세, {민국}"},
		{"한", "한국의 한글", "{한}국의 {한}글"},
		{"글", "한국의 한글", "한국의 한{글}"},
		{"대한민국", "대한민국", "{대한민국}"},
		{"go", "Go언어와 going, gO", "{Go}언어와 going, {gO}"},
		{"Go언어", "Go언어를 Go 언어로", "{Go언어}를 {Go 언어}로"},
		{"go*", "Go going", "{Go} {going}"},
		{`"quick brown"`, "the quick, brown fox", "the {quick, brown} fox"},
		{"나다 가나", "가나다", "{가나다}"},
		{"cafe\u0301", "Café cafe\u0301!", "{Café} {cafe\u0301}!"},
		{"ＡＢＣ", "abc & <b>", "{abc} & <b>"},
		{"none", "nothing here", "nothing here"},
		{"b -c", "a b c", "a {b} c"},
		{"가", "\u1100\u1161\u11a8 가", "\u1100\u1161\u11a8 {가}"}, // the first is another syllable
	} {
		if got := show(markAll(readQuery(c.query), c.text)); got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.query, c.text, got, c.want)
		}
	}
}

func TestAnExcerptShowsWhereTheWordsAre(t *testing.T) {
	far := strings.Repeat("먼저 다른 이야기를 길게 한다. ", 100)
	got := show(excerpt(readQuery("고양이 사료"), far+"여기 고양이가 있다. 고양이 사료도.\n\n"+far))
	if !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "…") || !strings.Contains(got, "{고양이}가 있다. {고양이} {사료}도. 먼저") {
		t.Errorf("%s", got)
	}
	if n := utf8.RuneCountInString(got); n > excerptMax+10 {
		t.Errorf("%d characters", n)
	}
	got = show(excerpt(readQuery("사료 고양이"), "고양이. "+far+" 사료와 고양이."))
	if !strings.HasSuffix(got, "{사료}와 {고양이}.") {
		t.Errorf("shows one of two: %s", got)
	}
	if got := show(excerpt(readQuery("없다"), far)); !strings.HasPrefix(got, "먼저") || !strings.HasSuffix(got, "…") {
		t.Errorf("%s", got)
	}
	if got := show(excerpt(readQuery("b"), "a\u202e b\u2067 c")); got != "a {b} c" {
		t.Errorf("%q", got)
	}
}

func TestAnExcerptIsAPartOfTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.ToValidUTF8(anyText().Draw(t, "text"), "")
		q := readQuery(anyText().Draw(t, "query"))
		var whole strings.Builder
		for _, p := range markAll(q, text) {
			if p.Text == "" || !utf8.ValidString(p.Text) {
				t.Fatalf("piece %q", p.Text)
			}
			whole.WriteString(p.Text)
		}
		if whole.String() != text {
			t.Fatalf("%q became %q", text, whole.String())
		}
		long := strings.Repeat(text+" ", 20)
		for _, p := range excerpt(q, long) {
			if !utf8.ValidString(p.Text) || strings.ContainsFunc(p.Text, bidiControl) {
				t.Fatalf("piece %q", p.Text)
			}
		}
	})
}
