package store

import (
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"time"
)

// testSalt is a salt of its own for each test.
func testSalt() []byte { return []byte(rand.Text())[:argonSalt] }

func TestPasswordIsKeptWhole(t *testing.T) {
	h := newHasher(2, Watch{})
	long := strings.Repeat("가나다라", 25) // 100 characters, 300 bytes
	hash, err := h.hash(t.Context(), long, testSalt())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=7168,t=5,p=1$") {
		t.Errorf("hash is %s", hash)
	}
	for name, c := range map[string]struct {
		password string
		want     bool
	}{
		"the same":         {long, true},
		"cut":              {long[:72], false},
		"one changed":      {long[:len(long)-3] + "마", false},
		"a trailing space": {long + " ", false},
		"another case":     {strings.ToUpper(long) + "x", false},
		"empty":            {"", false},
	} {
		got, err := h.matches(t.Context(), hash, c.password)
		if err != nil || got != c.want {
			t.Errorf("%s: %t, %v", name, got, err)
		}
	}
}

func TestPasswordMatchesInEveryUnicodeForm(t *testing.T) {
	h := newHasher(1, Watch{})
	hash, err := h.hash(t.Context(), "비밀 번호  \u00e9 🎉", testSalt())
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := h.matches(t.Context(), hash, "비밀 번호  e\u0301 🎉"); err != nil || !ok {
		t.Errorf("decomposed: %t, %v", ok, err)
	}
}

func TestNothingMatchesWhatIsNoHash(t *testing.T) {
	h := newHasher(1, Watch{})
	for _, encoded := range []string{"", "x", "$argon2id$v=19$m=7168,t=5,p=1$$", "$argon2id$v=19$m=x$AA$AA", "$2a$10$abc", strings.Repeat("$", 9)} {
		if ok, err := h.matches(t.Context(), encoded, ""); err != nil || ok {
			t.Errorf("%q: %t, %v", encoded, ok, err)
		}
	}
}

func TestFullHashQueueSaysWhenToComeAgain(t *testing.T) {
	h := newHasher(1, Watch{})
	h.wait = time.Millisecond
	h.slots <- struct{}{}
	var busy *BusyError
	if _, err := h.hash(t.Context(), "12345678", testSalt()); !errors.As(err, &busy) {
		t.Errorf("got %v", err)
	}
	h.leave()
	if _, err := h.hash(t.Context(), "12345678", testSalt()); err != nil {
		t.Errorf("with a free slot: %v", err)
	}
}

func TestPasswordsOfOneSaltAreToldApart(t *testing.T) {
	h := newHasher(1, Watch{})
	first, err := h.hash(t.Context(), "the first password", testSalt())
	if err != nil {
		t.Fatal(err)
	}
	second, err := h.hash(t.Context(), "the second password", parsePHC(first).salt)
	if err != nil {
		t.Fatal(err)
	}
	if parsePHC(first).head() != parsePHC(second).head() || first == second {
		t.Errorf("%s and %s do not share just the salt", first, second)
	}
	for password, want := range map[string]int{"the first password": 0, "the second password": 1, "neither": -1} {
		if got, err := h.match(t.Context(), password, 1, first, second); err != nil || got != want {
			t.Errorf("%q is number %d, %v; want %d", password, got, err, want)
		}
	}
}
