package store

import (
	"context"
	"fmt"
)

// SignupMails says what became of the mails of all sign-ups, verified or not.
type SignupMails struct {
	Signups int64
	Done    int64 // sign-ups whose newest mail is done
	Dead    int64 // sign-ups whose newest mail died, and so is visible
}

// SignupMails counts them. What is neither done nor dead waits, or is lost.
func (s *Store) SignupMails(ctx context.Context) (SignupMails, error) {
	var m SignupMails
	err := s.readers.QueryRowContext(ctx,
		`SELECT COUNT(*), COUNT(CASE WHEN j.state = 'done' THEN 1 END), COUNT(CASE WHEN j.state = 'dead' THEN 1 END)
		 FROM signups AS s LEFT JOIN jobs AS j ON j.id = s.job_id`).Scan(&m.Signups, &m.Done, &m.Dead)
	if err != nil {
		return SignupMails{}, fmt.Errorf("count the mails of sign-ups: %w", err)
	}
	return m, nil
}
