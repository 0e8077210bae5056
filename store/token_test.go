package store

import (
	"regexp"
	"testing"
)

func TestTokensDifferInEveryPartTheyAreMadeOf(t *testing.T) {
	key := Key{1}
	base := proof{purpose: purposeVerify, id: 1, generation: 1, nonce: []byte("nonce"), emailKey: "a@b.example"}
	seen := map[string]string{key.token(base): "base"}
	for name, change := range map[string]func(*proof){
		"purpose":    func(p *proof) { p.purpose++ },
		"id":         func(p *proof) { p.id++ },
		"generation": func(p *proof) { p.generation++ },
		"nonce":      func(p *proof) { p.nonce = []byte("other") },
		"address":    func(p *proof) { p.emailKey = "b@b.example" },
	} {
		other := base
		change(&other)
		token := key.token(other)
		if same, ok := seen[token]; ok {
			t.Errorf("another %s gives the token of %s", name, same)
		}
		seen[token] = name
	}
	if (Key{2}).token(base) == key.token(base) {
		t.Error("another key gives the same token")
	}
}

func TestTokenReadsBack(t *testing.T) {
	p := proof{purpose: purposeVerify, id: 1 << 40, generation: 77, nonce: []byte("n"), emailKey: "a@b.example"}
	token := Key{1}.token(p)
	if !regexp.MustCompile(`^[A-Za-z0-9_-]{48}$`).MatchString(token) {
		t.Errorf("token is %q", token)
	}
	got, ok := parseToken(token, p.purpose)
	if !ok || got.purpose != p.purpose || got.id != p.id || got.generation != p.generation {
		t.Errorf("read back as %+v, %t", got, ok)
	}
}

func TestCodesAreSixDigitsWithLeadingZeros(t *testing.T) {
	zero := false
	for id := range int64(200) {
		code := Key{1}.code(proof{id: id + 1, generation: 1})
		if !regexp.MustCompile(`^[0-9]{6}$`).MatchString(code) {
			t.Fatalf("code is %q", code)
		}
		zero = zero || code[0] == '0'
	}
	if !zero {
		t.Error("no code begins with 0")
	}
}
