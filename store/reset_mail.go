package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// resetMail is the mail with the link to a new password. It is obsolete when
// nobody could use the link: there is no such member, or none any more.
func (s *Store) resetMail(ctx context.Context, p mailPayload) (OutgoingMail, error) {
	r, err := resetByID(ctx, s.readers, p.ResetID)
	if errors.Is(err, ErrNotFound) {
		return OutgoingMail{Obsolete: true}, nil
	}
	if err != nil {
		return OutgoingMail{}, err
	}
	now := s.now()
	if err := r.usable(now); err != nil && !errors.Is(err, ErrTokenExpired) {
		return OutgoingMail{Obsolete: true}, nil
	}
	return OutgoingMail{
		To: deliverable(r.user.Email, r.userKey), Lang: r.user.Lang, Nickname: r.user.Nickname,
		Token: s.key.token(r.proof()), Until: now.Add(resetLife),
	}, nil
}

// resetSent starts the hour of a link at the hand-over to the mail server. An
// administrator who sets a dead mail to work again gives it another.
func resetSent(ctx context.Context, s *Store, t *tx, j Job) error {
	p, err := decodeMail(j)
	if err != nil {
		return err
	}
	return endReset(ctx, t, p, s.now().Add(resetLife))
}

// resetFailed gives the address its turn back. The mail may have arrived all
// the same, so the link ends as if it had.
func resetFailed(ctx context.Context, s *Store, t *tx, j Job) error {
	p, err := decodeMail(j)
	if err != nil {
		return nil //nolint:nilerr // the payload is why the job is dead; nothing follows from it
	}
	if err := giveBack(ctx, t, p.TurnID); err != nil {
		return err
	}
	return endReset(ctx, t, p, s.now().Add(resetLife))
}

func endReset(ctx context.Context, t *tx, p mailPayload, at time.Time) error {
	if _, err := t.ExecContext(ctx, `UPDATE resets SET ends_at = $1 WHERE id = $2`, millis(at), p.ResetID); err != nil {
		return fmt.Errorf("end of link: %w", err)
	}
	return nil
}
