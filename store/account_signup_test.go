package store_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// ownSignups are the addresses of the sign-ups in the download of a member.
func ownSignups(t *testing.T, s *store.Store, u store.User) (given []any) {
	t.Helper()
	parts := store.AccountParts()
	part := parts[slices.IndexFunc(parts, func(p store.AccountPart) bool { return p.Name == "signups" })]
	err := s.AccountData(t.Context(), u.ID, part, func(r store.AccountRecord) error {
		given = append(given, r["email"])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return given
}

// joined signs somebody up and proves the address.
func joined(t *testing.T, s *store.Store, n store.NewSignup) store.User {
	t.Helper()
	id := signUp(t, s, n)
	u, err := s.VerifyCode(t.Context(), id, storetest.Code(t, s, id), "")
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestOfAnAddressThatChangedHandsEachIsGivenTheirOwnSignUp(t *testing.T) {
	clock := storetest.NewClock(noon())
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	stranger := person("shared@example.com") // who never proved the address
	stranger.Nickname = "stranger"
	first, second := person("Shared@example.com"), person("SHARED@example.com")
	first.Nickname, second.Nickname = "first", "second"
	signUp(t, s, stranger)
	send(t, s)
	before := joined(t, s, first)
	moveTo(t, s, before, "moved@example.com")
	clock.Advance(time.Hour)
	since := joined(t, s, second)
	wantGiven := func(what string) {
		t.Helper()
		for u, want := range map[store.User][]any{before: {"Shared@example.com"}, since: {"SHARED@example.com"}} {
			if diff := cmp.Diff(want, ownSignups(t, s, u)); diff != "" {
				t.Errorf("%s: sign-ups of %s (-want +got):\n%s", what, u.Nickname, diff)
			}
		}
	}
	wantGiven("as they came")
	dir := "sqlite"
	if s.OnPostgres() {
		dir = "postgres"
	}
	steps, err := os.ReadFile("migrations/" + dir + "/0027_signup_members.sql")
	if err != nil {
		t.Fatal(err)
	}
	_, backfill, _ := strings.Cut(string(steps), "UPDATE")
	exec(t, s, `UPDATE signups SET user_id = NULL`)
	exec(t, s, `UPDATE`+backfill)
	wantGiven("found by a migration")
	if err := s.DeleteAccount(t.Context(), reentry(before, storetest.Password)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{"SHARED@example.com"}, ownSignups(t, s, since)); diff != "" {
		t.Errorf("after the first has left (-want +got):\n%s", diff)
	}
}
