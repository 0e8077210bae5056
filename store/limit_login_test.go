package store_test

import (
	"errors"
	"net/netip"
	"path/filepath"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// An attacker who tries as often as the site lets them.
func TestEachFurtherFailureDoublesTheWait(t *testing.T) {
	s, clock := limited(t)
	var waits []time.Duration
	fail := func() error { return logIn(t, s, "a@example.com", "wrong password", "192.0.2.1") }
	for len(waits) < 7 {
		if err := fail(); !errors.Is(err, store.ErrLogin) {
			waits = append(waits, wait(err))
			clock.Advance(wait(err))
		}
	}
	for i, want := range []time.Duration{1, 2, 4, 8, 15, 15, 15} {
		if waits[i] != want*time.Minute {
			t.Errorf("wait %d is %s, want %d minutes", i+1, waits[i], want)
		}
	}
}

func TestOneAccountIsNeverTriedAHundredTimesAnHour(t *testing.T) {
	s, clock := limited(t)
	var tries []time.Time
	for begin := clock.Now(); clock.Now().Sub(begin) < 6*time.Hour; {
		switch err := logIn(t, s, "a@example.com", "wrong password", "192.0.2.1"); {
		case errors.Is(err, store.ErrLogin):
			tries = append(tries, clock.Now())
		case wait(err) > 0:
			clock.Advance(wait(err))
		default:
			t.Fatal(err)
		}
	}
	most := 0
	for i := range tries {
		for j := i; j < len(tries) && tries[j].Sub(tries[i]) < time.Hour; j++ {
			most = max(most, j-i+1)
		}
	}
	t.Logf("%d tries in six hours, at most %d in one", len(tries), most)
	if most > 100 || most < 10 {
		t.Errorf("%d tries in an hour", most)
	}
}

func TestFailuresAreNotForgottenByARestart(t *testing.T) {
	if storetest.OnPostgres() {
		t.Skip("two openings of one file; on a server nothing is kept in the process either")
	}
	path := filepath.Join(t.TempDir(), store.FileName)
	open := func() *store.Store {
		s, err := store.Open(t.Context(), store.Options{Database: path, Key: store.Key{1}})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	for range 9 {
		if err := logIn(t, s, "a@example.com", "wrong password", "192.0.2.1"); !errors.Is(err, store.ErrLogin) {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open()
	defer func() { _ = s.Close() }()
	if err := logIn(t, s, "a@example.com", "wrong password", "192.0.2.1"); !errors.Is(err, store.ErrLogin) {
		t.Fatal(err)
	}
	if err := logIn(t, s, "a@example.com", "wrong password", "192.0.2.1"); wait(err) == 0 {
		t.Errorf("the eleventh try: %v", err)
	}
}

func TestGoodLoginBetweenGuessesClearsNoFailuresOfTheClient(t *testing.T) {
	s, _ := limited(t)
	own := storetest.Member(t, s)
	for n := range 100 {
		victim := "victim" + string(rune('a'+n/10)) + "@example.com"
		if err := logIn(t, s, victim, "wrong password", "192.0.2.1"); !errors.Is(err, store.ErrLogin) {
			t.Fatalf("guess %d: %v", n, err)
		}
		if n%10 == 5 {
			if err := logIn(t, s, own.Email, storetest.Password, "192.0.2.1"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := logIn(t, s, own.Email, storetest.Password, "192.0.2.1"); wait(err) == 0 {
		t.Errorf("after a hundred guesses: %v", err)
	}
}

func TestColleagueOfSomebodyForgetfulMayLogIn(t *testing.T) {
	s, _ := limited(t)
	forgetful, colleague := storetest.Member(t, s), storetest.Member(t, s)
	for range 10 {
		if err := logIn(t, s, forgetful.Email, "wrong password", "192.0.2.1"); !errors.Is(err, store.ErrLogin) {
			t.Fatal(err)
		}
	}
	if err := logIn(t, s, colleague.Email, storetest.Password, "192.0.2.1"); err != nil {
		t.Error(err)
	}
}

func TestNobodyIsKeptFromThePasswordThatTheyHaveJustSet(t *testing.T) {
	s, _ := limited(t)
	owner, other := storetest.Member(t, s), storetest.Member(t, s)
	for range 10 {
		for _, u := range []store.User{owner, other} {
			if err := logIn(t, s, u.Email, "wrong password", "192.0.2.1"); !errors.Is(err, store.ErrLogin) {
				t.Fatal(err)
			}
		}
	}
	afterReset := func(u store.User, password string) error {
		_, err := s.Authenticate(t.Context(), store.Login{Email: u.Email, Password: password, Reset: owner.ID})
		return err
	}
	if err := afterReset(other, storetest.Password); wait(err) == 0 {
		t.Errorf("the account of somebody else: %v", err)
	}
	if err := afterReset(owner, storetest.Password); err != nil {
		t.Errorf("the own account: %v", err)
	}
	for range 10 {
		if err := afterReset(owner, "wrong password"); !errors.Is(err, store.ErrLogin) {
			t.Fatal(err)
		}
	}
	if err := afterReset(owner, storetest.Password); wait(err) == 0 {
		t.Errorf("after ten guesses: %v", err)
	}
}

// Whoever tries a hundred thousand addresses leaves rows for a day, and nothing
// in memory: what a try reads is bounded.
func TestAddressesThatWereTriedAreForgottenAfterADay(t *testing.T) {
	s, clock := limited(t)
	for n := range 50 {
		from := netip.AddrFrom4([4]byte{198, 51, 100, byte(n)}).String()
		if err := logIn(t, s, "a"+from+"@example.com", "wrong password", from); !errors.Is(err, store.ErrLogin) {
			t.Fatal(err)
		}
	}
	clock.Advance(26 * time.Hour)
	cleaned, err := s.Cleanup(t.Context())
	if err != nil || cleaned["turns"] != 100 {
		t.Errorf("cleaned %v, %v", cleaned, err)
	}
}
