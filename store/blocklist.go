package store

import (
	_ "embed" // the list of common passwords
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// commonPasswords are in lower case, one a line, in the order of their bytes;
// common_passwords.md says where they come from.
//
//go:embed common_passwords.txt
var commonPasswords string

// guessLength is the length in characters up to which lists of guesses hold
// patterns: of a longer one the very length would have to be guessed.
const guessLength = 32

// newPasswordProblem says what is wrong with a password that somebody of a role
// wants to have, "" when nothing is: every way to set a password asks it. Own
// are the words that belong to the person: address, nickname and name.
func newPasswordProblem(password string, role Role, own ...string) Problem {
	if problem := passwordProblem(password, passwordMin); problem != "" {
		return problem
	}
	if role == Admin && passwordProblem(password, adminPasswordMin) != "" {
		return TooShortAdmin
	}
	if isCommon(foldPassword(password), own) || isCommon(foldPassword(withoutBlanks(password)), own) {
		return TooCommon
	}
	return ""
}

func isCommon(folded string, own []string) bool {
	keys := typedKeys(folded)
	return listed(commonPasswords, folded) || isWord(keys, own) || isPattern(folded) || repeats(folded) ||
		isFew(folded) || isRuns(keys) || isRuns(unparted(keys)) || isNumber(folded)
}

// foldPassword is the form in which passwords that a guesser would try together
// are equal.
func foldPassword(password string) string {
	return cases.Fold().String(norm.NFKC.String(password))
}

// withoutBlanks leaves out what makes a common password no harder to guess:
// spaces, and characters that cannot be seen.
func withoutBlanks(password string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || unicode.IsControl(r) {
			return -1
		}
		return r
	}, password)
}

// listed looks for a line in a sorted list by halving it, without a copy of it.
func listed(list, line string) bool {
	for list != "" {
		start := strings.LastIndexByte(list[:len(list)/2], '\n') + 1
		end := start + strings.IndexByte(list[start:], '\n')
		switch c := strings.Compare(list[start:end], line); {
		case c == 0:
			return true
		case c < 0:
			list = list[end+1:]
		default:
			list = list[:start]
		}
	}
	return false
}

// isPattern reports whether each character follows from the one before: the
// same again, the next, or the one before, as in "aaaaaaaa" and "87654321".
func isPattern(folded string) bool {
	runes := []rune(folded)
	if len(runes) > guessLength || len(runes) < 2 {
		return false
	}
	step := runes[1] - runes[0]
	for i, r := range runes[1:] {
		if r-runes[i] != step {
			return false
		}
	}
	return step >= -1 && step <= 1
}

// repeats reports whether a few characters come again and again up to the end,
// as in "12121212" and "asdfasdfas": they would be too short on their own.
func repeats(folded string) bool {
	runes := []rune(folded)
	if len(runes) > guessLength {
		return false
	}
	for few := 1; few < passwordMin && few <= len(runes)/2; few++ {
		if slices.Equal(runes[few:], runes[:len(runes)-few]) {
			return true
		}
	}
	return false
}

// isWord reports whether a password is a word that a guesser begins with, alone
// or with nothing but digits and punctuation added.
func isWord(keys string, own []string) bool {
	for _, word := range guessedWords(own) {
		rest := strings.ReplaceAll(keys, word, "")
		if len(rest) < len(keys) && !strings.ContainsFunc(rest, unicode.IsLetter) {
			return true
		}
	}
	return false
}

// guessedWords are the site's, those of Korean passwords, and those that belong
// to a person: an address also without its domain, a name also part by part.
// All are keys to type.
func guessedWords(own []string) []string {
	words := append([]string{"madang"}, strings.Fields(koreanWords)...)
	for _, text := range own {
		text = typedKeys(foldPassword(text))
		local, _, _ := strings.Cut(text, "@")
		parts := strings.Fields(text)
		words = append(words, text, local, strings.Join(parts, ""))
		words = append(words, parts...)
	}
	return slices.DeleteFunc(words, func(word string) bool {
		return utf8.RuneCountInString(word) < 2 || !strings.ContainsFunc(word, unicode.IsLetter)
	})
}
