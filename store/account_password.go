package store

import (
	"context"
	"errors"
	"fmt"
)

// ChangePassword gives a member another password. All sessions end, also the
// one that asks, which its caller begins anew; so do all links that would open
// the account or move it. A mail tells the owner. It returns *InvalidError,
// *TooSoonError after too many wrong passwords, *BusyError.
func (s *Store) ChangePassword(ctx context.Context, r Reentry, password string) (User, error) {
	u, err := s.changePassword(ctx, r, password)
	if err != nil {
		return User{}, fmt.Errorf("change password of user %d: %w", r.UserID, err)
	}
	return u, nil
}

func (s *Store) changePassword(ctx context.Context, r Reentry, password string) (User, error) {
	a, err := account(ctx, s.readers, r.UserID)
	if err != nil {
		return User{}, err
	}
	u := a.user
	err = problems(map[string]Problem{
		"current": missing(r.Current), "password": newPasswordProblem(password, u.Role, u.Email, u.Nickname, u.Name),
	})
	if err != nil {
		return User{}, err
	}
	if err := s.checkCurrent(ctx, r, a); err != nil {
		return User{}, err
	}
	fresh, err := s.choose(ctx, u, a.key, password)
	if err != nil {
		return User{}, err
	}
	err = s.write(ctx, func(ctx context.Context, t *tx) (err error) {
		u, err = s.setPassword(ctx, t, a.user, fresh)
		return err
	})
	if errors.Is(err, ErrNotFound) { // changed meanwhile: the current one is wrong by now
		return User{}, &InvalidError{Fields: map[string]Problem{"current": Wrong}}
	}
	return u, err
}
