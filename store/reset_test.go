package store_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

const newPassword = "another horse 배터리"

func reset(t *testing.T, s *store.Store, token string) error {
	t.Helper()
	_, err := s.ResetPassword(t.Context(), store.NewPassword{Token: token, Password: newPassword})
	return err
}

func canLogIn(t *testing.T, s *store.Store, u store.User, password string) bool {
	t.Helper()
	in, err := s.Authenticate(t.Context(), store.Login{Email: u.Email, Password: password})
	if err != nil && !errors.Is(err, store.ErrLogin) {
		t.Fatal(err)
	}
	return in.User.ID == u.ID
}

func TestALinkGivesANewPasswordOnce(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	token := storetest.ResetToken(t, s, strings.ToUpper(u.Email))
	if got, err := s.LookReset(t.Context(), token); err != nil || got.ID != u.ID {
		t.Fatalf("the link: %+v, %v", got, err)
	}
	if err := reset(t, s, token); err != nil {
		t.Fatal(err)
	}
	if canLogIn(t, s, u, storetest.Password) || !canLogIn(t, s, u, newPassword) {
		t.Error("the password is not the new one")
	}
	if err := reset(t, s, token); !errors.Is(err, store.ErrTokenUsed) {
		t.Errorf("again: %v", err)
	}
	told := claimed(t, s, 10, store.KindPasswordMail)
	if len(told) != 1 {
		t.Fatalf("%d mails tell of it", len(told))
	}
	if m, err := s.OutgoingMail(t.Context(), told[0]); err != nil || m.To != u.Email || m.Token != "" {
		t.Errorf("the owner is told by %+v, %v", m, err)
	}
}

func TestALinkToANewPasswordLivesAnHourFromTheHandOver(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	u := storetest.Member(t, s)
	storetest.AskReset(t, s, u.Email)
	clock.Advance(40 * time.Hour) // the mail server is out of order
	token := storetest.ResetMails(t, s, u.Email)[0].Token
	clock.Advance(time.Hour - time.Second)
	if _, err := s.LookReset(t.Context(), token); err != nil {
		t.Errorf("a second before the hour is over: %v", err)
	}
	clock.Advance(time.Second)
	if err := reset(t, s, token); !errors.Is(err, store.ErrTokenExpired) {
		t.Errorf("an hour later: %v", err)
	}
}

func TestALinkIsGoodBeforeItsHandOverIsRecorded(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	u := storetest.Member(t, s)
	storetest.AskReset(t, s, u.Email)
	m, err := s.OutgoingMail(t.Context(), claimed(t, s, 1, store.KindResetMail)[0])
	if err != nil {
		t.Fatal(err)
	}
	clock.Advance(3 * time.Hour)
	if err := reset(t, s, m.Token); err != nil {
		t.Error(err)
	}
}

func TestWhatEndsALinkToANewPassword(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(context.Context, *store.Store, store.User) error
		want error
	}{
		"a newer one": {func(ctx context.Context, s *store.Store, u store.User) error {
			return s.AskReset(ctx, store.Forgotten{Email: u.Email})
		}, store.ErrTokenReplaced},
		"a change of the password": {func(ctx context.Context, s *store.Store, u store.User) error {
			_, err := s.ChangePassword(ctx, store.Reentry{UserID: u.ID, Current: storetest.Password}, "yet another horse")
			return err
		}, store.ErrTokenOvertaken},
		"a change to the same password": {func(ctx context.Context, s *store.Store, u store.User) error {
			_, err := s.ChangePassword(ctx, store.Reentry{UserID: u.ID, Current: storetest.Password}, storetest.Password)
			return err
		}, store.ErrTokenOvertaken},
		"a change of the address": {func(ctx context.Context, s *store.Store, u store.User) error {
			return s.Exec(ctx, `UPDATE users SET email = 'new@example.com', email_key = 'new@example.com' WHERE id = $1`, u.ID)
		}, store.ErrTokenOvertaken},
		"being disabled": {func(ctx context.Context, s *store.Store, u store.User) error {
			return s.Disable(ctx, admin(ctx, s), u.ID)
		}, store.ErrTokenOvertaken},
		"being disabled for a while": {func(ctx context.Context, s *store.Store, u store.User) error {
			by := admin(ctx, s)
			return errors.Join(s.Disable(ctx, by, u.ID), s.Enable(ctx, by, u.ID))
		}, store.ErrTokenOvertaken},
		"leaving": {func(ctx context.Context, s *store.Store, u store.User) error {
			return s.DeleteAccount(ctx, store.Reentry{UserID: u.ID, Current: storetest.Password})
		}, store.ErrTokenForged},
	} {
		t.Run(name, func(t *testing.T) {
			s := storetest.New(t)
			storetest.Admin(t, s)
			u := storetest.Member(t, s)
			token := storetest.ResetToken(t, s, u.Email)
			if err := c.end(t.Context(), s, u); err != nil {
				t.Fatal(err)
			}
			if err := reset(t, s, token); !errors.Is(err, c.want) {
				t.Errorf("the link: %v, want %v", err, c.want)
			}
			if canLogIn(t, s, u, newPassword) {
				t.Error("it gave a new password")
			}
		})
	}
}

