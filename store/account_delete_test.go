package store_test

import (
	"context"
	"errors"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestOfTwoAdministratorsWhoLeaveAtOnceOneStays(t *testing.T) {
	s := storetest.New(t)
	ctx := context.WithoutCancel(t.Context())
	admins := []store.User{storetest.Admin(t, s), storetest.Admin(t, s)}
	ends := tally(len(admins), func(i int) string {
		err := s.DeleteAccount(ctx, reentry(admins[i], storetest.Password))
		if errors.Is(err, store.ErrLastAdmin) {
			return "stayed"
		}
		return in(err)
	})
	if ends["done"] != 1 || ends["stayed"] != 1 {
		t.Errorf("they ended so: %v", ends)
	}
}

// Whoever knows the old password only is too late.
func TestAccountIsNotDeletedWithAPasswordThatWasChangedMeanwhile(t *testing.T) {
	s, _ := limited(t)
	u := storetest.Member(t, s)
	release := s.HoldHashSlots()
	deleted := make(chan error, 1)
	go func() { deleted <- s.DeleteAccount(context.WithoutCancel(t.Context()), reentry(u, storetest.Password)) }()
	tries := `SELECT COUNT(*) FROM turns WHERE bucket = 'current'`
	for end := time.Now().Add(10 * time.Second * slower); count(t, s, tries) == 0; runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatal("the password is not looked at")
		}
	}
	if err := s.Exec(t.Context(), `UPDATE users SET credentials = credentials + 1 WHERE id = $1`, u.ID); err != nil {
		t.Fatal(err)
	}
	release()
	if err := <-deleted; !errors.Is(err, store.ErrNotFound) {
		t.Errorf("with the old password: %v", err)
	}
	if _, err := s.UserByID(t.Context(), u.ID); err != nil {
		t.Errorf("the member is gone: %v", err)
	}
}

// everywhere counts the rows of every table that hold a text.
func everywhere(t *testing.T, s *store.Store, text string) map[string]int64 {
	t.Helper()
	found := map[string]int64{}
	for table, columns := range map[string]string{
		"users": "email || email_key || nickname || nickname_key || name || password_hash", "signups": "email || email_key || nickname || name",
		"signup_links": "email_key", "resets": "email_key", "email_changes": "email || email_key || old_email || old_key || password_hash",
		"sessions": "device", "notices": "email || email_key",
	} {
		n := count(t, s, `SELECT COUNT(*) FROM `+table+` WHERE lower(`+columns+`) LIKE $1`, "%"+strings.ToLower(text)+"%")
		if n > 0 {
			found[table] = n
		}
	}
	return found
}

func TestNothingIsLeftOfADeletedAccountButANumber(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	before := u.Email
	if err := s.AskReset(t.Context(), store.Forgotten{Email: before, Client: client()}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ChangeEmail(t.Context(), reentry(u, storetest.Password), "moved@example.com"); err != nil {
		t.Fatal(err)
	}
	moved, err := s.ProveEmail(t.Context(), u.ID, emailToken(t, s))
	if err != nil || moved.Email != "moved@example.com" {
		t.Fatalf("%+v, %v", moved, err)
	}
	if err := s.DeleteAccount(t.Context(), reentry(u, storetest.Password)); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{store.KindEmailNotice, store.KindDeletedMail} {
		told(t, s, kind)
	}
	for _, text := range []string{before, "moved@example.com", u.Nickname, u.Name, "argon2"} {
		if found := everywhere(t, s, text); len(found) > 0 {
			t.Errorf("%q is left in %v", text, found)
		}
	}
	if n := count(t, s, `SELECT COUNT(*) FROM users WHERE id = $1 AND deleted_at IS NOT NULL AND role = 'member'`, u.ID); n != 1 {
		t.Error("the row is gone, or still somebody's")
	}
	if err := s.DeleteAccount(t.Context(), reentry(u, storetest.Password)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("once more: %v", err)
	}
	wantChecked(t, s)
}

func TestAddressOfAnotherWhoCameSinceIsNotEmptiedWithTheOldOwner(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	before := u.Email
	if _, err := s.ChangeEmail(t.Context(), reentry(u, storetest.Password), "moved@example.com"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ProveEmail(t.Context(), u.ID, emailToken(t, s)); err != nil {
		t.Fatal(err)
	}
	id, err := s.SignUp(t.Context(), store.NewSignup{
		Email: before, Name: "Next", Nickname: "next", Password: storetest.Password, Lang: "en", Client: netip.MustParseAddr("192.0.2.8"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.VerifyCode(t.Context(), id, storetest.Code(t, s, id), ""); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteAccount(t.Context(), reentry(u, storetest.Password)); err != nil {
		t.Fatal(err)
	}
	if n := count(t, s, `SELECT COUNT(*) FROM signups WHERE email_key = $1`, before); n != 1 {
		t.Errorf("%d sign-ups of the address are left, want that of its owner", n)
	}
}

// However many have signed up, only those of the one who leaves are looked at.
func TestSignUpsOfWhoLeavesAreReadByTheirIndex(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	manyMembers(t, s, 5000)
	err := s.Exec(t.Context(), `INSERT INTO signups (email, email_key, name, nickname, password_hash, lang, state, created_at, ends_at, user_id)
		SELECT email, email_key, '', '', '', 'ko', 'verified', 1, 1, id FROM users WHERE id <> $1`, u.ID)
	if err := errors.Join(err, s.Exec(t.Context(), `ANALYZE`)); err != nil {
		t.Fatal(err)
	}
	plan := explain(t, s, store.OwnSignupsSQL, u.ID)
	for _, table := range []string{"signups", "users", "o"} {
		if readsAll(plan, table) || readsAll(plan, "users "+table) {
			t.Errorf("all of %s is read:\n%s", table, plan)
		}
	}
}
