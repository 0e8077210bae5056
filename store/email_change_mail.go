package store

import (
	"context"
	"errors"
	"fmt"
)

// emailMail is the mail to the new address of a change: with the link that
// proves it, or, when the address belongs to somebody else, without.
func (s *Store) emailMail(ctx context.Context, p mailPayload) (OutgoingMail, error) {
	c, err := emailChangeByID(ctx, s.readers, p.ChangeID)
	if err != nil {
		return OutgoingMail{}, err
	}
	now := s.now()
	if !c.open(now) {
		return OutgoingMail{Obsolete: true}, nil
	}
	m := OutgoingMail{To: deliverable(c.email, c.emailKey), Lang: c.user.Lang, Nickname: c.user.Nickname}
	switch _, err := userByEmail(ctx, s.readers, c.emailKey); {
	case errors.Is(err, ErrNotFound):
		m.Token, m.Until = s.key.token(c.proof()), now.Add(linkLife)
	case err != nil:
		return OutgoingMail{}, err
	}
	return m, nil
}

// emailNotice is the mail to the old address. It goes out also when the change
// is over, or the account deleted: whoever reads it there must hear of it all
// the more. One that was recorded before addresses were kept is read from its
// change.
func (s *Store) emailNotice(ctx context.Context, j Job, p mailPayload) (OutgoingMail, error) {
	m, err := s.notice(ctx, j.ID)
	if !errors.Is(err, ErrNotFound) || p.ChangeID == 0 {
		return m, err
	}
	c, err := emailChangeByID(ctx, s.readers, p.ChangeID)
	if err != nil {
		return OutgoingMail{}, err
	}
	if c.left {
		return OutgoingMail{Obsolete: true}, nil
	}
	return OutgoingMail{To: deliverable(c.oldEmail, c.oldKey), Lang: c.user.Lang, Nickname: c.user.Nickname}, nil
}

// emailMailSent starts the life of the link at the hand-over to the mail server.
func emailMailSent(ctx context.Context, s *Store, t *tx, j Job) error {
	p, err := decodeMail(j)
	if err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, `UPDATE email_changes SET sent_at = $1 WHERE id = $2`, millis(s.now()), p.ChangeID)
	if err != nil {
		return fmt.Errorf("note hand-over: %w", err)
	}
	return nil
}

// turnBack gives an address the turn of its mail back.
func turnBack(ctx context.Context, _ *Store, t *tx, j Job) error {
	p, err := decodeMail(j)
	if err != nil {
		return nil //nolint:nilerr // the payload is why the job is dead; nothing follows from it
	}
	return giveBack(ctx, t, p.TurnID)
}
