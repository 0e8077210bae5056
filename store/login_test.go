package store_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"madang/store"
	"madang/store/storetest"
)

func TestLogInTellsNothingAboutWhyItFails(t *testing.T) {
	s := storetest.New(t)
	member := storetest.Member(t, s)
	pending := signUp(t, s, person("pending@example.com"))
	for name, c := range map[string]struct {
		login store.Login
		want  error
	}{
		"member":                    {store.Login{Email: member.Email, Password: storetest.Password}, nil},
		"another case":              {store.Login{Email: strings.ToUpper(member.Email), Password: storetest.Password}, nil},
		"wrong password":            {store.Login{Email: member.Email, Password: "wrong password"}, store.ErrLogin},
		"unknown address":           {store.Login{Email: "nobody@example.com", Password: storetest.Password}, store.ErrLogin},
		"no address":                {store.Login{Password: storetest.Password}, store.ErrLogin},
		"no password":               {store.Login{Email: member.Email}, store.ErrLogin},
		"endless password":          {store.Login{Email: member.Email, Password: strings.Repeat("x", 1<<20)}, store.ErrLogin},
		"invalid UTF-8":             {store.Login{Email: "\xff@example.com", Password: "\xff\xfe\xfd\xfc12345"}, store.ErrLogin},
		"pending":                   {store.Login{Email: "pending@example.com", Password: storetest.Password}, nil},
		"pending, another password": {store.Login{Email: "pending@example.com", Password: "wrong password"}, store.ErrLogin},
	} {
		t.Run(name, func(t *testing.T) {
			in, err := s.Authenticate(t.Context(), c.login)
			if !errors.Is(err, c.want) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			if name == "pending" && in.SignupID != pending || strings.HasPrefix(name, "member") && in.User.ID != member.ID {
				t.Errorf("logged in as %+v", in)
			}
		})
	}
}

func TestNewestSignUpIsTheOneCompared(t *testing.T) {
	s := storetest.New(t)
	older, newer := person("a@example.com"), person("a@example.com")
	newer.Password = "the newer password"
	signUp(t, s, older)
	id := signUp(t, s, newer)
	if in, err := s.Authenticate(t.Context(), store.Login{Email: "a@example.com", Password: newer.Password}); err != nil || in.SignupID != id {
		t.Errorf("the newer: %+v, %v", in, err)
	}
	if _, err := s.Authenticate(t.Context(), store.Login{Email: "a@example.com", Password: older.Password}); !errors.Is(err, store.ErrLogin) {
		t.Errorf("the older: %v", err)
	}
}

func TestHashOfOtherParametersIsRenewedAtLogIn(t *testing.T) {
	s := storetest.New(t)
	member := storetest.Member(t, s)
	salt := []byte("0123456789abcdef")
	sum := argon2.IDKey([]byte(storetest.Password), salt, 2, 1024, 1, 32)
	old := fmt.Sprintf("$argon2id$v=19$m=1024,t=2,p=1$%s$%s",
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum))
	if err := s.Exec(t.Context(), `UPDATE users SET password_hash = $1`, old); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.Authenticate(t.Context(), store.Login{Email: member.Email, Password: storetest.Password}); err != nil {
			t.Fatal(err)
		}
		var hash string
		if err := s.Readers().QueryRowContext(t.Context(), `SELECT password_hash FROM users`).Scan(&hash); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(hash, "$argon2id$v=19$m=7168,t=5,p=1$") {
			t.Errorf("hash is %s", hash)
		}
	}
}

func TestLogInTellsNothingOfTheMemberBehindASignUp(t *testing.T) {
	s := storetest.New(t)
	member := storetest.Member(t, s)
	fresh, corrected := person(member.Email), person("typo@example.com")
	fresh.Nickname, fresh.Password, corrected.Password = "somebody-else", "the stranger's own", "the corrected one's"
	id := signUp(t, s, fresh)
	in, err := s.Authenticate(t.Context(), store.Login{Email: member.Email, Password: fresh.Password})
	if err != nil || in.SignupID != id || in.User.ID != 0 {
		t.Errorf("the sign-up's password: %+v, %v", in, err)
	}
	if in, err = s.Authenticate(t.Context(), store.Login{Email: member.Email, Password: storetest.Password}); err != nil || in.User.ID != member.ID {
		t.Errorf("the member's password: %+v, %v", in, err)
	}
	id = signUp(t, s, corrected)
	if err := s.CorrectEmail(t.Context(), store.Correction{SignupID: id, Email: member.Email}); err != nil {
		t.Fatal(err)
	}
	in, err = s.Authenticate(t.Context(), store.Login{Email: member.Email, Password: corrected.Password})
	if err != nil || in.SignupID != id {
		t.Errorf("a corrected sign-up's password: %+v, %v", in, err)
	}
	if in, err = s.Authenticate(t.Context(), store.Login{Email: member.Email, Password: storetest.Password}); err != nil || in.User.ID != member.ID {
		t.Errorf("the member's password beside it: %+v, %v", in, err)
	}
}

