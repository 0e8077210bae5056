package store_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// limited is a store with limits and a clock that stands still.
func limited(t *testing.T) (*store.Store, *storetest.Clock) {
	t.Helper()
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	return storetest.Open(t, store.Options{Now: clock.Now}), clock
}

func wait(err error) time.Duration {
	var soon *store.TooSoonError
	if !errors.As(err, &soon) {
		return 0
	}
	return soon.Wait
}

func TestResendReplacesLinkAndCode(t *testing.T) {
	s := storetest.New(t)
	id := signUp(t, s, person("a@example.com"))
	old := send(t, s)
	if _, err := s.Resend(t.Context(), store.Resend{SignupID: id}); err != nil {
		t.Fatal(err)
	}
	fresh := send(t, s)
	if old.Token == fresh.Token || old.MessageID == fresh.MessageID {
		t.Error("nothing new in the new mail")
	}
	if _, err := s.LookToken(t.Context(), old.Token); !errors.Is(err, store.ErrTokenReplaced) {
		t.Errorf("the old link: %v", err)
	}
	if err := byLink(s, id, fresh); err != nil {
		t.Errorf("the new link: %v", err)
	}
}

func TestResendWhileTheFirstMailWaitsSendsOne(t *testing.T) {
	s := storetest.New(t)
	id := signUp(t, s, person("a@example.com"))
	if _, err := s.Resend(t.Context(), store.Resend{SignupID: id}); err != nil {
		t.Fatal(err)
	}
	if m := send(t, s); !m.Obsolete {
		t.Errorf("the first mail goes out: %+v", m)
	}
	if m := send(t, s); m.Obsolete {
		t.Error("the second does not")
	}
}

func TestOfTwentyResendsAtOnceOneSends(t *testing.T) {
	s, clock := limited(t)
	id := signUp(t, s, person("a@example.com"))
	send(t, s)
	clock.Advance(time.Minute)
	var wg sync.WaitGroup
	var mu sync.Mutex
	var sent, refused int
	for range 20 {
		wg.Go(func() {
			_, err := s.Resend(context.WithoutCancel(t.Context()), store.Resend{SignupID: id, Client: netip.MustParseAddr("192.0.2.1")})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				sent++
			case wait(err) == time.Minute:
				refused++
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if sent != 1 || refused != 19 {
		t.Errorf("%d sent, %d refused", sent, refused)
	}
}

func TestResendFromOutsideTellsNothing(t *testing.T) {
	s, clock := limited(t)
	member := storetest.Member(t, s)
	signUp(t, s, person("pending@example.com"))
	send(t, s)
	clock.Advance(time.Hour)
	for address, gets := range map[string]string{member.Email: "a mail", "pending@example.com": "a link"} {
		for round := range 2 { // the second is inside the gap: no error, no mail
			if _, err := s.Resend(t.Context(), store.Resend{Email: address}); err != nil {
				t.Errorf("%s, round %d: %v", address, round, err)
			}
		}
		job := claim(t, s)
		if job == nil {
			t.Fatalf("%s has no job", address)
		}
		m, err := s.OutgoingMail(t.Context(), *job)
		if got := whatItIs(m, err); got != gets {
			t.Errorf("%s gets %s, want %s: %v", address, got, gets, err)
		}
		if err := s.FinishJob(t.Context(), *job); err != nil || claim(t, s) != nil {
			t.Errorf("%s got a mail too many, %v", address, err)
		}
	}
}

// Whoever asks from many clients for very many addresses leaves no work behind,
// and takes the turns of an address as if somebody had it.
func TestMailsToNobodyLeaveNothingToDo(t *testing.T) {
	clock := storetest.NewClock(noon())
	recorded := 0
	s := storetest.Open(t, store.Options{Now: clock.Now, Enqueued: func(string) { recorded++ }})
	for i := range 5 {
		address := fmt.Sprintf("nobody%d@example.com", i)
		from := netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})
		if _, err := s.Resend(t.Context(), store.Resend{Email: address, Client: from}); err != nil {
			t.Error(err)
		}
		clock.Advance(time.Minute)
		if err := s.AskReset(t.Context(), store.Forgotten{Email: address, Client: from}); err != nil {
			t.Error(err)
		}
	}
	for table, want := range map[string]int64{"jobs": 0, "resets": 0, "turns WHERE bucket = 'mail'": 10} {
		if n := count(t, s, `SELECT COUNT(*) FROM `+table); n != want {
			t.Errorf("%d rows of %s, want %d", n, table, want)
		}
	}
	if recorded != 0 {
		t.Errorf("%d jobs are counted that there are not", recorded)
	}
}

func whatItIs(m store.OutgoingMail, err error) string {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return "nothing"
	case m.Token != "":
		return "a link"
	}
	return "a mail"
}

