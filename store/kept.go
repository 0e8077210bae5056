package store

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"time"
	"unicode/utf8"
)

// KeptText is a text whose submission met an expired session. It is kept for
// an hour and comes back in its form after login.
type KeptText struct {
	Path   string // of the form page it belongs to, e.g. "/posts/new"
	Title  string
	Body   string
	FormID string
	Parent int64
	// UserID is for whom the form was made; 0 when it did not say so.
	UserID int64
}

const (
	// keptFor is how long a text waits for its author.
	keptFor = time.Hour
	// keptMax bounds a kept text in bytes. It has room for the longest post
	// and for one that is too long: its author gets it back to shorten it.
	keptMax = 256 << 10
)

// KeepText keeps the text of a browser, whose session holds owner, a random
// string. The newest text of an owner replaces the one before; what is no text
// or longer than any form sends is passed over. It returns *TooSoonError when
// the client has kept too many.
func (s *Store) KeepText(ctx context.Context, owner string, client netip.Addr, k KeptText) error {
	if !k.keepable() {
		return nil
	}
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		if _, err := s.takeTurn(ctx, t, keptLimit(), s.whoClient(client)); err != nil {
			return err
		}
		_, err := t.ExecContext(ctx,
			`INSERT INTO kept_texts (owner, path, title, body, form_id, parent, user_id, expires_at)
			 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
			 ON CONFLICT (owner) DO UPDATE SET path = excluded.path, title = excluded.title, body = excluded.body,
			 form_id = excluded.form_id, parent = excluded.parent, user_id = excluded.user_id, expires_at = excluded.expires_at`,
			s.keptOwner(owner), k.Path, k.Title, k.Body, k.FormID, k.Parent, k.UserID, millis(s.now().Add(keptFor)))
		return err
	})
	if err != nil {
		return fmt.Errorf("keep text: %w", err)
	}
	return nil
}

func (k KeptText) keepable() bool {
	all := k.Path + k.Title + k.Body + k.FormID
	return len(all) <= keptMax && utf8.ValidString(all) && !strings.Contains(all, "\x00")
}

// keptOwner is the name under which a text is kept: a leaked database gives
// nobody a string that fetches texts.
func (s *Store) keptOwner(owner string) []byte {
	return s.key.mac("kept", []byte(owner))
}

// KeptText returns the text an owner left in the form at path, for the member
// who is there now. It returns ErrNotFound when there is none, its hour is over,
// or it is somebody else's: a browser may be that of a whole family.
func (s *Store) KeptText(ctx context.Context, owner, path string, userID int64) (KeptText, error) {
	k := KeptText{Path: path}
	if !k.keepable() {
		return KeptText{}, fmt.Errorf("kept text: %w", ErrNotFound)
	}
	err := s.readers.QueryRowContext(ctx,
		`SELECT title, body, form_id, parent, user_id FROM kept_texts
		 WHERE owner = $1 AND path = $2 AND expires_at > $3 AND user_id IN (0, $4)`,
		s.keptOwner(owner), path, millis(s.now()), userID).Scan(&k.Title, &k.Body, &k.FormID, &k.Parent, &k.UserID)
	if err != nil {
		return KeptText{}, fmt.Errorf("kept text: %w", notFound(err))
	}
	return k, nil
}

// DropKeptText forgets the text of an owner, if there is one.
func (s *Store) DropKeptText(ctx context.Context, owner string) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM kept_texts WHERE owner = $1`, s.keptOwner(owner))
		return err
	})
	if err != nil {
		return fmt.Errorf("drop kept text: %w", err)
	}
	return nil
}
