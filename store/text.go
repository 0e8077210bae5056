package store

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// cleanLine returns a one-line text in NFC without the space around it and
// with tabs as spaces, or what is wrong with it. Lengths are in characters
// (runes after NFC).
func cleanLine(s string, atMost int) (string, Problem) {
	if len(s) > 16*atMost { // a cheap look before any work
		return "", TooLong
	}
	if !utf8.ValidString(s) {
		return "", Malformed
	}
	s = strings.ReplaceAll(norm.NFC.String(s), "\t", " ")
	refused := strings.ContainsFunc(s, notInLine) // before line ends are trimmed away
	s = strings.TrimSpace(s)
	switch {
	case invisible(s):
		return "", Missing
	case refused:
		return "", Malformed
	case utf8.RuneCountInString(s) > atMost:
		return "", TooLong
	}
	return s, ""
}

// cleanText returns a text of many lines as it was written, but for the line
// ends, which browsers turn into CR LF; or what is wrong with it.
func cleanText(s string, atMost int) (string, Problem) {
	if len(s) > 16*atMost {
		return "", TooLong
	}
	if !utf8.ValidString(s) {
		return "", Malformed
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	switch {
	case invisible(s):
		return "", Missing
	case strings.ContainsFunc(s, notInText):
		return "", Malformed
	case utf8.RuneCountInString(norm.NFC.String(s)) > atMost:
		return "", TooLong
	}
	return s, ""
}

// invisible reports whether a reader would see nothing of a text.
func invisible(s string) bool {
	return !strings.ContainsFunc(s, visible)
}

func visible(r rune) bool {
	return !filler(r) && !unicode.IsSpace(r) && !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Mn, unicode.Me, unicode.Variation_Selector)
}

// filler reports the blank letters of Hangul and the blank of Braille.
func filler(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800':
		return true
	}
	return false
}

// notInText reports whether a character has no place in any text.
func notInText(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || noncharacter(r)
}

// notInLine adds what breaks or turns round the line it stands in.
func notInLine(r rune) bool {
	return unicode.IsControl(r) || noncharacter(r) || r == '\u2028' || r == '\u2029' || bidiControl(r)
}

// bidiControl reports the embeddings, overrides and isolates of Unicode's
// bidirectional algorithm, which can make one name look like another.
func bidiControl(r rune) bool {
	return r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

func noncharacter(r rune) bool {
	return r >= '\ufdd0' && r <= '\ufdef' || r&0xfffe == 0xfffe
}

// hidesCharacters reports format characters, such as zero-width ones, which
// have no place in the name of a person.
func hidesCharacters(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Cf, r) })
}
