package store

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"
)

// The argon2id parameters of new hashes: one of the equivalent settings of the
// OWASP password storage cheat sheet, chosen because it stays in the CPU cache.
const (
	argonMemory  = 7168 // KiB
	argonTime    = 5    // passes
	argonThreads = 1
	argonSalt    = 16 // bytes
	argonSum     = 32 // bytes
)

// Lengths of a password in characters. An administrator's account opens
// everybody's, so it asks for more.
const (
	passwordMin      = 8
	adminPasswordMin = 15
	passwordMax      = 128
)

// hashWait bounds how long a request waits for a slot before it is told to
// come again.
const hashWait = 10 * time.Second

// hasher bounds how many passwords are hashed at once, so that log-ins cannot
// eat the machine.
type hasher struct {
	slots chan struct{}
	wait  time.Duration
}

func newHasher(slots int) *hasher {
	return &hasher{slots: make(chan struct{}, slots), wait: hashWait}
}

// hash returns the PHC string of a password. It returns *BusyError when no
// slot comes free in time.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	if err := h.enter(ctx); err != nil {
		return "", err
	}
	defer h.leave()
	salt := make([]byte, argonSalt)
	_, _ = rand.Read(salt) // never fails
	return phc(argonMemory, argonTime, argonThreads, salt,
		argon2.IDKey(canonicalPassword(password), salt, argonTime, argonMemory, argonThreads, argonSum)), nil
}

// matches reports whether a password is the one of a PHC string. An empty
// string matches nothing but takes as long as any other, so that an unknown
// address answers like a known one. It returns *BusyError as hash does.
func (h *hasher) matches(ctx context.Context, encoded, password string) (bool, error) {
	if err := h.enter(ctx); err != nil {
		return false, err
	}
	defer h.leave()
	p := parsePHC(encoded)
	sum := argon2.IDKey(canonicalPassword(password), p.salt, p.time, p.memory, p.threads, argonSum)
	return subtle.ConstantTimeCompare(sum, p.sum) == 1, nil
}

// outdated reports whether a PHC string was made with other parameters than
// those of today.
func outdated(encoded string) bool {
	p := parsePHC(encoded)
	return p.memory != argonMemory || p.time != argonTime || p.threads != argonThreads
}

func (h *hasher) enter(ctx context.Context) error {
	select {
	case h.slots <- struct{}{}:
		return nil
	default:
	}
	timer := time.NewTimer(h.wait)
	defer timer.Stop()
	select {
	case h.slots <- struct{}{}:
		return nil
	case <-timer.C:
		return &BusyError{Wait: h.wait}
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *hasher) leave() { <-h.slots }

// canonicalPassword makes one password of the ways to write the same
// characters; nothing else about it is changed.
func canonicalPassword(password string) []byte {
	return norm.NFC.Bytes([]byte(password))
}

func passwordProblem(password string, atLeast int) Problem {
	if len(password) > 16*passwordMax {
		return TooLong
	}
	if !utf8.ValidString(password) {
		return Malformed
	}
	switch n := utf8.RuneCount(canonicalPassword(password)); {
	case n == 0:
		return Missing
	case n < atLeast:
		return TooShort
	case n > passwordMax:
		return TooLong
	}
	return ""
}

// phcHash is a parsed PHC string.
type phcHash struct {
	memory, time uint32
	threads      uint8
	salt, sum    []byte
}

func phc(memory, time, threads int, salt, sum []byte) string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, memory, time, threads,
		b64.EncodeToString(salt), b64.EncodeToString(sum))
}

// parsePHC returns the parts of a PHC string, or for anything else a hash with
// today's parameters that no password has.
func parsePHC(encoded string) phcHash {
	nobody := phcHash{memory: argonMemory, time: argonTime, threads: argonThreads, salt: make([]byte, argonSalt)}
	parts := strings.Split(encoded, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return nobody
	}
	var p phcHash
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.memory, &p.time, &p.threads); err != nil {
		return nobody
	}
	var err error
	if p.salt, err = base64.RawStdEncoding.Strict().DecodeString(parts[4]); err != nil {
		return nobody
	}
	if p.sum, err = base64.RawStdEncoding.Strict().DecodeString(parts[5]); err != nil || len(p.sum) != argonSum {
		return nobody
	}
	return p
}
