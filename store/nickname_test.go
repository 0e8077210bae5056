package store

import (
	"strings"
	"testing"
)

func TestNicknameIsCleanedOrRefused(t *testing.T) {
	for _, c := range []struct {
		typed, nickname, key string
		problem              Problem
	}{
		{"길동", "길동", "길동", ""},
		{" Kim_철수-7 ", "Kim_철수-7", "kim_철수-7", ""},
		{"ＡＢＣ", "ＡＢＣ", "abc", ""}, // full width is no other name
		{"Straße", "Straße", "strasse", ""},
		{"नमस्ते", "नमस्ते", "नमस्ते", ""},
		{"", "", "", Missing},
		{"a", "", "", TooShort},
		{strings.Repeat("가", 20), strings.Repeat("가", 20), strings.Repeat("가", 20), ""},
		{strings.Repeat("가", 21), "", "", TooLong},
		{"a b", "", "", Malformed},
		{"evil.test/login", "", "", Malformed},
		{"a@b", "", "", Malformed},
		{"<b>", "", "", Malformed},
		{"a\r\nBcc:x", "", "", Malformed},
		{"vatsuG\u202e", "", "", Malformed},
		{"a\u200bb", "", "", Malformed},
		{"Z\u0351\u0352\u0353a", "", "", Malformed}, // marks piled on a letter
		{"\u0301ab", "", "", Malformed},
		{"a\xffb", "", "", Malformed},
		{"😀😀", "", "", Malformed},
		{"\u3164\u3164", "", "", Missing},
		{"kim\u3164", "", "", Malformed}, // looks like kim, as do the next ones
		{"kim\uffa0", "", "", Malformed},
		{"\u115fkim", "", "", Malformed},
		{"k\u1160im", "", "", Malformed},
		{"kim\ufe0f", "", "", Malformed},
		{"kim\u034f", "", "", Malformed},
		{"kim\u17b4", "", "", Malformed},
		{"kim\u180b", "", "", Malformed},
		{"kim\U000e0100", "", "", Malformed},
	} {
		nickname, key, problem := cleanNickname(c.typed)
		if nickname != c.nickname || key != c.key || problem != c.problem {
			t.Errorf("cleanNickname(%q) = %q, %q, %q; want %q, %q, %q", c.typed, nickname, key, problem, c.nickname, c.key, c.problem)
		}
	}
}
