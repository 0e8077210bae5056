package store

import "context"

// forAdmin reports whether somebody might be an administrator with a password.
// Own are the words that belong to the person.
func forAdmin(password string, own ...string) bool {
	return newPasswordProblem(password, Admin, own...) == ""
}

// bit is how a yes or no is kept.
func bit(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// chosen is a password that a member has from now on.
type chosen struct {
	hash     string
	forAdmin bool
}

// choose hashes a password that a member sets.
func (s *Store) choose(ctx context.Context, u User, emailKey, password string) (chosen, error) {
	hash, err := s.hashFor(ctx, password, emailKey)
	return chosen{hash, forAdmin(password, u.Email, u.Nickname, u.Name)}, err
}
