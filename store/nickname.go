package store

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Lengths of a nickname in characters.
const (
	nicknameMin = 2
	nicknameMax = 20
)

// marksMax is how many combining marks may follow one letter: enough for
// every living script, too few to paint over the neighbouring lines.
const marksMax = 2

// cleanNickname returns a nickname in NFC and the key under which it is
// unique: compatibility forms and case make no difference.
func cleanNickname(typed string) (nickname, key string, p Problem) {
	nickname, p = cleanLine(typed, nicknameMax)
	switch {
	case p != "":
		return "", "", p
	case utf8.RuneCountInString(nickname) < nicknameMin:
		return "", "", TooShort
	case !goodNickname(nickname):
		return "", "", Malformed
	}
	return nickname, foldNickname(nickname), ""
}

// goodNickname allows letters and digits of any script, "_" and "-". Without
// dots, slashes and at signs a nickname cannot look like an address, and
// without what is not seen it cannot look like somebody else's.
func goodNickname(s string) bool {
	marks := marksMax // none may stand first
	for _, r := range s {
		switch {
		case unseen(r):
			return false
		case unicode.IsMark(r):
			if marks++; marks > marksMax {
				return false
			}
		case unicode.IsLetter(r):
			marks = 0
		case unicode.IsDigit(r), r == '_', r == '-':
			marks = marksMax
		default:
			return false
		}
	}
	return true
}

// unseen reports letters and marks that leave no trace on the page: the
// default ignorable ones of Unicode (UAX 44), such as the Hangul fillers.
func unseen(r rune) bool {
	return r == '\u034f' || r == '\u17b4' || r == '\u17b5' || filler(r) || unicode.Is(unicode.Variation_Selector, r)
}

// foldNickname is NFKC_Casefold of the Unicode standard, 3.13, but for the
// characters it drops, which no nickname has.
func foldNickname(nickname string) string {
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(nickname)))
}
