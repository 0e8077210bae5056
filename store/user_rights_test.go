package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestADisabledMemberIsOutAndNothingOldComesBack(t *testing.T) {
	s := storetest.New(t)
	admin, u := storetest.Admin(t, s), storetest.Member(t, s)
	session := store.Session{Token: "old", UserID: u.ID, Data: []byte("x"), ExpiresAt: s.Now().Add(time.Hour)}
	save(t, s.Sessions(), session)
	for range 2 { // the second time it is so already
		if err := s.Disable(t.Context(), admin.ID, u.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := s.UserByID(t.Context(), u.ID); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a disabled member is met: %v", err)
		}
	}
	login := store.Login{Email: u.Email, Password: storetest.Password, Client: client()}
	if _, err := s.Authenticate(t.Context(), login); !errors.Is(err, store.ErrLogin) {
		t.Errorf("a disabled member logs in: %v", err)
	}
	session.Token = "late" // of a login that had begun before
	save(t, s.Sessions(), session)
	for range 2 {
		if err := s.Enable(t.Context(), admin.ID, u.ID); err != nil {
			t.Fatal(err)
		}
	}
	for _, token := range []string{"old", "late"} {
		if found(t, s.Sessions(), token) != "" {
			t.Errorf("the %s session is back", token)
		}
	}
	if in, err := s.Authenticate(t.Context(), login); err != nil || in.User.ID != u.ID {
		t.Errorf("an enabled member cannot log in: %v", err)
	}
}

func TestEnablingWhoIsEnabledEndsNoSession(t *testing.T) {
	s := storetest.New(t)
	admin, u := storetest.Admin(t, s), storetest.Member(t, s)
	save(t, s.Sessions(), store.Session{Token: "t", UserID: u.ID, Data: []byte("x"), ExpiresAt: s.Now().Add(time.Hour)})
	if err := s.Enable(t.Context(), admin.ID, u.ID); err != nil {
		t.Fatal(err)
	}
	if found(t, s.Sessions(), "t") == "" {
		t.Error("the session has ended")
	}
}

func TestTheLastAdministratorStays(t *testing.T) {
	s := storetest.New(t)
	last, asleep, member := storetest.Admin(t, s), storetest.Admin(t, s), storetest.Member(t, s)
	if err := s.Disable(t.Context(), last.ID, asleep.ID); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct{ got, want error }{
		"demote the last":         {s.ChangeRole(t.Context(), last.ID, last.ID, store.Moderator), store.ErrLastAdmin},
		"disable oneself":         {s.Disable(t.Context(), last.ID, last.ID), store.ErrOwnAccount},
		"stay what one is":        {s.ChangeRole(t.Context(), last.ID, last.ID, store.Admin), nil},
		"demote a disabled one":   {s.ChangeRole(t.Context(), last.ID, asleep.ID, store.Member), nil},
		"act as a disabled one":   {s.ChangeRole(t.Context(), asleep.ID, last.ID, store.Member), store.ErrForbidden},
		"act as a member":         {s.Disable(t.Context(), member.ID, last.ID), store.ErrForbidden},
		"act as nobody":           {s.Enable(t.Context(), 0, last.ID), store.ErrForbidden},
		"change nobody":           {s.ChangeRole(t.Context(), last.ID, 99999, store.Admin), store.ErrNotFound},
		"disable nobody":          {s.Disable(t.Context(), last.ID, 99999), store.ErrNotFound},
		"enable nobody":           {s.Enable(t.Context(), last.ID, 99999), store.ErrNotFound},
		"make another, then step": {s.ChangeRole(t.Context(), last.ID, member.ID, store.Admin), nil},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: %v, want %v", what, c.got, c.want)
		}
	}
	if err := s.ChangeRole(t.Context(), last.ID, last.ID, store.Member); err != nil {
		t.Errorf("with another one there: %v", err)
	}
}

func TestTwoAdministratorsWhoActAtOnceLeaveOne(t *testing.T) {
	s := storetest.New(t)
	admins := [2]store.User{storetest.Admin(t, s), storetest.Admin(t, s)}
	ctx := context.WithoutCancel(t.Context())
	demote := func(ctx context.Context, admin, id int64) error { return s.ChangeRole(ctx, admin, id, store.Member) }
	for name, c := range map[string]struct {
		act    func(ctx context.Context, admin, id int64) error
		target func(i int) int64
	}{
		"demote each other":  {demote, func(i int) int64 { return admins[1-i].ID }},
		"disable each other": {s.Disable, func(i int) int64 { return admins[1-i].ID }},
		"demote themselves":  {demote, func(i int) int64 { return admins[i].ID }},
	} {
		for range 20 {
			tally(len(admins), func(i int) string {
				err := c.act(ctx, admins[i].ID, c.target(i))
				if err != nil && !errors.Is(err, store.ErrForbidden) && !errors.Is(err, store.ErrLastAdmin) {
					t.Errorf("%s: %v", name, err)
				}
				return ""
			})
			if n := count(t, s, `SELECT COUNT(*) FROM users WHERE role = 'admin' AND disabled_at IS NULL`); n != 1 {
				t.Fatalf("two %s at once: %d administrators are left", name, n)
			}
			if err := s.Exec(t.Context(), `UPDATE users SET role = 'admin', disabled_at = NULL`); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestWhoLeftIsNoMemberAnyMore(t *testing.T) {
	s := storetest.New(t)
	admin, u := storetest.Admin(t, s), storetest.Member(t, s)
	if err := s.DeleteAccount(t.Context(), store.Reentry{UserID: u.ID, Current: storetest.Password}); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"enable":  s.Enable(t.Context(), admin.ID, u.ID),
		"disable": s.Disable(t.Context(), admin.ID, u.ID),
		"promote": s.ChangeRole(t.Context(), admin.ID, u.ID, store.Admin),
	} {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := s.MemberByID(t.Context(), u.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("by number: %v", err)
	}
	for _, q := range []store.MemberQuery{{}, {State: store.Disabled}, {Text: u.Nickname}, {Text: "#"}} {
		for _, name := range nicknames(t, s, q) {
			if name != admin.Nickname {
				t.Errorf("%+v lists %q", q, name)
			}
		}
	}
}

func TestANewBoardHasNoAccounts(t *testing.T) {
	s := storetest.New(t)
	if names := nicknames(t, s, store.MemberQuery{}); len(names) != 0 {
		t.Errorf("there are %q", names)
	}
}
