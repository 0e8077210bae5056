package web

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/alexedwards/scs/v2"

	"madang/store"
)

// sessionStore brings what the session manager packs up to the store. It hashes
// tokens, so that the store knows none, and reads from the packed data itself
// whose session it is: the two cannot disagree.
type sessionStore struct {
	sessions *store.Sessions
	codec    scs.Codec
	now      func() time.Time
}

// hashed is how a token stands in the database.
func hashed(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// FindCtx returns the data of the session with a token.
func (ss sessionStore) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	return ss.sessions.FindCtx(ctx, hashed(token))
}

// CommitCtx stores a session. The expiry the manager asks for is passed over:
// it goes by a clock of its own.
func (ss sessionStore) CommitCtx(ctx context.Context, token string, data []byte, _ time.Time) error {
	deadline, values, err := ss.codec.Decode(data)
	if err != nil {
		return fmt.Errorf("unpack session: %w", err)
	}
	fresh := store.Session{Token: hashed(token), Data: data, ExpiresAt: ss.now().Add(sessionIdle)}
	if deadline.Before(fresh.ExpiresAt) {
		fresh.ExpiresAt = deadline
	}
	fresh.UserID, _ = values[userKey].(int64)
	fresh.Device, _ = values[deviceKey].(string)
	return ss.sessions.Save(ctx, fresh)
}

// DeleteCtx ends the session with a token.
func (ss sessionStore) DeleteCtx(ctx context.Context, token string) error {
	return ss.sessions.DeleteCtx(ctx, hashed(token))
}

// Find is FindCtx without a context.
func (ss sessionStore) Find(token string) ([]byte, bool, error) {
	return ss.FindCtx(context.Background(), token)
}

// Commit is CommitCtx without a context.
func (ss sessionStore) Commit(token string, data []byte, expiry time.Time) error {
	return ss.CommitCtx(context.Background(), token, data, expiry)
}

// Delete is DeleteCtx without a context.
func (ss sessionStore) Delete(token string) error {
	return ss.DeleteCtx(context.Background(), token)
}
