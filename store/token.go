package store

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/big"
	"strings"
	"unicode"
)

// purpose says what a token is good for, so that one can never stand for another.
type purpose byte

// The purposes of tokens.
const (
	purposeVerify purpose = 1 // of an address, by a sign-up
	purposeReset  purpose = 2 // of a password
	purposeEmail  purpose = 3 // of a changed address
)

// A token is purpose, id, generation and a MAC over these, the nonce of the
// row and the canonical address: 36 bytes, 48 characters of base64url without
// spare bits, so that each token has one spelling.
const (
	tokenHead = 1 + 8 + 4
	tokenMAC  = 23
)

// proof is what links and codes are derived from; nothing of it opens an
// account without the key.
type proof struct {
	purpose    purpose
	id         int64
	generation int64
	nonce      []byte
	emailKey   string
}

// newNonce is what keeps a row whose id was used before from having its tokens.
func newNonce() []byte {
	nonce := make([]byte, 16)
	_, _ = rand.Read(nonce) // never fails
	return nonce
}

func (p proof) head() []byte {
	b := make([]byte, tokenHead)
	b[0] = byte(p.purpose)
	binary.BigEndian.PutUint64(b[1:], uint64(p.id))         //nolint:gosec // ids are positive
	binary.BigEndian.PutUint32(b[9:], uint32(p.generation)) //nolint:gosec // counts mails
	return b
}

// token is the secret of the link.
func (k Key) token(p proof) string {
	sum := k.mac("token", p.head(), p.nonce, []byte(p.emailKey))
	return base64.RawURLEncoding.EncodeToString(append(p.head(), sum[:tokenMAC]...))
}

// made reports whether a token is the one of a proof.
func (k Key) made(token string, p proof) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(k.token(p))) == 1
}

// code is the six digits to type.
func (k Key) code(p proof) string {
	sum := k.mac("code", p.head(), p.nonce, []byte(p.emailKey))
	// 256 bits modulo a million: the bias is beyond measure.
	n := new(big.Int).Mod(new(big.Int).SetBytes(sum), big.NewInt(1_000_000))
	return fmt.Sprintf("%06d", n.Int64())
}

// parseToken returns what a token says it is, before any proof of it. It reports
// false for one that is none, or is for something else.
func parseToken(token string, want purpose) (proof, bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) != tokenHead+tokenMAC {
		return proof{}, false
	}
	p := proof{
		purpose:    purpose(raw[0]),
		id:         int64(binary.BigEndian.Uint64(raw[1:])), //nolint:gosec // checked below
		generation: int64(binary.BigEndian.Uint32(raw[9:])),
	}
	return p, p.id > 0 && p.purpose == want
}

// cleanCode returns the digits of a typed code: spaces and hyphens of any kind
// go, full-width digits become plain ones. It reports false when what remains
// is not six digits.
func cleanCode(typed string) (string, bool) {
	if len(typed) > 100 {
		return "", false
	}
	var b strings.Builder
	for _, r := range typed {
		switch {
		case r >= '0' && r <= '9':
			b.WriteRune(r)
		case r >= '０' && r <= '９':
			b.WriteRune(r - '０' + '0')
		case unicode.IsSpace(r), unicode.Is(unicode.Pd, r), unicode.Is(unicode.Cf, r), r == '\u2212':
		default:
			return "", false
		}
	}
	return b.String(), b.Len() == 6
}
