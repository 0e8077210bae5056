package store

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"hash"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// ViewEvent is one reading of a post: a view is one (post, viewer, day).
type ViewEvent struct {
	Day    int32 // days since 1970-01-01 in the site's time zone
	PostID int64
	Viewer Viewer
}

// Viewer is a reader of a day: a keyed hash, see [Store.ViewEvent].
type Viewer [16]byte

// viewKeys remembers the key of one day.
type viewKeys struct {
	newest  atomic.Pointer[viewKey]
	loading sync.Mutex
}

// viewKey is the key of a day, with hashes that have taken it in already.
type viewKey struct {
	day    int32
	hashes sync.Pool
}

func newViewKey(day int32, key []byte) *viewKey {
	return &viewKey{day: day, hashes: sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}}
}

// viewer is the keyed hash of who reads.
func (k *viewKey) viewer(who []byte) Viewer {
	h, _ := k.hashes.Get().(hash.Hash)
	defer k.hashes.Put(h)
	h.Reset()
	h.Write(who)
	return Viewer(h.Sum(who[:0]))
}

// day is the number of the local date, counted from 1970-01-01.
func (s *Store) day(at time.Time) int32 {
	y, m, d := at.In(s.zone).Date()
	return int32(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400) //nolint:gosec // in range for millions of years
}

// ViewEvent names the reader of a post for today: a keyed hash of the member,
// or of a guest's client address (IPv6 by /64) and User-Agent. The key is
// random and lives no longer than the day's events.
func (s *Store) ViewEvent(ctx context.Context, postID, userID int64, client netip.Addr, agent string) (ViewEvent, error) {
	day := s.day(s.now())
	key, err := s.viewKey(ctx, day)
	if err != nil {
		return ViewEvent{}, fmt.Errorf("view event: %w", err)
	}
	who := make([]byte, 0, 256)
	if userID != 0 {
		who = strconv.AppendInt(append(who, "member\x00"...), userID, 10)
	} else {
		who = append(appendNetwork(append(who, "guest\x00"...), client), agent...)
	}
	return ViewEvent{Day: day, PostID: postID, Viewer: key.viewer(who)}, nil
}

// appendNetwork appends the bytes of an address, for IPv6 of its /64 alone,
// after their number.
func appendNetwork(to []byte, client netip.Addr) []byte {
	switch client = client.Unmap(); {
	case client.Is4():
		raw := client.As4()
		return append(append(to, 4), raw[:]...)
	case client.Is6():
		raw := client.As16()
		return append(append(to, 8), raw[:8]...)
	}
	return append(to, 0)
}

// viewKeyWithin is how long a reader waits for the key of the day, as long as
// for the view itself.
const viewKeyWithin = 2 * time.Second

// viewKey returns the key of a day. Whoever asks first in a day makes it.
func (s *Store) viewKey(ctx context.Context, day int32) (*viewKey, error) {
	if k := s.viewKeys.newest.Load(); k != nil && k.day == day {
		return k, nil
	}
	// From before the lock: those who wait for it do not wait anew behind it.
	ctx, cancel := context.WithTimeout(ctx, viewKeyWithin)
	defer cancel()
	s.viewKeys.loading.Lock()
	defer s.viewKeys.loading.Unlock()
	if k := s.viewKeys.newest.Load(); k != nil && k.day == day {
		return k, nil
	}
	shared, err := s.shareViewKey(ctx, day)
	if err != nil {
		return nil, fmt.Errorf("key of the day: %w", err)
	}
	k := newViewKey(day, shared)
	s.viewKeys.newest.Store(k)
	return k, nil
}

// shareViewKey returns the key of a day that all processes use.
func (s *Store) shareViewKey(ctx context.Context, day int32) (shared []byte, err error) {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	err = s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `INSERT INTO view_keys (day, key) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING`, day, key)
		if err != nil {
			return err
		}
		return t.QueryRowContext(ctx, `SELECT key FROM view_keys WHERE day = $1`, day).Scan(&shared)
	})
	return shared, err
}