func TestTenFailuresOfAnAddressStopItForAWhile(t *testing.T) {
	s, clock := limited(t)
	member := storetest.Member(t, s)
	for _, email := range []string{member.Email, "nobody@example.com"} {
		for n := range 10 {
			if n == 5 { // a good login elsewhere clears nothing
				if err := logIn(t, s, member.Email, storetest.Password, "192.0.2.2"); email == member.Email && err != nil {
					t.Fatal(err)
				}
			}
			if err := logIn(t, s, email, "wrong password", "192.0.2.1"); !errors.Is(err, store.ErrLogin) {
				t.Fatalf("%s, try %d: %v", email, n+1, err)
			}
		}
		for range 3 { // a refused try does not count
			if err := logIn(t, s, strings.ToUpper(email), storetest.Password, "192.0.2.3"); wait(err) != time.Minute {
				t.Errorf("%s after ten failures: %v", email, err)
			}
		}
	}
	clock.Advance(time.Minute)
	if err := logIn(t, s, member.Email, storetest.Password, "192.0.2.1"); err != nil {
		t.Errorf("a minute later: %v", err)
	}
}

func TestHundredFailuresOfAClientStopItAndNobodyElse(t *testing.T) {
	s, _ := limited(t)
	member := storetest.Member(t, s)
	for n := range 100 {
		if err := logIn(t, s, fmt.Sprintf("person%d@example.com", n), "wrong password", "2001:db8::1"); !errors.Is(err, store.ErrLogin) {
			t.Fatalf("address %d: %v", n, err)
		}
	}
	if err := logIn(t, s, member.Email, storetest.Password, "2001:db8::2"); wait(err) != time.Minute {
		t.Errorf("from the same network: %v", err)
	}
	if err := logIn(t, s, member.Email, storetest.Password, "2001:db8:0:1::1"); err != nil {
		t.Errorf("from elsewhere: %v", err)
	}
}

func logIn(t *testing.T, s *store.Store, email, password, client string) error {
	t.Helper()
	_, err := s.Authenticate(t.Context(), store.Login{Email: email, Password: password, Client: netip.MustParseAddr(client)})
	return err
}

func TestEachLoginCostsOneHashWhoeverItIs(t *testing.T) {
	s := storetest.New(t)
	member, disabled, both := storetest.Member(t, s), storetest.Member(t, s), storetest.Member(t, s)
	if err := s.Exec(t.Context(), `UPDATE users SET disabled_at = 1 WHERE id = $1`, disabled.ID); err != nil {
		t.Fatal(err)
	}
	signUp(t, s, person("pending@example.com"))
	signUp(t, s, person("pending@example.com"))
	known := person(both.Email)
	known.Password = "another horse"
	signUp(t, s, known)
	if err := reset(t, s, storetest.ResetToken(t, s, both.Email)); err != nil {
		t.Fatal(err)
	}
	for _, email := range []string{member.Email, disabled.Email, both.Email, "pending@example.com", "nobody@example.com", "no address", ""} {
		for _, password := range []string{storetest.Password, newPassword, "another horse", "wrong password", "", strings.Repeat("x", 1<<20), "\xff"} {
			before := s.Hashes()
			if _, err := s.Authenticate(t.Context(), store.Login{Email: email, Password: password}); err != nil && !errors.Is(err, store.ErrLogin) {
				t.Fatal(err)
			}
			if n := s.Hashes() - before; n != 1 {
				t.Errorf("%q with %.20q costs %d hashes", email, password, n)
			}
		}
	}
}

// The stranger watches what a login at somebody's address costs, before and
// after that address is proven.
func TestHashesOfALoginDoNotTellThatANewerSignUpWasProven(t *testing.T) {
	s := storetest.New(t)
	watching := signUp(t, s, person("stranger@example.com"))
	send(t, s)
	waiting := signUp(t, s, person("owner@example.com"))
	code := send(t, s).Code
	correction := store.Correction{SignupID: watching, Email: "owner@example.com"}
	if err := s.CorrectEmail(t.Context(), correction); err != nil {
		t.Fatal(err)
	}
	cost := func() int64 {
		made := s.Hashes()
		if err := logIn(t, s, "owner@example.com", "wrong password", "192.0.2.1"); !errors.Is(err, store.ErrLogin) {
			t.Error(err)
		}
		return s.Hashes() - made
	}
	before := cost()
	if _, err := s.VerifyCode(t.Context(), waiting, code, ""); err != nil {
		t.Fatal(err)
	}
	if after := cost(); after != before {
		t.Errorf("a login costs %d hashes, and %d once the address is proven", before, after)
	}
}

func TestAThrottledLoginCostsNoHash(t *testing.T) {
	s, _ := limited(t)
	for range 101 {
		err := logIn(t, s, "a@example.com", "wrong password", "192.0.2.1")
		if !errors.Is(err, store.ErrLogin) && wait(err) == 0 {
			t.Fatal(err)
		}
	}
	if n := s.Hashes(); n != 10 {
		t.Errorf("101 tries cost %d hashes", n)
	}
}

func TestNothingInvalidIsHashed(t *testing.T) {
	s := storetest.New(t)
	before := s.Hashes()
	for _, change := range []func(*store.NewSignup){
		func(n *store.NewSignup) { n.Password = strings.Repeat("x1", 65) },
		func(n *store.NewSignup) { n.Password = strings.Repeat("x", 1<<20) },
		func(n *store.NewSignup) { n.Password = "password1" },
		func(n *store.NewSignup) { n.Email = "nonsense" },
		func(n *store.NewSignup) { n.Nickname = "" },
	} {
		n := person("a@example.com")
		change(&n)
		if _, err := s.SignUp(t.Context(), n); !errors.As(err, new(*store.InvalidError)) {
			t.Fatal(err)
		}
	}
	if s.Hashes() != before {
		t.Error("something was hashed")
	}
}
