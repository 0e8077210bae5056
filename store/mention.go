package store

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// mentionsMax bounds the nicknames that are looked up for a page.
	mentionsMax = 100
	// mentionBytes bounds what may be one: the longest nickname, decomposed, and
	// what clings to it.
	mentionBytes = 512
)

// clings reports what may follow a nickname without a space and without being
// part of it: a particle or title of Korean, or a dash.
func clings(rest string) bool {
	return slices.Contains([]string{
		"-", "_", "님", "씨", "은", "는", "이", "가", "을", "를", "과", "와", "의", "에", "에게", "께", "께서", "도", "만",
		"아", "야", "로", "으로", "랑", "하고", "한테", "까지", "부터", "처럼", "보다", "라고",
	}, rest)
}

// Mention finds whom the text after an "@" names: the longest part of it, up to
// where a nickname may end, whose key is known. It returns that part, "" for
// nobody.
func Mention(after string, known func(key string) bool) string {
	for part := range mentionable(after) {
		if known(NicknameKey(part)) {
			return part
		}
	}
	return ""
}

// NicknameKey is what nicknames are compared by: case and compatibility forms
// make no difference.
func NicknameKey(nickname string) string { return foldNickname(nickname) }

// MayMention reports whether an "@" after this character can name somebody: in
// the middle of a word it belongs to an address.
func MayMention(before rune) bool {
	return !inNickname(before) && !strings.ContainsRune("@./+%", before)
}

func inNickname(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == '_' || r == '-'
}

// mentionable yields what may be the nickname after an "@", the longest first.
func mentionable(after string) iter.Seq[string] {
	return func(yield func(string) bool) {
		end := strings.IndexFunc(after, func(r rune) bool { return !inNickname(r) })
		if end < 0 {
			end = len(after)
		}
		if strings.HasPrefix(after[end:], "@") || end > mentionBytes {
			return
		}
		for ; end > 0; end = nicknameEnd(after[:end]) {
			if utf8.RuneCountInString(after[:end]) >= nicknameMin && !yield(after[:end]) {
				return
			}
		}
	}
}

// nicknameEnd is where else than at its end the nickname in a part may end:
// before what clings to it, or where a script begins that knows no spaces. It
// is 0 when nowhere.
func nicknameEnd(part string) int {
	for at := len(part); ; {
		r, size := utf8.DecodeLastRuneInString(part[:at])
		if at -= size; at <= 0 {
			return 0
		}
		before, _ := utf8.DecodeLastRuneInString(part[:at])
		if clings(part[at:]) || spaceless(r) && !spaceless(before) {
			return at
		}
	}
}

func spaceless(r rune) bool {
	return unicode.In(r, unicode.Hangul, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// Mentioned returns the nicknames of members whom texts may mention, as they are
// spelled now. It asks the database once, and not at all where no text has an
// "@".
func (s *Store) Mentioned(ctx context.Context, texts ...string) ([]string, error) {
	keys := mentionKeys(texts)
	if len(keys) == 0 {
		return nil, nil
	}
	list, args := inList(1, keys)
	ctx, done := s.db.brief(ctx)
	defer done()
	rows, err := s.readers.QueryContext(ctx,
		`SELECT nickname FROM users WHERE nickname_key IN `+list+notDeleted+` ORDER BY nickname_key`, args...) //nolint:gosec // placeholders and a constant
	if err != nil {
		return nil, fmt.Errorf("mentioned members: %w", err)
	}
	nicknames, err := scanStrings(rows)
	if err != nil {
		return nil, fmt.Errorf("mentioned members: %w", err)
	}
	return nicknames, nil
}

// mentionKeys are the keys of all that may be a nickname after an "@". Where they
// are too many each text has a part, so that none takes away the mentions of the
// others.
func mentionKeys(texts []string) []string {
	var each [][]string
	for _, text := range texts {
		if keys := keysOf(text); len(keys) > 0 {
			each = append(each, keys)
		}
	}
	var all []string
	for turn := range mentionsMax {
		for _, keys := range each {
			if turn < len(keys) && len(all) < mentionsMax && !slices.Contains(all, keys[turn]) {
				all = append(all, keys[turn])
			}
		}
	}
	return all
}

func keysOf(text string) (keys []string) {
	for part := range allMentionable(text) {
		if key := NicknameKey(part); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
		if len(keys) == mentionsMax {
			break
		}
	}
	return keys
}

// allMentionable yields what may be a nickname after any "@" of a text.
func allMentionable(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for at := range len(text) {
			if text[at] != '@' {
				continue
			}
			if before, size := utf8.DecodeLastRuneInString(text[:at]); size > 0 && !MayMention(before) {
				continue
			}
			for part := range mentionable(text[at+1:]) {
				if !yield(part) {
					return
				}
			}
		}
	}
}
