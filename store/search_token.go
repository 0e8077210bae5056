package store

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// token is what a search compares: a word of letters and digits or, where words
// are not set apart so that a part of one must be found too, a character with
// the one after it. The last character of such a run stands alone. Case, width
// and other compatible forms make no difference.
type token struct {
	word string
	wide bool // of a script read by characters
	pair bool // two characters
	// Where it stands in the text, in bytes. The first character of a wide one
	// ends at middle.
	from, middle, to int
}

// wordMax is how many characters of a word count. Nobody types more of one, and
// an index has a limit.
const wordMax = 64

// byCharacter are the scripts that do not set words apart, or that put endings
// to them, as Korean does.
func byCharacter(r rune) bool {
	return r == 'ー' || unicode.In(r, unicode.Hangul, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Bopomofo, unicode.Yi, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// passedOver reports what is not seen and parts no word: a reader does not know
// that it is there.
func passedOver(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector) || filler(r)
}

// tokens reads a text. Two that follow each other are neighbours, whatever
// signs and spaces are between them.
func tokens(text string) []token {
	s := tokenizer{fold: cases.Fold(), tokens: make([]token, 0, len(text)/3)}
	from := 0
	for at, r := range text {
		if looseConsonant(r) && at > from {
			s.read(text[from:at], from)
			from = at
		}
	}
	s.read(text[from:], from)
	s.flush()
	return s.tokens
}

// looseConsonant reports a Korean consonant that was typed by itself, as in
// "감사ㄳ". By the rules of composition some of them would go into the syllable
// before, which then nobody finds.
func looseConsonant(r rune) bool { return r >= 'ㄱ' && r <= 'ㅎ' }

// read reads a part that begins at a place of the text.
func (s *tokenizer) read(part string, at int) {
	var it norm.Iter
	it.InitString(norm.NFKC, part)
	from := 0
	var composed []byte
	for !it.Done() {
		// What comes of one character may come in several steps.
		composed = append(composed, it.Next()...)
		if to := it.Pos(); to > from {
			s.segment(composed, at+from, at+to)
			from, composed = to, composed[:0]
		}
	}
}

type tokenizer struct {
	fold   cases.Caser
	tokens []token
	run    []letter // what the next tokens are made of
	wide   bool     // what kind of run it is
}

// letter is a character of a run and where it comes from.
type letter struct {
	r        rune
	from, to int
}

// segment takes a character with all that belongs to it, composed.
func (s *tokenizer) segment(composed []byte, from, to int) {
	if len(composed) == 1 && composed[0] < utf8.RuneSelf {
		s.add(unicode.ToLower(rune(composed[0])), from, to)
		return
	}
	if r, size := utf8.DecodeRune(composed); size == len(composed) && unicode.Is(unicode.Lo, r) {
		s.add(r, from, to) // has no case
		return
	}
	for _, r := range string(s.fold.Bytes(composed)) {
		s.add(r, from, to)
	}
}

func (s *tokenizer) add(r rune, from, to int) {
	switch {
	case passedOver(r):
		return
	case byCharacter(r):
		s.begin(true)
	case unicode.IsLetter(r), unicode.IsNumber(r):
		s.begin(false)
	case unicode.IsMark(r) && len(s.run) > 0:
		if s.wide {
			return
		}
	default:
		s.flush()
		return
	}
	s.run = append(s.run, letter{r, from, to})
}

// begin ends a run of the other kind.
func (s *tokenizer) begin(wide bool) {
	if s.wide != wide {
		s.flush()
	}
	s.wide = wide
}

func (s *tokenizer) flush() {
	switch {
	case len(s.run) == 0:
		return
	case s.wide:
		s.flushWide()
	default:
		last := s.run[len(s.run)-1]
		word, _ := spell(s.run[:min(len(s.run), wordMax)])
		s.tokens = append(s.tokens, token{word: word, from: s.run[0].from, middle: last.to, to: last.to})
	}
	s.run = s.run[:0]
}

func (s *tokenizer) flushWide() {
	word, starts := spell(s.run)
	for i, l := range s.run {
		t := token{wide: true, from: l.from, middle: l.to, to: l.to, word: word[starts[i]:]}
		if i+1 < len(s.run) {
			t.pair, t.to = true, s.run[i+1].to
			t.word = word[starts[i]:starts[i+2]]
		}
		s.tokens = append(s.tokens, t)
	}
}

// spell writes a run and says where each letter of it begins, and where it ends.
func spell(run []letter) (word string, starts []int) {
	var b strings.Builder
	starts = make([]int, 0, len(run)+1)
	for _, l := range run {
		starts = append(starts, b.Len())
		b.WriteRune(l.r)
	}
	return b.String(), append(starts, b.Len())
}

// first is the first character of a token.
func (t token) first() string {
	for i := range t.word {
		if i > 0 {
			return t.word[:i]
		}
	}
	return t.word
}
