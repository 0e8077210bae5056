package views

import (
	"fmt"
	"strconv"
	"strings"

	"madang/store"
)

// Lang is a language of the site.
type Lang string

// The languages.
const (
	Korean  Lang = "ko"
	English Lang = "en"
)

// LangOf returns the language of that name, English for an unknown one.
func LangOf(name string) Lang {
	if Lang(name) == Korean {
		return Korean
	}
	return English
}

// Other returns the language to switch to.
func (l Lang) Other() Lang {
	if l == Korean {
		return English
	}
	return Korean
}

// Name returns the language's name in itself.
func (l Lang) Name() string {
	if l == Korean {
		return "한국어"
	}
	return "English"
}

// catalogue holds words of one language by key. It is never written to.
type catalogue map[string]string

// catalogues are the words of the pages, of the account page, of the search, of
// what is being written, the messages, the administrator's words.
func (l Lang) catalogues() [6]catalogue {
	if l == Korean {
		return [...]catalogue{korean, koreanAccount, koreanSearch, koreanWriting, koreanMessages, koreanAdmin}
	}
	return [...]catalogue{english, englishAccount, englishSearch, englishWriting, englishMessages, englishAdmin}
}

// lookup finds the text of a key.
func (l Lang) lookup(key string) (string, bool) {
	for _, words := range l.catalogues() {
		if text, ok := words[key]; ok {
			return text, true
		}
	}
	return "", false
}

// Word returns the text of a catalogue key with the arguments set in, the key
// itself when there is no such text.
func (l Lang) Word(key string, args ...any) string {
	text, ok := l.lookup(key)
	if !ok {
		return key
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// Count returns the text of a catalogue key for a number. A text with
// different words for one and for many holds both, split by a bar.
func (l Lang) Count(key string, n int64) string {
	text := l.Word(key)
	if one, many, ok := strings.Cut(text, "|"); ok {
		text = many
		if n == 1 {
			text = one
		}
	}
	return fmt.Sprintf(text, grouped(n))
}

// Problem returns what to say beside a field: the words for this very field
// and problem, else for the problem in any field.
func (l Lang) Problem(field string, problem store.Problem) string {
	keys := []string{"problem." + field + "." + string(problem), "problem." + string(problem)}
	for _, key := range keys {
		if text, ok := l.lookup(key); ok {
			return text
		}
	}
	return l.Word("problem.malformed")
}

// grouped writes a number with commas between its thousands, as both
// languages do.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = digits[:1], digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}
