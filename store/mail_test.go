package store_test

import (
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// A mail that goes out a second time may meet the proof of its own address at
// any moment. It is then the same mail or none, and never the one for members.
func TestOwnProofMakesNoMailForMembers(t *testing.T) {
	s := storetest.New(t)
	for range 20 {
		id := storetest.Signup(t, s)
		jobs, err := s.ClaimJobs(t.Context(), []string{store.KindVerifyMail}, 1, time.Minute)
		if err != nil || len(jobs) != 1 {
			t.Fatalf("claimed %d mails (%v)", len(jobs), err)
		}
		first, err := s.OutgoingMail(t.Context(), jobs[0])
		if err != nil {
			t.Fatal(err)
		}
		proven := make(chan error, 1)
		go func() {
			_, err := s.VerifyCode(t.Context(), id, first.Code, "")
			proven <- err
		}()
		for again := (store.OutgoingMail{}); !again.Obsolete; {
			if again, err = s.OutgoingMail(t.Context(), jobs[0]); err != nil {
				t.Fatal(err)
			}
			if !again.Obsolete && again.Code != first.Code {
				t.Fatalf("the mail had the code %s and now has %q", first.Code, again.Code)
			}
		}
		if err := <-proven; err != nil {
			t.Fatal(err)
		}
		if err := s.FinishJob(t.Context(), jobs[0]); err != nil {
			t.Fatal(err)
		}
	}
}
