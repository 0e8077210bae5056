package store_test

import (
	"errors"
	"strings"
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

func TestKnownAddressGoesTheSameWayAndGetsTheOtherMail(t *testing.T) {
	s := storetest.New(t)
	member := storetest.Member(t, s)
	n := person("x@example.com")
	n.Email = strings.ToUpper(member.Email)
	id := signUp(t, s, n)
	m := send(t, s)
	if m.Token != "" || m.Code != "" || m.To != strings.ToUpper(member.Email[:len(member.Email)-len("example.com")])+"example.com" {
		t.Errorf("mail is %+v", m)
	}
	if got := delivery(t, s, id); got != store.Sent {
		t.Errorf("delivery is %s", got)
	}
	if _, err := s.VerifyCode(t.Context(), id, "123456", ""); !errors.Is(err, store.ErrCodeWrong) {
		t.Errorf("a code: %v", err)
	}
	if err := s.CorrectEmail(t.Context(), store.Correction{SignupID: id, Email: "fresh@example.com"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.VerifyCode(t.Context(), id, send(t, s).Code, ""); err != nil {
		t.Errorf("under the corrected address: %v", err)
	}
}

func TestSecondMailOfAJobNeverSaysAnotherThing(t *testing.T) {
	s := storetest.New(t)
	first, second := person("a@example.com"), person("a@example.com")
	first.Nickname, second.Nickname = "first", "second"
	signUp(t, s, first)
	j := claim(t, s) // handed over, and then the process dies
	if m, err := s.OutgoingMail(t.Context(), *j); err != nil || m.Token == "" {
		t.Fatalf("first attempt: %+v, %v", m, err)
	}
	two := signUp(t, s, second)
	if _, err := s.VerifyCode(t.Context(), two, send(t, s).Code, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.TakeBack(t.Context()); err != nil {
		t.Fatal(err)
	}
	j = claim(t, s)
	if m, err := s.OutgoingMail(t.Context(), *j); err != nil || !m.Obsolete || j.Attempt != 2 {
		t.Errorf("attempt %d: %+v, %v", j.Attempt, m, err)
	}
}
