package store

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// queryMax is how many characters of a query are read.
	queryMax = 200
	// termsMax is how many of its words and phrases count.
	termsMax = 32
)

// searchText is a query as somebody typed it, read: what must be in a text and
// what must not. Everything that is no word, quotation or minus is text too.
type searchText struct {
	all, none []term
}

// term is a word, or words that follow each other.
type term struct {
	tokens []token
	// begins is true when a longer word than the last will do.
	begins bool
}

// CutQuery returns as much of a query as a search reads, in valid UTF-8.
func CutQuery(typed string) string {
	if len(typed) > queryMax*utf8.UTFMax {
		typed = typed[:queryMax*utf8.UTFMax]
	}
	typed = strings.TrimSpace(strings.ToValidUTF8(typed, ""))
	for n := range typed {
		if utf8.RuneCountInString(typed[:n]) == queryMax {
			return typed[:n]
		}
	}
	return typed
}

func isQuote(r rune) bool { return strings.ContainsRune(`"“”„`, r) }

// readQuery reads a query: words, "phrases", -without, begin*.
func readQuery(typed string) searchText {
	var q searchText
	for rest := CutQuery(typed); rest != ""; {
		var t term
		var without bool
		if t, without, rest = readTerm(rest); len(t.tokens) == 0 {
			continue
		}
		switch {
		case len(q.all)+len(q.none) == termsMax:
			return q
		case without:
			q.none = append(q.none, t)
		default:
			q.all = append(q.all, t)
		}
	}
	return q
}

// readTerm reads the first word or phrase and returns what is left.
func readTerm(typed string) (t term, without bool, rest string) {
	typed = strings.TrimLeftFunc(typed, unicode.IsSpace)
	typed, without = strings.CutPrefix(typed, "-")
	first, size := utf8.DecodeRuneInString(typed)
	ends := func(r rune) bool { return unicode.IsSpace(r) || isQuote(r) }
	if isQuote(first) {
		typed, ends = typed[size:], isQuote
	}
	word := typed
	if at := strings.IndexFunc(typed, ends); at >= 0 {
		word, rest = typed[:at], typed[at:]
	}
	if isQuote(first) { // the closing one
		_, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
	}
	return newTerm(word), without, rest
}

// newTerm reads a word or phrase. A star behind the last word asks for all that
// begin with it; two letters are the least, since one begins too many.
func newTerm(words string) term {
	t := term{tokens: tokens(words)}
	if n := len(t.tokens); n > 0 && strings.HasSuffix(words, "*") {
		last := t.tokens[n-1]
		t.begins = !last.wide && utf8.RuneCountInString(last.word) > 1
	}
	return t
}

// widened looks for longer words too. It reports false when that is no change:
// what is read by characters is found in any word as it is.
func (q searchText) widened() (searchText, bool) {
	wide := searchText{none: q.none}
	changed := false
	for _, t := range q.all {
		longer := newTerm(t.tokens[len(t.tokens)-1].word + "*").begins
		changed = changed || longer && !t.begins
		t.begins = longer
		wide.all = append(wide.all, t)
	}
	return wide, changed
}

// together is the whole query as one phrase, for texts in which its words stand
// side by side. It reports false when there is nothing to put together.
func (q searchText) together() (searchText, bool) {
	if len(q.all) < 2 {
		return q, false
	}
	var whole term
	for _, t := range q.all {
		whole.tokens = append(whole.tokens, t.tokens...)
		whole.begins = t.begins
	}
	return searchText{all: []term{whole}, none: q.none}, true
}

// soughtWord is a word of a phrase to look up.
type soughtWord struct {
	text   string
	begins bool // longer ones too
}

// words are what a text has to hold one after the other, in the index. What
// follows the last character does not matter, so that a part of a word is found.
func (t term) words(sign string) []soughtWord {
	n := len(t.tokens)
	last := t.tokens[n-1]
	switch {
	case n == 1 && last.wide:
		return []soughtWord{{text: sign + aCharacter + last.word}}
	case last.wide && t.tokens[n-2].pair:
		n--
	}
	words := make([]soughtWord, n)
	for i := range words {
		words[i].text = sign + t.tokens[i].word
	}
	words[n-1].begins = t.begins || n == len(t.tokens) && last.wide
	return words
}
