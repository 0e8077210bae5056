package store

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// runRows are what fingers and tongues run along: the alphabets, and the keys
// by rows, by columns and from side to side. Korean is there by its keys.
const runRows = `
	abcdefghijklmnopqrstuvwxyz 01234567890
	rsefaqtdwczxvg kijuhynbml rkskekfkakqktkdkwkckzkxkvkgk gkvkxkzkckwkdktkqkakfkekskrk dkdidjdudhdydndbdmdl dldmdbdndydhdudjdidk
	1234567890-= qwertyuiop[] asdfghjkl;' zxcvbnm,./ ~!@#$%^&*()_+
	1qaz 2wsx 3edc 4rfv 5tgb 6yhn 7ujm 8ik, 9ol. 0p;/
	1q2w3e4r5t6y7u8i9o0p q1w2e3r4t5y6u7i8o9p0 qawsedrftgyhujikolp azsxdcfvgbhnjmk`

// runMin is how many keys of a row make a run.
const runMin = 3

// isRuns reports whether a password is made of nothing but runs in either
// direction, as in "asdf1234", "가나다라마바사아" and "qweasdzxc". Keys are
// those it is typed with.
func isRuns(keys string) bool {
	if len(keys) < runMin || len(keys) > 3*guessLength { // three keys make a syllable
		return false
	}
	ways := runRows + " " + reversed(runRows)
	reached := make([]bool, len(keys)+1) // up to where runs lead
	reached[0] = true
	for start, here := range reached[:len(keys)] {
		if !here {
			continue
		}
		for end := start + runMin; end <= len(keys) && isRun(ways, keys[start:end]); end++ {
			reached[end] = true
		}
	}
	return reached[len(keys)]
}

func isRun(ways, part string) bool {
	return strings.Contains(ways, part) && !strings.ContainsAny(part, " \n\t")
}

func reversed(s string) string {
	runes := []rune(s)
	slices.Reverse(runes)
	return string(runes)
}

// unparted leaves out what parts words: it makes no run harder to guess.
func unparted(keys string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPunct(r) || unicode.IsSymbol(r) {
			return -1
		}
		return r
	}, keys)
}

// isFew reports whether a password has at most two characters in whatever
// order, or pairs and more of them that follow each other, as in "11112222" and
// "aabbccdd".
func isFew(folded string) bool {
	runes := []rune(folded)
	if len(runes) > guessLength {
		return false
	}
	different := map[rune]bool{}
	var once []rune
	for i, r := range runes {
		different[r] = true
		if i == 0 || r != runes[i-1] {
			once = append(once, r)
		}
	}
	return len(different) <= 2 || len(once) <= len(runes)/2 && (len(once) < passwordMin/2 || isPattern(string(once)) || isRuns(typedKeys(string(once))))
}

// isNumber reports whether a password is a date, a Korean telephone number or a
// resident number, however it is parted: of all these there are few, and the
// person's own is known to many.
func isNumber(folded string) bool {
	if strings.ContainsFunc(folded, unicode.IsLetter) {
		return false
	}
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, folded)
	return isDate(digits) || isPhone(digits) || isResident(digits)
}

// isDate reads the eight digits of a day that people have lived through, or may.
func isDate(digits string) bool {
	for _, layout := range []string{"20060102", "02012006", "01022006"} {
		if day, err := time.Parse(layout, digits); err == nil && day.Year() >= 1900 && day.Year() < 2100 {
			return true
		}
	}
	return false
}

// isPhone reads the numbers of mobile telephones, also from abroad.
func isPhone(digits string) bool {
	digits = strings.TrimPrefix(digits, "0082")
	if abroad, ok := strings.CutPrefix(digits, "82"); ok && len(digits) > 10 {
		digits = abroad
	}
	digits = strings.TrimPrefix(digits, "0")
	return (len(digits) == 9 || len(digits) == 10) && digits[0] == '1' && strings.ContainsRune("016789", rune(digits[1]))
}

// isResident reads the number that everybody in Korea has: the day of birth,
// and seven digits of which the first is the century.
func isResident(digits string) bool {
	if len(digits) != 13 || digits[6] == '0' || digits[6] == '9' {
		return false
	}
	_, err := time.Parse("060102", digits[:6])
	return err == nil
}
