package storetest

import (
	"testing"
	"time"

	"madang/store"
)

// DeadMail makes a sign-up whose mail the mail server refused for good, in
// these words, and returns both ids.
func DeadMail(t testing.TB, s *store.Store, words string) (signup, job int64) {
	t.Helper()
	signup = Signup(t, s)
	jobs, err := s.ClaimJobs(t.Context(), []string{store.KindVerifyMail}, 1000, time.Minute)
	if err != nil || len(jobs) == 0 {
		t.Fatalf("claim mail: %d, %v", len(jobs), err)
	}
	for _, j := range jobs[:len(jobs)-1] {
		if err := s.ReleaseJob(t.Context(), j); err != nil {
			t.Fatalf("release job %d: %v", j.ID, err)
		}
	}
	newest := jobs[len(jobs)-1]
	if err := s.KillJob(t.Context(), newest, words); err != nil {
		t.Fatalf("kill job %d: %v", newest.ID, err)
	}
	return signup, newest.ID
}
