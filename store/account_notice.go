package store

import (
	"context"
	"errors"
	"fmt"
)

// notify records a mail that tells the owner of an account what is done with
// it. It goes to the address the account has now: whoever took it over could
// change that next, and would be told instead.
func (s *Store) notify(ctx context.Context, t *tx, kind string, userID int64, mail turn) error {
	job, err := s.enqueue(ctx, t, kind, mail.at, mailPayload{TurnID: mail.id, MessageID: newMessageID()})
	if err != nil {
		return err
	}
	_, err = t.ExecContext(ctx,
		`INSERT INTO notices (job_id, email, email_key, lang) SELECT $1, email, email_key, lang FROM users WHERE id = $2`, job, userID)
	if err != nil {
		return fmt.Errorf("keep address of notice: %w", err)
	}
	return nil
}

// notice returns the mail of a job that was recorded by notify, ErrNotFound for
// another one.
func (s *Store) notice(ctx context.Context, jobID int64) (OutgoingMail, error) {
	var m OutgoingMail
	var email, key string
	err := s.readers.QueryRowContext(ctx, `SELECT email, email_key, lang FROM notices WHERE job_id = $1`, jobID).
		Scan(&email, &key, &m.Lang)
	if err != nil {
		return OutgoingMail{}, fmt.Errorf("notice: %w", notFound(err))
	}
	m.To = deliverable(email, key)
	return m, nil
}

// passwordMail is the mail about a new password. One that was recorded before
// addresses were kept goes to the address of now.
func (s *Store) passwordMail(ctx context.Context, j Job, p mailPayload) (OutgoingMail, error) {
	m, err := s.notice(ctx, j.ID)
	if errors.Is(err, ErrNotFound) && p.UserID != 0 {
		return s.accountMail(ctx, p.UserID)
	}
	return m, err
}

// noticeSent forgets the address: nobody needs it any more.
func noticeSent(ctx context.Context, _ *Store, t *tx, j Job) error {
	if _, err := t.ExecContext(ctx, `DELETE FROM notices WHERE job_id = $1`, j.ID); err != nil {
		return fmt.Errorf("forget address of notice: %w", err)
	}
	return nil
}

// deadNoticeLife is how long an administrator may set a dead notice to work again.
const deadNoticeLife = doneJobLife

// overNotices deletes the notices whose job has ended in another way, by being
// dropped for one.
func (s *Store) overNotices() expired {
	return expired{"notices", millis(s.now().Add(-deadNoticeLife)), `DELETE FROM notices WHERE job_id IN
		(SELECT n.job_id FROM notices AS n LEFT JOIN jobs AS j ON j.id = n.job_id
		 WHERE j.id IS NULL OR j.state = 'done' OR j.state = 'dead' AND j.finished_at < $1 ORDER BY n.job_id LIMIT $2)`}
}
