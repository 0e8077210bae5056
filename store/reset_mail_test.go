package store_test

import (
	"errors"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestForgottenPasswordIsMailedToMembersOnly(t *testing.T) {
	s := storetest.New(t)
	member, disabled := storetest.Member(t, s), storetest.Member(t, s)
	if err := s.Exec(t.Context(), `UPDATE users SET disabled_at = 1 WHERE id = $1`, disabled.ID); err != nil {
		t.Fatal(err)
	}
	pending := signUp(t, s, person("pending@example.com"))
	first := send(t, s)
	for email, want := range map[string]int{member.Email: 1, disabled.Email: 0, "nobody@example.com": 0, "pending@example.com": 0} {
		storetest.AskReset(t, s, email)
		if got := len(storetest.ResetMails(t, s, email)); got != want {
			t.Errorf("%s gets %d links, want %d", email, got, want)
		}
	}
	again := send(t, s)
	if _, err := s.LookToken(t.Context(), first.Token); !errors.Is(err, store.ErrTokenReplaced) || again.Code == "" {
		t.Errorf("whoever is not verified gets %+v, and the old link is %v", again, err)
	}
	if err := byLink(s, pending, again); err != nil {
		t.Errorf("the verification mail: %v", err)
	}
}

func TestAskingForANewPasswordChangesNothing(t *testing.T) {
	s, _ := limited(t)
	u := storetest.Member(t, s)
	hash := func() (h string) {
		if err := s.Readers().QueryRowContext(t.Context(), `SELECT password_hash FROM users`).Scan(&h); err != nil {
			t.Fatal(err)
		}
		return h
	}
	before := hash()
	for range 100 {
		err := s.AskReset(t.Context(), store.Forgotten{Email: u.Email, Client: client()})
		if err != nil && wait(err) == 0 {
			t.Fatal(err)
		}
	}
	if hash() != before || !canLogIn(t, s, u, storetest.Password) {
		t.Error("the password is another")
	}
	if mails := claimed(t, s, 1000, store.KindResetMail); len(mails) > 1 {
		t.Errorf("%d mails within a moment", len(mails))
	}
}

func TestForgottenPasswordsTakeTheTurnsOfTheirAddress(t *testing.T) {
	for email, mails := range map[string]int{"nobody@example.com": 0, "known@example.com": 5} {
		s, clock := limited(t)
		if email == "known@example.com" {
			id := signUp(t, s, person(email))
			if _, err := s.VerifyCode(t.Context(), id, send(t, s).Code, ""); err != nil {
				t.Fatal(err)
			}
			clock.Advance(25 * time.Hour)
		}
		for n := range 5 {
			for range min(2, 5-n) { // the second within the gap is taken, and no mail
				if err := s.AskReset(t.Context(), store.Forgotten{Email: email, Client: client()}); err != nil {
					t.Fatalf("%s, ask %d: %v", email, n, err)
				}
			}
			clock.Advance(time.Minute)
		}
		err := s.AskReset(t.Context(), store.Forgotten{Email: email, Client: client()})
		if wait(err) != 55*time.Minute {
			t.Errorf("%s, the sixth within the hour: %v", email, err)
		}
		if jobs := claimed(t, s, 100, store.KindResetMail); len(jobs) != mails {
			t.Errorf("%s: %d jobs", email, len(jobs))
		}
	}
}

func TestARefusedResetMailGivesTheTurnBackAndEndsItsLink(t *testing.T) {
	s, clock := limited(t)
	u := storetest.Member(t, s)
	clock.Advance(time.Hour)
	storetest.AskReset(t, s, u.Email)
	j := claimed(t, s, 1, store.KindResetMail)[0]
	m, err := s.OutgoingMail(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.KillJob(t.Context(), j, "550 no"); err != nil {
		t.Fatal(err)
	}
	storetest.AskReset(t, s, u.Email)
	if jobs := claimed(t, s, 1, store.KindResetMail); len(jobs) != 1 {
		t.Error("no turn was given back")
	}
	clock.Advance(time.Hour)
	if _, err := s.LookReset(t.Context(), m.Token); !errors.Is(err, store.ErrTokenReplaced) {
		t.Errorf("the link: %v", err)
	}
}
