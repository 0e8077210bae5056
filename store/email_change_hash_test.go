package store_test

import (
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestAChangeOfAddressCostsTheSameWhoeverHasIt(t *testing.T) {
	s := storetest.New(t)
	u, other := storetest.Member(t, s), storetest.Member(t, s)
	stranger(t, s, desired)
	for _, email := range []string{other.Email, desired, "nobody@example.com"} {
		before := s.Hashes()
		if _, err := s.ChangeEmail(t.Context(), reentry(u, storetest.Password), email); err != nil {
			t.Fatal(err)
		}
		if n := s.Hashes() - before; n != 2 {
			t.Errorf("a change to %s costs %d hashes", email, n)
		}
	}
}

func TestWhoMovesLogsInWithTheSamePassword(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	change(t, s, u)()
	u.Email = desired
	if !canLogIn(t, s, u, storetest.Password) || canLogIn(t, s, u, newPassword) {
		t.Error("it is another password now")
	}
	if _, err := s.ChangePassword(t.Context(), reentry(u, storetest.Password), newPassword); err != nil {
		t.Fatal(err)
	}
	if !canLogIn(t, s, u, newPassword) {
		t.Error("a new password cannot be set there")
	}
}

func TestAChangeFromBeforeLeavesThePasswordAsItIs(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	prove := change(t, s, u)
	exec(t, s, `UPDATE email_changes SET password_hash = ''`)
	prove()
	u.Email = desired
	if !canLogIn(t, s, u, storetest.Password) {
		t.Error("the member is locked out")
	}
}

func TestAChangeThatIsOverKeepsNothingOfThePassword(t *testing.T) {
	for name, end := range map[string]func(*testing.T, *store.Store, *storetest.Clock, store.User, func()){
		"proven": func(_ *testing.T, _ *store.Store, _ *storetest.Clock, _ store.User, prove func()) { prove() },
		"another password": func(t *testing.T, s *store.Store, _ *storetest.Clock, u store.User, _ func()) {
			if _, err := s.ChangePassword(t.Context(), reentry(u, storetest.Password), newPassword); err != nil {
				t.Fatal(err)
			}
		},
		"reset": func(t *testing.T, s *store.Store, _ *storetest.Clock, u store.User, _ func()) {
			if err := reset(t, s, storetest.ResetToken(t, s, u.Email)); err != nil {
				t.Fatal(err)
			}
		},
		"disabled": func(t *testing.T, s *store.Store, _ *storetest.Clock, u store.User, _ func()) {
			if err := s.Disable(t.Context(), storetest.Admin(t, s).ID, u.ID); err != nil {
				t.Fatal(err)
			}
		},
		"not proven in time": func(t *testing.T, s *store.Store, clock *storetest.Clock, u store.User, _ func()) {
			takeMail(t, s, store.KindEmailMail, u.Nickname)
			clock.Advance(24*time.Hour - time.Second)
			clean(t, s)
			if n := count(t, s, `SELECT COUNT(*) FROM email_changes WHERE password_hash <> ''`); n != 1 {
				t.Error("the link still works, and the password is gone")
			}
			clock.Advance(time.Second)
			wantCleaned(t, s, store.Cleaned{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			clock := storetest.NewClock(noon())
			s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
			u := storetest.Member(t, s)
			sendAll(t, s)
			change(t, s, u)
			prove := change(t, s, u)
			if n := count(t, s, `SELECT COUNT(*) FROM email_changes WHERE password_hash <> ''`); n != 1 {
				t.Fatalf("%d changes keep a password, want the newer one", n)
			}
			end(t, s, clock, u, prove)
			if n := count(t, s, `SELECT COUNT(*) FROM email_changes WHERE password_hash <> ''`); n != 0 {
				t.Errorf("%d changes keep a password", n)
			}
		})
	}
}
