package store

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"fmt"
)

// VerifyCode turns a sign-up into a member by the code of its newest mail. The
// nickname is given after a clash only. It returns ErrNotFound when the
// sign-up was verified or has ended, ErrCodeFormat, ErrCodeWrong, ErrCodeDead,
// or *InvalidError when the nickname was taken meanwhile, which counts no try.
func (s *Store) VerifyCode(ctx context.Context, signupID int64, typed, nickname string) (User, error) {
	code, ok := cleanCode(typed)
	if !ok {
		return User{}, ErrCodeFormat
	}
	var u User
	var wrong error // a wrong code is an answer, not a failure: its try must be committed
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		var err error
		u, wrong, err = s.tryCode(ctx, t, signupID, code, nickname)
		return err
	})
	if err := errors.Join(err, wrong); err != nil {
		return User{}, fmt.Errorf("verify code: %w", err)
	}
	return u, nil
}

func (s *Store) tryCode(ctx context.Context, t *tx, signupID int64, code, nickname string) (u User, wrong, err error) {
	if err := s.db.holdSignups(ctx, t, signupID); err != nil {
		return User{}, nil, err
	}
	l, err := newestLink(ctx, t, signupID)
	if err != nil {
		return User{}, nil, err
	}
	now := s.now()
	if l.state == "verified" || !l.endsAt.IsZero() && !now.Before(l.endsAt) {
		return User{}, nil, ErrNotFound
	}
	if l.over(now, codeLife) {
		return User{}, ErrCodeDead, nil
	}
	left, err := countCodeTry(ctx, t, l)
	if err != nil {
		return User{}, nil, err
	}
	if left < 0 {
		return User{}, ErrCodeDead, nil
	}
	if l.state == "pending" && subtle.ConstantTimeCompare([]byte(code), []byte(s.key.code(l.proof()))) == 1 {
		u, err = s.promote(ctx, t, l, nickname)
		if !errors.Is(err, ErrAlreadyVerified) {
			return u, nil, err
		}
	}
	if left == 0 {
		return User{}, ErrCodeDead, nil
	}
	return User{}, ErrCodeWrong, nil
}

// countCodeTry counts a try before anything is compared and returns how many
// are left after it, -1 when there was none to count.
func countCodeTry(ctx context.Context, t *tx, l link) (int, error) {
	var used int
	err := t.QueryRowContext(ctx,
		`UPDATE signup_links SET code_tries = code_tries + 1
		 WHERE signup_id = $1 AND generation = $2 AND code_tries < $3 RETURNING code_tries`,
		l.signupID, l.generation, codeTries).Scan(&used)
	if errors.Is(err, sql.ErrNoRows) {
		return -1, nil
	}
	if err != nil {
		return 0, fmt.Errorf("count code try: %w", err)
	}
	return codeTries - used, nil
}
