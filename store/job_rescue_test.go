package store_test

import (
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestADeadMailThatIsTriedAgainGoesOut(t *testing.T) {
	s, clock := ticking(t)
	signup, job := storetest.DeadMail(t, s, "550 no")
	clock.Advance(23 * time.Hour)
	select {
	case <-s.Wake(store.KindVerifyMail):
	default:
	}
	if err := s.RetryDead(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	select {
	case <-s.Wake(store.KindVerifyMail):
	default:
		t.Error("the pool was not woken")
	}
	// Its sign-up would have ended an hour later; now it waits for the mail.
	clock.Advance(2 * time.Hour)
	j := claimed(t, s, 1, mailKinds()...)[0]
	if j.ID != job || j.Attempt != 2 || j.Tries() != 1 {
		t.Errorf("claimed %+v", j)
	}
	m, err := s.OutgoingMail(t.Context(), j)
	if err != nil || m.Obsolete || m.Token == "" {
		t.Fatalf("the mail is %+v, %v", m, err)
	}
	if err := s.FinishJob(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	if _, err := s.VerifyCode(t.Context(), signup, m.Code, ""); err != nil {
		t.Errorf("its code: %v", err)
	}
}

func TestADeadMailWhoseSignupIsOverSaysNothing(t *testing.T) {
	for name, over := range map[string]func(s *store.Store, clock *storetest.Clock, signup int64) error{
		"it has ended": func(_ *store.Store, clock *storetest.Clock, _ int64) error {
			clock.Advance(25 * time.Hour)
			return nil
		},
		"a newer mail replaced it": func(s *store.Store, _ *storetest.Clock, signup int64) error {
			_, err := s.Resend(t.Context(), store.Resend{SignupID: signup})
			return err
		},
		"another sign-up proved the address": func(s *store.Store, _ *storetest.Clock, signup int64) error {
			return s.Exec(t.Context(), `UPDATE signups SET state = 'superseded' WHERE id = $1`, signup)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, clock := ticking(t)
			signup, job := storetest.DeadMail(t, s, "550 no")
			if err := over(s, clock, signup); err != nil {
				t.Fatal(err)
			}
			if err := s.RetryDead(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			j := claimed(t, s, 1, mailKinds()...)[0]
			if m, err := s.OutgoingMail(t.Context(), j); j.ID != job || err != nil || !m.Obsolete {
				t.Errorf("job %d: %+v, %v", j.ID, m, err)
			}
		})
	}
}

// Its page stays as it was before the other sign-up won: nothing was sent.
func TestADeadMailThatFindsNothingToSayIsNotCalledSent(t *testing.T) {
	s := storetest.New(t)
	one := signUp(t, s, person("twice@example.com"))
	j := *claim(t, s)
	if err := s.KillJob(t.Context(), j, "550 no"); err != nil {
		t.Fatal(err)
	}
	rival := person("twice@example.com")
	rival.Nickname = "rival"
	two := signUp(t, s, rival)
	if _, err := s.VerifyCode(t.Context(), two, send(t, s).Code, ""); err != nil {
		t.Fatal(err)
	}
	if err := s.RetryDead(t.Context(), j.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.SkipJob(t.Context(), *claim(t, s), "nothing is left to do"); err != nil {
		t.Fatal(err)
	}
	if got := delivery(t, s, one); got != store.Failed {
		t.Errorf("delivery is %s", got)
	}
}

func TestOnlyDeadJobsAreTriedAgainOrDroppedAllOrNone(t *testing.T) {
	s := storetest.New(t)
	_, dead := storetest.DeadMail(t, s, "550 no")
	storetest.Signup(t, s)
	waiting, err := s.Jobs(t.Context(), store.JobQuery{State: store.Available, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, act := range map[string]func(...int64) error{
		"retry": func(ids ...int64) error { return s.RetryDead(t.Context(), ids...) },
		"drop":  func(ids ...int64) error { return s.DropDead(t.Context(), ids...) },
	} {
		var not *store.NotDeadError
		if err := act(dead, waiting.Jobs[0].ID); !errors.As(err, &not) || not.State != store.Available {
			t.Errorf("%s of a job that waits: %v", name, err)
		}
		if err := act(dead, 12345); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s of no job: %v", name, err)
		}
	}
	if got := states(t, s); got[store.Dead] != 1 || got[store.Available] != 1 {
		t.Errorf("jobs are %v", got)
	}
	if err := s.DropDead(t.Context(), dead, dead); err != nil {
		t.Errorf("the same id twice: %v", err)
	}
	if _, err := s.JobByID(t.Context(), dead); !errors.Is(err, store.ErrNotFound) || len(attempts(t, s, dead)) != 0 {
		t.Errorf("a dropped job: %v, history %v", err, attempts(t, s, dead))
	}
}

func TestOfTwoAdministratorsOneWins(t *testing.T) {
	s := storetest.New(t)
	for range 20 {
		_, dead := storetest.DeadMail(t, s, "550 no")
		var won, lost atomic.Int64
		var both sync.WaitGroup
		for i := range 4 {
			both.Go(func() {
				act := s.RetryDead
				if i%2 == 0 {
					act = s.DropDead
				}
				err := act(t.Context(), dead)
				_, not := errors.AsType[*store.NotDeadError](err)
				switch {
				case err == nil:
					won.Add(1)
				case not || errors.Is(err, store.ErrNotFound):
					lost.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		both.Wait()
		if won.Load() != 1 || lost.Load() != 3 {
			t.Fatalf("%d won, %d lost", won.Load(), lost.Load())
		}
		for _, j := range claimed(t, s, 10, mailKinds()...) {
			if err := s.FinishJob(t.Context(), j); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Readers whose day is over for so long that they are forgotten would count as
// new ones.
func TestViewsOfForgottenReadersAreNotCountedAgain(t *testing.T) {
	s, clock := ticking(t)
	post := storetest.Post(t, s, storetest.Member(t, s))
	bury := func() int64 {
		event, err := s.ViewEvent(t.Context(), post, 0, netip.MustParseAddr("192.0.2.1"), "Firefox")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.AddViews(t.Context(), []store.ViewEvent{event}); err != nil {
			t.Fatal(err)
		}
		j := claimed(t, s, 1, store.KindViews)[0]
		if err := s.KillJob(t.Context(), j, "no"); err != nil {
			t.Fatal(err)
		}
		return j.ID
	}
	old := bury()
	clock.Advance(24 * time.Hour)
	if err := s.RetryDead(t.Context(), old); err != nil {
		t.Fatalf("the readers of yesterday are kept: %v", err)
	}
	if err := s.KillJob(t.Context(), claimed(t, s, 1, store.KindViews)[0], "no"); err != nil {
		t.Fatal(err)
	}
	clock.Advance(24 * time.Hour)
	young := bury()
	if err := s.RetryDead(t.Context(), young, old); !errors.Is(err, store.ErrViewsForgotten) {
		t.Errorf("tried again: %v", err)
	}
	if n, err := s.RetryAllDead(t.Context()); n != 1 || err != nil {
		t.Errorf("tried %d again, %v", n, err)
	}
	if got := states(t, s); got[store.Dead] != 1 || got[store.Available] != 1 {
		t.Errorf("jobs are %v", got)
	}
	if err := s.DropDead(t.Context(), old); err != nil {
		t.Error(err)
	}
}

func TestAllDeadJobsAreTriedAgainOrDropped(t *testing.T) {
	s := storetest.New(t)
	const each = 700 // more than one transaction takes
	bury := func() {
		for _, kind := range []string{store.KindAccountMail, store.KindViews} {
			addJobs(t, s, each, kind, store.Available, time.Now().Add(-2*time.Hour))
			if _, err := s.KillUnknown(t.Context(), []string{"none"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	bury()
	if n, err := s.RetryAllDead(t.Context()); n != 2*each || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	if got := states(t, s); got[store.Available] != 2*each || got[store.Dead] != 0 {
		t.Errorf("jobs are %v", got)
	}
	bury()
	if n, err := s.DropAllDead(t.Context()); n != 4*each || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	if got := states(t, s); len(got) != 0 {
		t.Errorf("jobs are %v", got)
	}
}
