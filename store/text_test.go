package store

import (
	"strings"
	"testing"
)

func TestLineIsCleanedOrRefused(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		problem        Problem
	}{
		{"plain", "첫 글", "첫 글", ""},
		{"space around", "  a b\t", "a b", ""},
		{"decomposed Hangul", "\u1112\u1161\u11ab", "한", ""},
		{"nothing", "", "", Missing},
		{"only spaces", " \u3000 ", "", Missing},
		{"only invisible", "\u200b\u3164\ufeff\ufe0f", "", Missing},
		{"tab inside", "a\tb", "a b", ""},
		{"line feed inside", "a\nb", "", Malformed},
		{"line end behind", "ab\r\n", "", Malformed},
		{"carriage return inside", "a\rBcc: x", "", Malformed},
		{"NUL", "a\x00b", "", Malformed},
		{"C1 control", "a\u0085b", "", Malformed},
		{"bidi override", "abc\u202edef", "", Malformed},
		{"bidi isolate", "abc\u2066def", "", Malformed},
		{"line separator", "a\u2028b", "", Malformed},
		{"noncharacter", "a\ufffeb", "", Malformed},
		{"invalid UTF-8", "a\xff\xfe", "", Malformed},
		{"emoji with joiner", "👩‍👩‍👧", "👩‍👩‍👧", ""},
		{"as long as may be", strings.Repeat("가", 10), strings.Repeat("가", 10), ""},
		{"one too long", strings.Repeat("가", 11), "", TooLong},
		{"far too long", strings.Repeat("a", 1<<20), "", TooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, problem := cleanLine(c.in, 10)
			if got != c.want || problem != c.problem {
				t.Errorf("cleanLine(%q) = %q, %q; want %q, %q", c.in, got, problem, c.want, c.problem)
			}
		})
	}
}

func TestTextIsKeptByteForByte(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		problem        Problem
	}{
		{"markdown", "> a\n\n\"b\" & <c>\t*d*  \n", "> a\n\n\"b\" & <c>\t*d*  \n", ""},
		{"line ends of a browser", "a\r\nb\r\n", "a\nb\n", ""},
		{"decomposed stays", "e\u0301", "e\u0301", ""},
		{"lone carriage return", "a\rb", "", Malformed},
		{"escape", "a\x1b[31m", "", Malformed},
		{"only invisible", "\u200b\n \t", "", Missing},
		{"invalid UTF-8", "\xc3(", "", Malformed},
		{"counted after NFC", strings.Repeat("e\u0301", 30), strings.Repeat("e\u0301", 30), ""},
		{"too long", strings.Repeat("a", 31), "", TooLong},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, problem := cleanText(c.in, 30)
			if got != c.want || problem != c.problem {
				t.Errorf("cleanText(%q) = %q, %q; want %q, %q", c.in, got, problem, c.want, c.problem)
			}
		})
	}
}