func TestAddressTakesFiveTurnsAnHourAndTenADay(t *testing.T) {
	s, clock := limited(t)
	for hour, turns := range []int{5, 5, 0} {
		for turn := range turns {
			if _, err := s.SignUp(t.Context(), person("a@example.com")); err != nil {
				t.Fatalf("hour %d, turn %d: %v", hour, turn, err)
			}
			clock.Advance(time.Minute)
		}
		_, err := s.SignUp(t.Context(), person("a@example.com"))
		if wait(err) == 0 {
			t.Fatalf("hour %d: one too many: %v", hour, err)
		}
		clock.Advance(wait(err) - time.Millisecond)
		if _, again := s.SignUp(t.Context(), person("a@example.com")); wait(again) != time.Millisecond {
			t.Errorf("hour %d, a moment too soon: %v", hour, again)
		}
		clock.Advance(time.Millisecond)
		if hour == 1 {
			clock.Advance(time.Hour)
		}
	}
}

func TestSignUpInsideTheGapIsMailedWhenItEnds(t *testing.T) {
	s, clock := limited(t)
	signUp(t, s, person("a@example.com"))
	send(t, s)
	clock.Advance(20 * time.Second)
	id := signUp(t, s, person("a@example.com"))
	if claim(t, s) != nil {
		t.Error("mailed inside the gap")
	}
	if got := delivery(t, s, id); got != store.Queued {
		t.Errorf("delivery is %s", got)
	}
	next, err := s.NextJob(t.Context(), []string{store.KindVerifyMail})
	if err != nil || next.Sub(clock.Now()) != 40*time.Second {
		t.Errorf("due at %v, %v", next, err)
	}
	clock.Advance(40 * time.Second)
	send(t, s)
}

func TestMailRefusedForGoodGivesTheTurnBack(t *testing.T) {
	s, _ := limited(t)
	id := signUp(t, s, person("a@example.com"))
	if err := s.KillJob(t.Context(), *claim(t, s), "550 no such user"); err != nil {
		t.Fatal(err)
	}
	if got := delivery(t, s, id); got != store.Failed {
		t.Errorf("delivery is %s", got)
	}
	if _, err := s.Resend(t.Context(), store.Resend{SignupID: id}); err != nil {
		t.Errorf("resend at once: %v", err)
	}
	if got := delivery(t, s, id); got != store.Queued {
		t.Errorf("delivery is %s after the resend", got)
	}
}

func TestClientIsCountedApartFromItsAddresses(t *testing.T) {
	s, _ := limited(t)
	client := netip.MustParseAddr("2001:db8::1")
	neighbour := netip.MustParseAddr("2001:db8::ffff") // the same /64
	for i := range 20 {
		n := person(string(rune('a'+i)) + "x@example.com")
		n.Client = client
		signUp(t, s, n)
	}
	n := person("one-more@example.com")
	n.Client = neighbour
	release := s.HoldHashSlots() // for somebody who is refused nothing is hashed
	if _, err := s.SignUp(t.Context(), n); wait(err) != time.Hour {
		t.Errorf("the 21st: %v", err)
	}
	release()
	n.Client = netip.MustParseAddr("2001:db8:0:1::1")
	if _, err := s.SignUp(t.Context(), n); err != nil {
		t.Errorf("from elsewhere: %v", err)
	}
}

func TestResendTellsWhoseMailItIs(t *testing.T) {
	s := storetest.New(t)
	id := signUp(t, s, person("a@example.com"))
	for _, test := range []struct {
		asked store.Resend
		own   bool
	}{
		{store.Resend{SignupID: id}, true},
		{store.Resend{SignupID: id, Email: " A@Example.COM "}, true},
		{store.Resend{SignupID: id, Email: "b@example.com"}, false},
		{store.Resend{Email: "a@example.com"}, false},
		{store.Resend{SignupID: id + 1, Email: "a@example.com"}, false},
	} {
		if own, err := s.Resend(t.Context(), test.asked); err != nil || own != test.own {
			t.Errorf("%+v: own %v, %v", test.asked, own, err)
		}
	}
}
