package store_test

import (
	"errors"
	"sync"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

const shortPassword = "short: 한밤의 별" // enough for a member

// shortMember is a member whose password would not do for an administrator.
func shortMember(t *testing.T, s *store.Store) store.User {
	t.Helper()
	u, err := s.ChangePassword(t.Context(), reentry(storetest.Member(t, s), storetest.Password), shortPassword)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestNobodyIsMadeAnAdministratorWithAMembersPassword(t *testing.T) {
	s := storetest.New(t)
	chief := storetest.Admin(t, s)
	for name, c := range map[string]struct {
		make func(*testing.T) store.User
		want error
	}{
		"a sign-up with a long password": {func(t *testing.T) store.User { return storetest.Member(t, s) }, nil},
		"a sign-up with a short one": {func(t *testing.T) store.User {
			n := person("short@example.com")
			n.Password = shortPassword
			id := signUp(t, s, n)
			u, err := s.VerifyCode(t.Context(), id, storetest.Code(t, s, id), "")
			if err != nil {
				t.Fatal(err)
			}
			return u
		}, store.ErrAdminPassword},
		"a short one": {func(t *testing.T) store.User { return shortMember(t, s) }, store.ErrAdminPassword},
		"a long one again": {func(t *testing.T) store.User {
			u, err := s.ChangePassword(t.Context(), reentry(shortMember(t, s), shortPassword), newPassword)
			if err != nil {
				t.Fatal(err)
			}
			return u
		}, nil},
		"a long one by a link": {func(t *testing.T) store.User {
			u := shortMember(t, s)
			if err := reset(t, s, storetest.ResetToken(t, s, u.Email)); err != nil {
				t.Fatal(err)
			}
			return u
		}, nil},
		"one from before": {func(t *testing.T) store.User { return fromBefore(t, s, storetest.Member(t, s)) }, store.ErrAdminPassword},
		"one from before, after a login": {func(t *testing.T) store.User {
			u := fromBefore(t, s, storetest.Member(t, s))
			logInAtTheUsualCost(t, s, u, storetest.Password)
			return u
		}, nil},
		"one from before, after a login that failed": {func(t *testing.T) store.User {
			u := fromBefore(t, s, storetest.Member(t, s))
			if canLogIn(t, s, u, "a wrong password of enough characters") {
				t.Error("in with a wrong password")
			}
			return u
		}, store.ErrAdminPassword},
		"a short one from before, after a login": {func(t *testing.T) store.User {
			u := fromBefore(t, s, shortMember(t, s))
			logInAtTheUsualCost(t, s, u, shortPassword)
			return u
		}, store.ErrAdminPassword},
		"an administrator already": {func(t *testing.T) store.User { return fromBefore(t, s, storetest.Admin(t, s)) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			u := c.make(t)
			if err := s.ChangeRole(t.Context(), chief.ID, u.ID, store.Admin); !errors.Is(err, c.want) {
				t.Errorf("made an administrator: %v, want %v", err, c.want)
			}
			for _, role := range []store.Role{store.Moderator, store.Member} {
				if err := s.ChangeRole(t.Context(), chief.ID, u.ID, role); err != nil {
					t.Errorf("made a %s: %v", role, err)
				}
			}
		})
	}
}

// fromBefore makes a member one of whose password nothing is known yet.
func fromBefore(t *testing.T, s *store.Store, u store.User) store.User {
	t.Helper()
	exec(t, s, `UPDATE users SET admin_password = 0 WHERE id = $1`, u.ID)
	return u
}

func logInAtTheUsualCost(t *testing.T, s *store.Store, u store.User, password string) {
	t.Helper()
	before := s.Hashes()
	if !canLogIn(t, s, u, password) {
		t.Fatal("locked out")
	}
	if n := s.Hashes() - before; n != 1 {
		t.Errorf("the login costs %d hashes", n)
	}
}

func TestWhoComesAsAnAdministratorMayBecomeOneAgain(t *testing.T) {
	s := storetest.New(t)
	chief := storetest.Admin(t, s)
	u, err := s.CreateAdmin(t.Context(), store.NewAdmin{
		Email: "a@example.com", Nickname: "admin", Name: "a", Password: storetest.Password,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range []store.Role{store.Member, store.Admin} {
		if err := s.ChangeRole(t.Context(), chief.ID, u.ID, role); err != nil {
			t.Errorf("made a %s: %v", role, err)
		}
	}
}

// A member who sets a short password just while being made an administrator
// becomes none, or does not get the password.
func TestNoAdministratorGetsAMembersPasswordAtTheLastMoment(t *testing.T) {
	s := storetest.New(t)
	chief := storetest.Admin(t, s)
	for range 5 {
		u := storetest.Member(t, s)
		var role, password error
		var both sync.WaitGroup
		both.Go(func() { role = s.ChangeRole(t.Context(), chief.ID, u.ID, store.Admin) })
		both.Go(func() {
			_, password = s.ChangePassword(t.Context(), reentry(u, storetest.Password), shortPassword)
		})
		both.Wait()
		if (role == nil) == (password == nil) {
			t.Errorf("role: %v, password: %v", role, password)
		}
	}
	if n := count(t, s, `SELECT COUNT(*) FROM users WHERE role = 'admin' AND admin_password = 0`); n != 0 {
		t.Errorf("%d administrators with the password of a member", n)
	}
}

// The other way round: the role comes between the look at the rules and the change.
func TestAPasswordByTheRulesOfAnotherRoleIsNotSet(t *testing.T) {
	s := storetest.New(t)
	u, chief := storetest.Member(t, s), storetest.Admin(t, s)
	release := s.HoldHashSlots()
	done := make(chan error)
	go func() {
		_, err := s.ChangePassword(t.Context(), reentry(u, storetest.Password), shortPassword)
		done <- err
	}()
	err := s.ChangeRole(t.Context(), chief.ID, u.ID, store.Admin)
	release()
	if err != nil {
		t.Fatal(err)
	}
	if err := <-done; err == nil {
		t.Error("an administrator has the password of a member")
	}
	u.Role = store.Admin
	if !canLogIn(t, s, u, storetest.Password) {
		t.Error("the old password is gone")
	}
}
