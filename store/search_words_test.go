package store

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func wordsOf(text string) []string {
	var words []string
	for _, t := range tokens(text) {
		words = append(words, t.word)
	}
	return words
}

func TestTextsAreReadAsWords(t *testing.T) {
	for text, want := range map[string][]string{
		"":                        nil,
		"!? — 😀":                  nil,
		"가":                       {"가"},
		"대한민국":                    {"대한", "한민", "민국", "국"},
		"Go언어, 2판":                {"go", "언어", "어", "2", "판"},
		norm.NFD.String("한글"):     {"한글", "글"},
		"ﾀﾜｰ":                     {"タワ", "ワー", "ー"},
		"ＧＯ Ⅳ":                    {"go", "iv"},
		"e\u0301te\u0301":         {"été"},
		"zero\u200bwidth\u00ad":   {"zerowidth"},
		"가\u200d나":                {"가나", "나"},
		"snake_case":              {"snake", "case"},
		"ㅋㅋ":                      {"\u110f\u110f", "\u110f"},
		"감사ㄳ":                     {"감사", "사\u11aa", "\u11aa"},
		strings.Repeat("a", 1000): {strings.Repeat("a", wordMax)},
		"a\xffb":                  {"a", "b"},
	} {
		if diff := cmp.Diff(want, wordsOf(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// anyText is what people write, and what they do not.
func anyText() *rapid.Generator[string] {
	kinds := rapid.OneOf(
		rapid.RuneFrom(nil, unicode.Hangul), rapid.RuneFrom([]rune("가나다라마바사아자차카타파하이다는을를ㄱㄳㄵㄺㅄㅋㅏㅢ")),
		rapid.RuneFrom([]rune(" \n*_`~[]()<>!#-+\\\"'.,·«»\u200b\u202e\u0301")), rapid.RuneFrom([]rune("abcXYZ019ＧＯﬁßİΣς")),
		rapid.RuneFrom(nil, unicode.Han, unicode.Thai, unicode.Arabic), rapid.Rune(),
	)
	return rapid.StringOfN(kinds, 0, 60, -1)
}

func TestTokensStandInOrderInTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText().Draw(t, "text")
		last := 0
		for _, token := range tokens(text) {
			if token.from < last || token.middle <= token.from || token.to < token.middle || token.to > len(text) {
				t.Fatalf("%+v after %d of %d", token, last, len(text))
			}
			if token.word == "" || !utf8.ValidString(token.word) || strings.ContainsAny(token.word, inTitle+aCharacter+gapWord+" '\"\\") {
				t.Fatalf("%+v", token)
			}
			last = token.from
		}
	})
}

// Who copies a part of a text into the search finds the text.
func TestEachPartOfATextIsWithinIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := norm.NFC.String(anyText().Draw(t, "text"))
		runes := []rune(text)
		from := rapid.IntRange(0, len(runes)).Draw(t, "from")
		to := rapid.IntRange(from, len(runes)).Draw(t, "to")
		for _, part := range strings.FieldsFunc(string(runes[from:to]), func(r rune) bool { return r < '가' || r > '힣' }) {
			q := readQuery(part)
			if marks := findMarks(q, text); len(marks) == 0 {
				t.Fatalf("%q is not found in %q: %v in %v", part, text, wordsOf(part), wordsOf(text))
			}
		}
	})
}

