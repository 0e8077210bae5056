package store

import (
	"context"
	"time"
)

// echoTime is how long a form that is sent again is an echo, as of a double
// click. Later it is another try, which is to have another mail.
const echoTime = time.Minute

// sameSignup is the sign-up that the very same form made a moment ago, down to
// the password, which has the same hash for it has the same salt. It returns
// ErrNotFound when there is none, and keeps an echo that comes meanwhile
// waiting.
func (s *Store) sameSignup(ctx context.Context, t *tx, p person, formID string) (int64, error) {
	if formID == "" {
		return 0, ErrNotFound
	}
	if err := s.db.hold(ctx, t, []byte("sign-up form"), []byte(formID)); err != nil {
		return 0, err
	}
	return s.signupOfForm(ctx, t, p, formID, p.hash)
}

// signupOfForm is the sign-up that a form made a moment ago, with whatever
// password where no hash is given. It returns ErrNotFound when there is none.
func (s *Store) signupOfForm(ctx context.Context, q querier, p person, formID, hash string) (id int64, err error) {
	err = q.QueryRowContext(ctx,
		`SELECT id FROM signups WHERE email_key = $1 AND form_id = $2 AND email = $3 AND name = $4 AND nickname = $5
		 AND (password_hash = $6 OR $6 = '') AND state = 'pending' AND created_at > $7 ORDER BY id DESC LIMIT 1`,
		p.emailKey, formID, p.email, p.name, p.nickname, hash, millis(s.now().Add(-echoTime))).Scan(&id)
	return id, notFound(err)
}
