package store

import (
	"context"
	"errors"
)

// passSignup lets through who may have a password hashed, which is the dear
// part of a sign-up: the turns of the client and of the address are not used
// up. They are taken with the sign-up itself; until leave is called nobody else
// of the client or to the address is let through, so that of many at once no
// more are hashed than have a turn. A form that was just sent may be sent again
// without one. It returns *TooSoonError, or *BusyError when those before take
// too long.
func (s *Store) passSignup(ctx context.Context, p person, n NewSignup) (leave func(), err error) {
	if s.noLimits {
		return func() {}, nil
	}
	// All go through the two gates in this order, so that none wait for each other.
	leaveClient, err := s.gates.pass(ctx, s.whoClient(n.Client))
	if err != nil {
		return nil, err
	}
	leaveAddress, err := s.gates.pass(ctx, s.whoAddress(p.emailKey))
	if err != nil {
		leaveClient()
		return nil, err
	}
	leave = func() {
		leaveAddress()
		leaveClient()
	}
	if err := s.checkSignupTurns(ctx, p, n); err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

func (s *Store) checkSignupTurns(ctx context.Context, p person, n NewSignup) error {
	switch again, err := s.sentBefore(ctx, p, n.FormID); {
	case err != nil:
		return err
	case again:
		return s.write(ctx, func(ctx context.Context, t *tx) error {
			_, err := s.takeTurn(ctx, t, echoLimit(), s.whoClient(n.Client))
			return err
		})
	}
	if _, err := s.freeTurn(ctx, s.readers, signupLimit(), s.whoClient(n.Client)); err != nil {
		return err
	}
	_, err := s.freeTurn(ctx, s.readers, mailLimit(), s.whoAddress(p.emailKey))
	return err
}

// sentBefore reports whether this form made a sign-up a moment ago, as far as
// can be told without the password.
func (s *Store) sentBefore(ctx context.Context, p person, formID string) (bool, error) {
	if formID == "" {
		return false, nil
	}
	_, err := s.signupOfForm(ctx, s.readers, p, formID, "")
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
