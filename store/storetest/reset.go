package storetest

import (
	"strings"
	"testing"
	"time"

	"madang/store"
)

// AskReset asks for a link to a new password, as somebody does who forgot it.
func AskReset(t testing.TB, s *store.Store, email string) {
	t.Helper()
	if err := s.AskReset(t.Context(), store.Forgotten{Email: email, Client: client()}); err != nil {
		t.Fatalf("ask for a new password: %v", err)
	}
}

// ResetMails hands all links to a new password over that wait in the outbox, the
// oldest first, and returns the mails that go to an address.
func ResetMails(t testing.TB, s *store.Store, email string) (mails []store.OutgoingMail) {
	t.Helper()
	jobs, err := s.ClaimJobs(t.Context(), []string{store.KindResetMail}, 1000, time.Minute)
	if err != nil {
		t.Fatalf("claim mail: %v", err)
	}
	for _, j := range jobs {
		m, err := s.OutgoingMail(t.Context(), j)
		switch {
		case err == nil && m.Obsolete:
			err = s.SkipJob(t.Context(), j, "nothing to say")
		case err == nil:
			err = s.FinishJob(t.Context(), j)
		}
		if err != nil {
			t.Fatalf("mail of job %d: %v", j.ID, err)
		}
		if strings.EqualFold(m.To, email) {
			mails = append(mails, m)
		}
	}
	return mails
}

// ResetToken asks for a link to a new password and returns its token.
func ResetToken(t testing.TB, s *store.Store, email string) string {
	t.Helper()
	AskReset(t, s, email)
	mails := ResetMails(t, s, email)
	if len(mails) == 0 {
		t.Fatalf("no link goes to %s", email)
	}
	return mails[len(mails)-1].Token
}
