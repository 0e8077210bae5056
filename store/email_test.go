package store

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAddressIsCleanedOrRefused(t *testing.T) {
	local := strings.Repeat("a", 64)
	domain := strings.Repeat(strings.Repeat("d", 61)+".", 3) // 186 characters
	for _, c := range []struct {
		typed, email, key string
		problem           Problem
	}{
		{"a@b.example", "a@b.example", "a@b.example", ""},
		{" First.Last+tag@Gmail.com\t", "First.Last+tag@Gmail.com", "first.last+tag@gmail.com", ""},
		{"me@bücher.example", "me@bücher.example", "me@xn--bcher-kva.example", ""},
		{"me@XN--BCHER-KVA.example", "me@XN--BCHER-KVA.example", "me@xn--bcher-kva.example", ""},
		{"\u200b\ufeffme@example.com\u200b", "me@example.com", "me@example.com", ""}, // as it is pasted
		{"me@ex\u200bample.com", "", "", Malformed},
		{"me@exa\u00admple.com", "", "", Malformed},
		{"me@example\ufe0f.com", "", "", Malformed},
		{"me@\u202eexample.com", "", "", Malformed},
		{"m\u200be@example.com", "", "", Malformed},
		{"me@\u212a.example", "me@\u212a.example", "me@k.example", ""}, // the sign of Kelvin is a K
		{"me@STRASSE.example", "me@STRASSE.example", "me@strasse.example", ""},
		{"me@straße.example", "me@straße.example", "me@xn--strae-oqa.example", ""}, // another domain
		{"İ@example.com", "", "", Malformed},
		{"me@ex\u0430mple.example", "me@ex\u0430mple.example", "me@xn--exmple-4nf.example", ""}, // a letter that looks like another
		{"나@example.com", "", "", Malformed},                                                    // a local part must survive every mail server
		{"o'brien@example.com", "o'brien@example.com", "o'brien@example.com", ""},
		{"", "", "", Missing},
		{"   ", "", "", Missing},
		{"nonsense", "", "", Malformed},
		{"@b.example", "", "", Malformed},
		{"a@", "", "", Malformed},
		{"a@b", "", "", Malformed},
		{"a@b..example", "", "", Malformed},
		{"a@.example", "", "", Malformed},
		{"a@-b.example", "", "", Malformed},
		{"a@b.example.", "", "", Malformed},
		{"a@127.0.0.1", "", "", Malformed},
		{"a@[127.0.0.1]", "", "", Malformed},
		{".a@b.example", "", "", Malformed},
		{"a..b@b.example", "", "", Malformed},
		{"a b@b.example", "", "", Malformed},
		{"a@b.example@c.example", "", "", Malformed},
		{`"foo@psres.net> ORCPT=admin@admin.com"@test.com`, "", "", Malformed},
		{"A <a@b.example>", "", "", Malformed},
		{"a(b)@c.example", "", "", Malformed},
		{"a`b`@c.example", "", "", Malformed},
		{"a@b.example\r\nBcc: x@y.example", "", "", Malformed},
		{"a@b.example\r\n", "", "", Malformed},
		{"a\x00@b.example", "", "", Malformed},
		{"a\xff@b.example", "", "", Malformed},
		{local + "@b.example", local + "@b.example", local + "@b.example", ""},
		{local + "a@b.example", "", "", TooLong},
		{local + "@" + domain + "ex", local + "@" + domain + "ex", local + "@" + domain + "ex", ""},
		{local + "@" + domain + "exa", local + "@" + domain + "exa", local + "@" + domain + "exa", ""},
		{local + "@" + domain + "exam", "", "", TooLong},
		{strings.Repeat("a", 100<<10) + "@b.example", "", "", TooLong},
	} {
		email, key, problem := cleanEmail(c.typed)
		if email != c.email || key != c.key || problem != c.problem {
			t.Errorf("cleanEmail(%.80q) = %q, %q, %q; want %q, %q, %q", c.typed, email, key, problem, c.email, c.key, c.problem)
		}
	}
}

func TestCanonicalAddressIsItsOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, key, problem := cleanEmail(rapid.StringMatching(`[A-Za-z0-9.+_-]{1,20}@[A-Za-z0-9가-힣.-]{1,20}\.[a-z]{2,4}`).Draw(t, "address"))
		if problem != "" {
			return
		}
		if _, again, problem := cleanEmail(key); again != key || problem != "" {
			t.Fatalf("cleanEmail(%q) = %q, %q", key, again, problem)
		}
	})
}

func TestMaskedAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"john@example.com": "j***@example.com", "한글@example.com": "한***@example.com", "": "***", "@x": "***", "none": "***",
		"a@" + strings.Repeat("x", 300): "***", "my-p@ssw0rd": "***",
	} {
		if got := MaskEmail(address); got != want {
			t.Errorf("MaskEmail(%q) = %q", address, got)
		}
	}
}