func TestMarkdownIsTakenOutOfTexts(t *testing.T) {
	for source, want := range map[string]string{
		"**고양이**가 _왔다_":                                  "고양이가 왔다",
		"snake_case and 2*3":                             "snake_case and 2*3",
		"2 * 3 * 4":                                      "2 * 3 * 4",
		"***both*** ~~gone~~ ~one~":                      "both gone ~one~",
		"# Title\n\n> quoted\n\n- [x] done\n1. one\n---": "Title\n\nquoted\n\ndone\none",
		"[말](https://example.com/a_b) ![그림](x.png)":      "말 그림",
		"[![alt](img)](link) [a][b] [공지] 글":              "alt a [공지] 글",
		"note[^1]\n\n[^1]: below":                        "note\n\n: below",
		"`a*b*c` and ``x ` y``":                          "a*b*c and x ` y",
		"```go\na := *b * *c\n```\nafter":                "a := *b * *c\nafter",
		"~~~\n# no title\n~~~":                           "# no title",
		"| a | b |\n|---|---|\n| 가 | 나 |":                "a   b\n\n가   나",
		`\*not\* \\ end\`:                                `*not* \ end\`,
		"<https://example.com> <b> a < b":                "https://example.com <b> a < b",
		"AT&amp;T &lt;3":                                 "AT&T <3",
		"unfinished [link](never **bold `code":           "unfinished [link](never **bold `code",
	} {
		if got := plainText(source); got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
}

// A text of eight times the length takes about eight times as long, whatever
// it is made of: where every sign looks at all others it would be 64 times.
func TestTextsMadeToBeSlowCostNoMoreThanTheirLength(t *testing.T) {
	for _, sign := range []string{"[", "<", "*a", "`a``", "![", "](", "_a ", "~~a", "\\", "> ", "&", "[^", "**a*b", "가*", "\u0301", "ᄀ", "ㄳ", "\uFDFA"} {
		signs := bodyMax / len([]rune(sign))
		if ratio := ratioOfWords(strings.Repeat(sign, signs/8), strings.Repeat(sign, signs)); ratio > 32 {
			t.Errorf("%q: eight times the length takes %.0f times as long", sign, ratio)
		}
	}
}

// ratioOfWords is how much longer one text takes than another. Since the machine
// has other work it is the shortest time of each, and taken more often where
// that seems long.
func ratioOfWords(short, long string) float64 {
	shorter, longer := time.Hour, time.Hour
	for round := 0; round < 3 || round < 30 && longer > 16*shorter; round++ {
		shorter, longer = min(shorter, timeOfWords(short)), min(longer, timeOfWords(long))
	}
	return float64(longer) / float64(shorter)
}

func timeOfWords(text string) time.Duration {
	begun := time.Now()
	postWords("title", text)
	return time.Since(begun)
}

func TestQueriesAreRead(t *testing.T) {
	words := func(terms []term) (all []string) {
		for _, t := range terms {
			var one []string
			for _, w := range t.words("") {
				one = append(one, w.text+map[bool]string{true: "*"}[w.begins])
			}
			all = append(all, strings.Join(one, " "))
		}
		return all
	}
	for typed, want := range map[string][2][]string{
		"":                     {},
		"고양이 사료":               {{"고양 양이", "사료"}},
		"집":                    {{"»집"}},
		`"그 집"`:                {{"그 집*"}},
		`"그 집에서"`:              {{"그 집에 에서"}},
		`"에서 봤다" -"ab cd" -ef`: {{"에서 서 봤다"}, {"ab cd", "ef"}},
		"Go언어":                 {{"go 언어"}},
		"언어go":                 {{"언어 어 go"}},
		"go*  g* 가나*":          {{"go*", "g", "가나"}},
		`a"b c"d`:              {{"a", "b c", "d"}},
		`"open end`:            {{"open end"}},
		"- -- -\"":             {},
		"node.js":              {{"node js"}},
	} {
		q := readQuery(typed)
		if diff := cmp.Diff(want, [2][]string{words(q.all), words(q.none)}); diff != "" {
			t.Errorf("%q (-want +got):\n%s", typed, diff)
		}
	}
	if got := len(readQuery(strings.Repeat("a ", 500)).all); got != termsMax {
		t.Errorf("%d terms", got)
	}
	if got := CutQuery("  " + strings.Repeat("가", 500)); got != strings.Repeat("가", queryMax-2) && got != strings.Repeat("가", queryMax) {
		t.Errorf("cut to %d", utf8.RuneCountInString(got))
	}
}

func TestAQueryIsCutWithinAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typed := rapid.SliceOfN(rapid.Byte(), 0, 2000).Draw(t, "typed")
		cut := CutQuery(string(typed))
		if !utf8.ValidString(cut) || utf8.RuneCountInString(cut) > queryMax || CutQuery(cut) != strings.TrimSpace(cut) {
			t.Fatalf("%q", cut)
		}
		readQuery(string(typed))
	})
}

func TestPlacesOfALongTextFit(t *testing.T) {
	var places []int
	for i := range 60_000 {
		places = append(places, i+1)
	}
	folded := foldPlaces(places)
	if len(folded) != placesMax || folded[0] != 1 || folded[len(folded)-1] != placesMax {
		t.Errorf("%d places, %d to %d", len(folded), folded[0], folded[len(folded)-1])
	}
	for i := range 1000 { // neighbours stay neighbours
		first, second := foldPlaces([]int{i}), foldPlaces([]int{i + 1})
		near := false
		for _, a := range first {
			for _, b := range second {
				near = near || b == a+1
			}
		}
		if !near {
			t.Errorf("%d at %v, %d at %v", i, first, i+1, second)
		}
	}
}
