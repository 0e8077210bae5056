package store_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// emailToken takes the mail to a new address out of the outbox.
func emailToken(t *testing.T, s *store.Store) string {
	t.Helper()
	job := claimed(t, s, 1, store.KindEmailMail)[0]
	m, err := s.OutgoingMail(t.Context(), job)
	if err != nil || m.Token == "" {
		t.Fatalf("%+v, %v", m, err)
	}
	if err := s.FinishJob(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	return m.Token
}

func TestWhatADeadMailOfAChangedAddressGivesBack(t *testing.T) {
	s, clock := limited(t)
	u := storetest.Member(t, s)
	clock.Advance(2 * time.Minute)
	if _, err := s.ChangeEmail(t.Context(), reentry(u, storetest.Password), "gone@example.com"); err != nil {
		t.Fatal(err)
	}
	turns := count(t, s, `SELECT COUNT(*) FROM turns WHERE bucket = 'mail'`)
	list, err := s.Jobs(t.Context(), store.JobQuery{Limit: 2})
	if err != nil {
		t.Fatal(err)
	}
	to := map[string]string{}
	for _, j := range list.Jobs {
		to[j.Kind] = j.To
	}
	if to[store.KindEmailMail] != "gone@example.com" || to[store.KindEmailNotice] != u.Email {
		t.Errorf("the list of jobs names %v", to)
	}
	for _, kind := range []string{store.KindEmailMail, store.KindEmailNotice} {
		if err := s.KillJob(t.Context(), claimed(t, s, 1, kind)[0], "550 no such user"); err != nil {
			t.Fatal(err)
		}
	}
	if left := count(t, s, `SELECT COUNT(*) FROM turns WHERE bucket = 'mail'`); left != turns-2 {
		t.Errorf("%d turns of %d are left", left, turns)
	}
}

func TestChangesOfAddressesAreForgottenAfterAMonth(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	u := storetest.Member(t, s)
	if _, err := s.ChangeEmail(t.Context(), reentry(u, storetest.Password), "new@example.com"); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		wait    time.Duration
		pending string
		rows    int64
	}{
		{7*24*time.Hour - time.Second, "new@example.com", 1}, // its mail still waits
		{time.Second, "", 1},
		{23 * 24 * time.Hour, "", 1},
		{time.Second, "", 0},
	} {
		clock.Advance(step.wait)
		if _, err := s.Cleanup(t.Context()); err != nil {
			t.Fatal(err)
		}
		pending, err := s.PendingEmail(t.Context(), u)
		if rows := count(t, s, `SELECT COUNT(*) FROM email_changes`); err != nil || pending != step.pending || rows != step.rows {
			t.Errorf("after %s: %q pending, %d rows, %v", step.wait, pending, rows, err)
		}
	}
}

// Two ways to take an address at once: a change, and a sign-up.
func TestAddressGoesToTheFirstProof(t *testing.T) {
	s := storetest.New(t)
	for range 10 {
		u := storetest.Member(t, s)
		id := storetest.Signup(t, s)
		signup, err := s.SignupByID(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		code := storetest.Code(t, s, id)
		if _, err := s.ChangeEmail(t.Context(), reentry(u, storetest.Password), signup.Email); err != nil {
			t.Fatal(err)
		}
		token := emailToken(t, s)
		var won atomic.Int64
		var wg sync.WaitGroup
		wg.Go(func() {
			switch _, err := s.ProveEmail(t.Context(), u.ID, token); {
			case err == nil:
				won.Add(1)
			case problem(err, "email") != store.Taken:
				t.Errorf("change: %v", err)
			}
		})
		wg.Go(func() {
			switch _, err := s.VerifyCode(t.Context(), id, code, ""); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, store.ErrCodeWrong):
				t.Errorf("sign-up: %v", err)
			}
		})
		wg.Wait()
		if n := count(t, s, `SELECT COUNT(*) FROM users WHERE email_key = $1`, signup.Email); won.Load() != 1 || n != 1 {
			t.Errorf("%d won, %d members have the address", won.Load(), n)
		}
	}
}

func TestAMemberWhoComesBackToAnAddressFindsItsOldLinksDead(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	u := storetest.Member(t, s)
	old := storetest.ResetToken(t, s, u.Email)
	for _, address := range []string{"elsewhere@example.com", u.Email} {
		clock.Advance(time.Minute)
		if _, err := s.ChangeEmail(t.Context(), reentry(u, storetest.Password), address); err != nil {
			t.Fatal(err)
		}
		if _, err := s.ProveEmail(t.Context(), u.ID, emailToken(t, s)); err != nil {
			t.Fatal(err)
		}
	}
	if err := reset(t, s, old); !errors.Is(err, store.ErrTokenOvertaken) {
		t.Errorf("the link from before: %v", err)
	}
	clock.Advance(time.Minute)
	if err := reset(t, s, storetest.ResetToken(t, s, u.Email)); err != nil {
		t.Errorf("a link from now: %v", err)
	}
}
