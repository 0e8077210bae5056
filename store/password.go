package store

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"sync/atomic"
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
	slots   chan struct{}
	wait    time.Duration
	waiting atomic.Int64
	made    atomic.Int64 // how many hashes, which is what time is spent on
	watch   Watch
}

func newHasher(slots int, watch Watch) *hasher {
	return &hasher{slots: make(chan struct{}, slots), wait: hashWait, watch: watch}
}

// hash returns the PHC string of a password with a salt; see Store.saltFor. It
// returns *BusyError when no slot comes free in time.
func (h *hasher) hash(ctx context.Context, password string, salt []byte) (string, error) {
	if err := h.enter(ctx); err != nil {
		return "", err
	}
	defer h.leave()
	p := nobody()
	p.salt = salt
	p.sum = h.run(p, password)
	return p.String(), nil
}

// match returns the index of the first PHC string that a password belongs to,
// -1 for none. Strings of one salt cost one hash together, and so does none at
// all; at least as many hashes as said are made, so that the time tells
// nothing. It returns *BusyError as hash does.
func (h *hasher) match(ctx context.Context, password string, atLeast int, encoded ...string) (int, error) {
	if err := h.enter(ctx); err != nil {
		return -1, err
	}
	defer h.leave()
	found, sums := -1, map[string][]byte{}
	for i, e := range encoded {
		p := parsePHC(e)
		sum, ok := sums[p.head()]
		if !ok {
			sum = h.run(p, password)
			sums[p.head()] = sum
		}
		if subtle.ConstantTimeCompare(sum, p.sum) == 1 && found < 0 {
			found = i
		}
	}
	for range atLeast - len(sums) {
		h.run(nobody(), password)
	}
	return found, nil
}

// matches reports whether a password is the one of a PHC string; see match.
func (h *hasher) matches(ctx context.Context, encoded, password string) (bool, error) {
	found, err := h.match(ctx, password, 1, encoded)
	return found == 0, err
}

// outdated reports whether a PHC string was made with other parameters than
// those of today, or has the salt of nobody, which was once given to many.
func outdated(encoded string) bool {
	p := parsePHC(encoded)
	return bytes.Equal(p.salt, nobody().salt) || p.memory != argonMemory || p.time != argonTime || p.threads != argonThreads
}

func (h *hasher) enter(ctx context.Context) error {
	select {
	case h.slots <- struct{}{}:
		h.watch.hashing(0, true)
		return nil
	default:
	}
	h.waiting.Add(1)
	defer h.waiting.Add(-1)
	began := time.Now()
	timer := time.NewTimer(h.wait)
	defer timer.Stop()
	select {
	case h.slots <- struct{}{}:
		h.watch.hashing(time.Since(began), true)
		return nil
	case <-timer.C:
		h.watch.hashing(h.wait, false)
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

// nobody has today's parameters and no password at all.
func nobody() phcHash {
	return phcHash{memory: argonMemory, time: argonTime, threads: argonThreads, salt: make([]byte, argonSalt)}
}

func (h *hasher) run(p phcHash, password string) []byte {
	h.made.Add(1)
	return argon2.IDKey(canonicalPassword(password), p.salt, p.time, p.memory, p.threads, argonSum)
}

// head is all that decides what sum a password has.
func (p phcHash) head() string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s", argon2.Version, p.memory, p.time, p.threads,
		base64.RawStdEncoding.EncodeToString(p.salt))
}

func (p phcHash) String() string {
	return p.head() + "$" + base64.RawStdEncoding.EncodeToString(p.sum)
}

// parsePHC returns the parts of a PHC string, nobody for anything else.
func parsePHC(encoded string) phcHash {
	parts := strings.Split(encoded, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return nobody()
	}
	var p phcHash
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.memory, &p.time, &p.threads); err != nil {
		return nobody()
	}
	var err error
	if p.salt, err = base64.RawStdEncoding.Strict().DecodeString(parts[4]); err != nil {
		return nobody()
	}
	if p.sum, err = base64.RawStdEncoding.Strict().DecodeString(parts[5]); err != nil || len(p.sum) != argonSum {
		return nobody()
	}
	return p
}
