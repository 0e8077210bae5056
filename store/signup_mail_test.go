package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func TestEverySignupIsKnownByItsMail(t *testing.T) {
	s, ctx := storetest.New(t), t.Context()
	storetest.DeadMail(t, s, "no such mailbox")
	sent := storetest.Signup(t, s)
	if _, err := s.VerifyCode(ctx, sent, storetest.Code(t, s, sent), ""); err != nil {
		t.Fatal(err)
	}
	storetest.Signup(t, s)
	got, err := s.SignupMails(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(store.SignupMails{Signups: 3, Done: 1, Dead: 1}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
