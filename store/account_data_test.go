package store_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func TestMemberIsGivenTheSignUpUnderAnEarlierAddress(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	storetest.Member(t, s) // whose sign-up is nothing to them
	if _, err := s.ChangeEmail(t.Context(), reentry(u, storetest.Password), "moved@example.com"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ProveEmail(t.Context(), u.ID, emailToken(t, s)); err != nil {
		t.Fatal(err)
	}
	parts := store.AccountParts()
	part := parts[slices.IndexFunc(parts, func(p store.AccountPart) bool { return p.Name == "signups" })]
	var given []any
	err := s.AccountData(t.Context(), u.ID, part, func(r store.AccountRecord) error {
		given = append(given, r["email"])
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{u.Email}, given); diff != "" {
		t.Errorf("sign-ups (-want +got):\n%s", diff)
	}
}
