package store

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
)

// Reentry is a member who is logged in and types the password once more, before
// something that whoever borrows a session must not do.
type Reentry struct {
	UserID  int64
	Current string // password
	Client  netip.Addr
}

// reentered is a member who has done so.
type reentered struct {
	user User
	key  string // canonical address
	hash string // of the password; a change is fenced by it
}

// account returns a member with what the pages do not show. It returns
// ErrNotFound for one who is disabled or has left.
func account(ctx context.Context, q querier, id int64) (reentered, error) {
	var a reentered
	var err error
	a.user, err = scanUser(q.QueryRowContext(ctx,
		`SELECT `+userColumns+`, email_key, password_hash FROM users WHERE id = $1 AND disabled_at IS NULL`+notDeleted, id),
		&a.key, &a.hash)
	if err != nil {
		return reentered{}, fmt.Errorf("account %d: %w", id, err)
	}
	return a, nil
}

// checkCurrent compares the password with that of the account. Wrong ones slow
// down the next as failed logins do: a borrowed session is no way to guess
// faster. They are counted apart from those, so that nobody from outside keeps
// the owner from changing the password. It returns *InvalidError for a wrong
// one, ErrPasswordTries with *TooSoonError, for the right one too, while the
// throttle holds, *BusyError when no hash slot comes free.
func (s *Store) checkCurrent(ctx context.Context, r Reentry, a reentered) error {
	turns, err := s.takeTries(ctx, currentThrottle(), s.whoMember(a.user.ID), r.Client)
	if _, throttled := errors.AsType[*TooSoonError](err); throttled {
		return fmt.Errorf("%w: %w", ErrPasswordTries, err)
	}
	if err != nil {
		return err
	}
	current := r.Current
	if passwordProblem(current, 1) != "" {
		a.hash, current = "", "" // nobody has such a password
	}
	matches, err := s.hasher.matches(ctx, a.hash, current)
	if err == nil && !matches {
		return &InvalidError{Fields: map[string]Problem{"current": Wrong}}
	}
	s.giveTriesBack(ctx, turns)
	return err
}

// missing returns the problem of a field that must not be empty.
func missing(value string) Problem {
	if value == "" {
		return Missing
	}
	return ""
}

// lockUser keeps a member from being changed by another transaction; whoever
// changes what belongs to one does this first. It returns ErrNotFound for one
// who is disabled, has left, or has changed the password meanwhile.
func lockUser(ctx context.Context, t *tx, id, credentials int64) error {
	return found(t.ExecContext(ctx,
		`UPDATE users SET lang = lang WHERE id = $1 AND credentials = $2 AND disabled_at IS NULL`+notDeleted, id, credentials))
}

// SetNickname gives a member another nickname. It returns *InvalidError, also
// for one that somebody else has.
func (s *Store) SetNickname(ctx context.Context, userID int64, nickname string) error {
	clean, key, problem := cleanNickname(nickname)
	if problem != "" {
		return &InvalidError{Fields: map[string]Problem{"nickname": problem}}
	}
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		return found(t.ExecContext(ctx,
			`UPDATE users SET nickname = $1, nickname_key = $2 WHERE id = $3 AND disabled_at IS NULL`+notDeleted,
			clean, key, userID))
	})
	if err != nil {
		return fmt.Errorf("set nickname of user %d: %w", userID, takenBy(err, "nickname"))
	}
	return nil
}
