package store

import (
	"context"
	"fmt"
)

// NewAdmin holds the details of an administrator made by the command line.
type NewAdmin struct {
	Email    string
	Nickname string
	Name     string
	Password string
}

// CreateAdmin makes a verified administrator. It returns *InvalidError, also
// for an address or a nickname that is taken.
func (s *Store) CreateAdmin(ctx context.Context, n NewAdmin) (User, error) {
	p, err := s.newPerson(ctx, details{n.Email, n.Name, n.Nickname, n.Password, Admin})
	if err != nil {
		return User{}, fmt.Errorf("create admin: %w", err)
	}
	if p.hash, err = s.hashFor(ctx, n.Password, p.emailKey); err != nil {
		return User{}, fmt.Errorf("create admin: %w", err)
	}
	var u User
	err = s.write(ctx, func(ctx context.Context, t *tx) (err error) {
		u, err = s.insertUser(ctx, t, p, Admin, "en")
		return err
	})
	if err != nil {
		return User{}, fmt.Errorf("create admin: %w", err)
	}
	return u, nil
}
