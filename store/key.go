package store

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Key is the 256-bit secret of the site. Links, codes and the names under
// which limits are counted are derived from it.
type Key [32]byte

// Errors of the key.
var (
	// ErrKeyMismatch: the database was made with another key.
	ErrKeyMismatch = errors.New("the secret key is not the one this database was made with; put its secret.key into the data directory, or name it by MADANG_SECRET or MADANG_SECRET_FILE")
	// ErrKeyMissing: there is a database but no key file for it.
	ErrKeyMissing = errors.New("there is a database but no secret.key in the data directory; put the key file back or set MADANG_SECRET")
	// ErrKeyMalformed: the secret is not 64 hexadecimal digits.
	ErrKeyMalformed = errors.New("the secret must be 64 hexadecimal digits")
)

// LoadKey returns the key that secret spells in 64 hexadecimal digits or, when
// secret is empty, the one in <dir>/secret.key, which is made when there is
// nothing in the database yet. It returns ErrKeyMissing when there is.
func LoadKey(ctx context.Context, dir, database, secret string) (Key, error) {
	if secret != "" {
		return parseKey(secret)
	}
	path := filepath.Join(dir, KeyFileName)
	text, err := os.ReadFile(path) //nolint:gosec // the operator's own directory
	switch {
	case err == nil:
		return parseKey(string(text))
	case !errors.Is(err, fs.ErrNotExist):
		return Key{}, fmt.Errorf("secret key: %w", err)
	}
	switch used, err := used(ctx, database); {
	case err != nil:
		return Key{}, fmt.Errorf("secret key: %w", err)
	case used:
		return Key{}, ErrKeyMissing
	}
	return makeKey(path)
}

// used reports whether a database holds anything yet.
func used(ctx context.Context, database string) (bool, error) {
	if OnServer(database) {
		return usedPostgres(ctx, database)
	}
	info, err := os.Stat(database)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && info.Size() > 0, err
}

// FileName is the name of the SQLite file in the data directory.
const FileName = "madang.db"

func parseKey(text string) (Key, error) {
	raw, err := hex.DecodeString(strings.TrimSpace(text))
	if err != nil || len(raw) != len(Key{}) {
		return Key{}, ErrKeyMalformed
	}
	return Key(raw), nil
}

// makeKey writes a new key under a name of its own first, so that no crash
// leaves half a key and of two that start at once both use the same.
func makeKey(path string) (Key, error) {
	var key Key
	_, _ = rand.Read(key[:]) // never fails
	temporary, err := os.CreateTemp(filepath.Dir(path), "secret-*.tmp")
	if err != nil {
		return Key{}, fmt.Errorf("secret key: %w", err)
	}
	defer func() { _ = os.Remove(temporary.Name()) }()
	_, err = temporary.WriteString(hex.EncodeToString(key[:]) + "\n")
	if err := errors.Join(err, temporary.Sync(), temporary.Close()); err != nil {
		return Key{}, fmt.Errorf("secret key: %w", err)
	}
	if err := os.Link(temporary.Name(), path); err != nil {
		if !errors.Is(err, fs.ErrExist) {
			return Key{}, fmt.Errorf("secret key: %w", err)
		}
		text, err := os.ReadFile(path) //nolint:gosec // the operator's own directory
		if err != nil {
			return Key{}, fmt.Errorf("secret key: %w", err)
		}
		return parseKey(string(text))
	}
	return key, nil
}

// mac is a keyed hash of parts under a label that says what it is for.
func (k Key) mac(label string, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, k[:])
	h.Write([]byte(label))
	for _, p := range parts {
		// Lengths keep ("ab", "c") and ("a", "bc") apart.
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(p))))
		h.Write(p)
	}
	return h.Sum(nil)
}

// checkKey compares the fingerprint of the key with the database's, and
// leaves it in a new one.
func (s *Store) checkKey(ctx context.Context) error {
	own := s.key.fingerprint()
	var recorded string
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx,
			`INSERT INTO settings (name, value) VALUES ('key', $1) ON CONFLICT (name) DO NOTHING`, own)
		if err != nil {
			return err
		}
		return t.QueryRowContext(ctx, `SELECT value FROM settings WHERE name = 'key'`).Scan(&recorded)
	})
	if err != nil {
		return fmt.Errorf("check key: %w", err)
	}
	if recorded != own {
		return ErrKeyMismatch
	}
	return nil
}
