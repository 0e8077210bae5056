package store_test

import (
	"errors"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// desired is the address that several people want to have in these tests.
const desired = "desired@example.com"

// loginCost is how many hashes a login with the desired address costs.
func loginCost(t *testing.T, s *store.Store) int64 {
	t.Helper()
	before := s.Hashes()
	_, err := s.Authenticate(t.Context(), store.Login{Email: desired, Password: "nobody's password"})
	if !errors.Is(err, store.ErrLogin) {
		t.Fatal(err)
	}
	return s.Hashes() - before
}

// strangers is the password of who signs up with an address of somebody else.
const strangers = "the stranger's own"

// stranger signs up, which costs one hash whoever has the address.
func stranger(t *testing.T, s *store.Store, email string) int64 {
	t.Helper()
	n := person(email)
	n.Nickname, n.Password = "stranger", strangers
	before := s.Hashes()
	id := signUp(t, s, n)
	if n := s.Hashes() - before; n != 1 {
		t.Errorf("a sign-up costs %d hashes", n)
	}
	return id
}

func correct(t *testing.T, s *store.Store, id int64) {
	t.Helper()
	if err := s.CorrectEmail(t.Context(), store.Correction{SignupID: id, Email: desired}); err != nil {
		t.Fatal(err)
	}
}

// proveCode proves a sign-up of which no mail was taken yet, whoever else waits
// for its address.
func proveCode(t *testing.T, s *store.Store, id int64) {
	t.Helper()
	su, err := s.SignupByID(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	m := takeMail(t, s, store.KindVerifyMail, su.Nickname)
	if _, err := s.VerifyCode(t.Context(), id, m.Code, ""); err != nil {
		t.Fatal(err)
	}
}

// takeMail hands the oldest mail that opens something for somebody over.
func takeMail(t *testing.T, s *store.Store, kind, nickname string) store.OutgoingMail {
	t.Helper()
	jobs, err := s.ClaimJobs(t.Context(), []string{kind}, 1000, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	var found store.OutgoingMail
	for _, j := range jobs {
		m, err := s.OutgoingMail(t.Context(), j)
		if err == nil && m.Token != "" && m.Nickname == nickname && found.Token == "" {
			found, err = m, s.FinishJob(t.Context(), j)
		} else if err == nil {
			err = s.ReleaseJob(t.Context(), j)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

// change asks for the desired address and returns what proves it.
func change(t *testing.T, s *store.Store, u store.User) (prove func()) {
	t.Helper()
	if _, err := s.ChangeEmail(t.Context(), reentry(u, storetest.Password), desired); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		m := takeMail(t, s, store.KindEmailMail, u.Nickname)
		if _, err := s.ProveEmail(t.Context(), u.ID, m.Token); err != nil {
			t.Fatal(err)
		}
	}
}

// sendAll hands all mails of sign-ups over, so that these end in time.
func sendAll(t *testing.T, s *store.Store) {
	t.Helper()
	jobs, err := s.ClaimJobs(t.Context(), []string{store.KindVerifyMail}, 1000, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs {
		if err := s.FinishJob(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
}

// oldSalt gives the passwords of an address the salt of another.
func oldSalt(t *testing.T, s *store.Store, email string) {
	t.Helper()
	other := storetest.Member(t, s)
	for _, table := range []string{"users", "signups"} {
		exec(t, s, `UPDATE `+table+` SET password_hash = (SELECT password_hash FROM users WHERE id = $1)
			WHERE email_key = $2 AND password_hash <> ''`, other.ID, email)
	}
}

func leave(t *testing.T, s *store.Store, email string) {
	t.Helper()
	in, err := s.Authenticate(t.Context(), store.Login{Email: email, Password: storetest.Password})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteAccount(t.Context(), reentry(in.User, storetest.Password)); err != nil {
		t.Fatal(err)
	}
}

// A stranger who signs up with an address, and logs in there now and then,
// learns nothing of who has proven it meanwhile.
func TestALoginCostsTheSameWhetherTheAddressIsProvenOrNot(t *testing.T) {
	for _, c := range rivalries() {
		for _, proven := range []string{"unproven", "proven"} {
			t.Run(c.name+", "+proven, func(t *testing.T) {
				clock := storetest.NewClock(noon())
				s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
				prove := c.begin(t, s)
				wantCost(t, s, "before", c.costs)
				if proven == "proven" {
					prove()
				}
				wantCost(t, s, "after", c.costs)
				stranger(t, s, desired)
				wantCost(t, s, "beside a sign-up from now", c.costs)
				sendAll(t, s)
				clock.Advance(29 * 24 * time.Hour)
				stranger(t, s, desired)
				wantCost(t, s, "weeks later", c.costs)
				sendAll(t, s)
				clock.Advance(2 * 24 * time.Hour)
				clean(t, s)
				stranger(t, s, desired)
				wantCost(t, s, "when corrections are forgotten", 1)
			})
		}
	}
}

func wantCost(t *testing.T, s *store.Store, when string, want int64) {
	t.Helper()
	if got := loginCost(t, s); got != want {
		t.Errorf("%s a login costs %d hashes, want %d", when, got, want)
	}
}

func TestASignUpGetsNoMailsForEver(t *testing.T) {
	clock := storetest.NewClock(noon())
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	id := stranger(t, s, desired)
	for day := range 9 {
		sendAll(t, s)
		_, err := s.Resend(t.Context(), store.Resend{SignupID: id, Client: client()})
		if day < 8 && err != nil || day == 8 && !errors.Is(err, store.ErrNotFound) {
			t.Fatalf("another mail on day %d: %v", day, err)
		}
		clock.Advance(24*time.Hour - time.Second*9)
	}
}