// admin is the first administrator of the board.
func admin(ctx context.Context, s *store.Store) (id int64) {
	_ = s.Readers().QueryRowContext(ctx, `SELECT MIN(id) FROM users WHERE role = 'admin'`).Scan(&id)
	return id
}

func TestTokensOfOnePurposeAreWorthNothingForAnother(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	token := storetest.ResetToken(t, s, u.Email)
	id := storetest.Signup(t, s)
	if _, err := s.LookReset(t.Context(), storetest.Token(t, s, id)); !errors.Is(err, store.ErrTokenForged) {
		t.Errorf("the token of a sign-up: %v", err)
	}
	if _, err := s.LookToken(t.Context(), token); !errors.Is(err, store.ErrTokenForged) {
		t.Errorf("the token of a reset at a sign-up: %v", err)
	}
	for _, forged := range []string{"", "x", token[:len(token)-1], token + "A", strings.ToLower(token), token + "="} {
		if _, err := s.LookReset(t.Context(), forged); !errors.Is(err, store.ErrTokenForged) {
			t.Errorf("%q: %v", forged, err)
		}
	}
}

func TestThePasswordOfAResetIsLookedAtAsAnyOther(t *testing.T) {
	s := storetest.New(t)
	member, chief := storetest.Member(t, s), storetest.Admin(t, s)
	for _, c := range []struct {
		who      store.User
		password string
		want     store.Problem
	}{
		{member, "", store.Missing},
		{member, "seven.7", store.TooShort},
		{member, "password1", store.TooCommon},
		{member, member.Nickname + "99", store.TooCommon},
		{member, strings.Repeat("x1", 65), store.TooLong},
		{chief, "fourteen chars", store.TooShortAdmin},
	} {
		token := storetest.ResetToken(t, s, c.who.Email)
		made := s.Hashes()
		_, err := s.ResetPassword(t.Context(), store.NewPassword{Token: token, Password: c.password})
		var invalid *store.InvalidError
		if !errors.As(err, &invalid) || invalid.Fields["password"] != c.want {
			t.Errorf("%q: %v, want %s", c.password, err, c.want)
		}
		if s.Hashes() != made {
			t.Errorf("%q was hashed", c.password)
		}
		if err := reset(t, s, token); err != nil {
			t.Errorf("the link after a refusal: %v", err)
		}
	}
}

func TestOfManyResetsAtOnceOneWins(t *testing.T) {
	for _, many := range []int{50, 1000} {
		if testing.Short() && many > 50 {
			continue
		}
		s := storetest.New(t)
		u := storetest.Member(t, s)
		token := storetest.ResetToken(t, s, u.Email)
		made := s.Hashes()
		ctx := context.WithoutCancel(t.Context())
		ends := tally(many, func(int) string {
			_, err := s.ResetPassword(ctx, store.NewPassword{Token: token, Password: newPassword})
			switch {
			case errors.Is(err, store.ErrTokenUsed):
				return "used"
			case errors.As(err, new(*store.BusyError)):
				return "busy"
			}
			return in(err)
		})
		if ends["done"] != 1 || ends["done"]+ends["used"]+ends["busy"] != many {
			t.Errorf("of %d: %v", many, ends)
		}
		if made = s.Hashes() - made; made != 1 {
			t.Errorf("of %d %d were hashed", many, made)
		}
		if told := claimed(t, s, 10, store.KindPasswordMail); len(told) != 1 {
			t.Errorf("%d mails tell of it", len(told))
		}
		wantChecked(t, s)
	}
}

// Whichever comes first: a login with the old password leaves no session that
// is good after the reset.
func TestALoginUnderWayDuringAResetOpensNothing(t *testing.T) {
	s := storetest.New(t)
	ctx := context.WithoutCancel(t.Context())
	u := storetest.Member(t, s)
	passwords := []string{storetest.Password, newPassword}
	for round := range 10 {
		old, fresh := passwords[round%2], passwords[(round+1)%2]
		token := storetest.ResetToken(t, s, u.Email)
		var as store.LoggedIn
		ends := tally(2, func(i int) string {
			if i == 0 {
				_, err := s.ResetPassword(ctx, store.NewPassword{Token: token, Password: fresh})
				return "reset " + in(err)
			}
			var err error
			as, err = s.Authenticate(ctx, store.Login{Email: u.Email, Password: old})
			return "login " + in(err)
		})
		now, err := s.UserByID(t.Context(), u.ID)
		if err != nil || ends["reset done"] != 1 {
			t.Fatalf("%v, %v", ends, err)
		}
		if ends["login done"] == 1 && as.User.Credentials == now.Credentials {
			t.Error("the old password opened a session that stays")
		}
	}
}
