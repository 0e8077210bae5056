package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// person is a sign-up that nothing is wrong with.
func person(email string) store.NewSignup {
	return store.NewSignup{
		Email: email, Name: "홍길동", Nickname: "길동" + strings.SplitN(email, "@", 2)[0],
		Password: storetest.Password, Lang: "ko", Client: netip.MustParseAddr("192.0.2.7"),
	}
}

func signUp(t *testing.T, s *store.Store, n store.NewSignup) int64 {
	t.Helper()
	id, err := s.SignUp(t.Context(), n)
	if err != nil {
		t.Fatalf("sign up %s: %v", n.Email, err)
	}
	return id
}

// claim takes one waiting mail job, nil when there is none.
func claim(t *testing.T, s *store.Store) *store.Job {
	t.Helper()
	jobs, err := s.ClaimJobs(t.Context(), []string{store.KindVerifyMail, store.KindAccountMail}, 1, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if len(jobs) == 0 {
		return nil
	}
	return &jobs[0]
}

// send does what the mail worker does with the oldest waiting mail.
func send(t *testing.T, s *store.Store) store.OutgoingMail {
	t.Helper()
	j := claim(t, s)
	if j == nil {
		t.Fatal("no mail waits")
	}
	m, err := s.OutgoingMail(t.Context(), *j)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.FinishJob(t.Context(), *j); err != nil {
		t.Fatal(err)
	}
	return m
}

func delivery(t *testing.T, s *store.Store, id int64) store.Delivery {
	t.Helper()
	su, err := s.SignupByID(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return su.Delivery
}

func TestSignUpWaitsWithItsMailUntilItIsSent(t *testing.T) {
	s := storetest.New(t)
	id := signUp(t, s, person("a@example.com"))
	if got := delivery(t, s, id); got != store.Queued {
		t.Errorf("delivery is %s, want queued", got)
	}
	j := claim(t, s)
	if got := delivery(t, s, id); got != store.Sending {
		t.Errorf("delivery is %s, want sending", got)
	}
	m, err := s.OutgoingMail(t.Context(), *j)
	if err != nil {
		t.Fatal(err)
	}
	if m.To != "a@example.com" || m.Lang != "ko" || len(m.Token) != 48 || len(m.Code) != 6 {
		t.Errorf("mail is %+v", m)
	}
	if err := s.FinishJob(t.Context(), *j); err != nil {
		t.Fatal(err)
	}
	if got := delivery(t, s, id); got != store.Sent {
		t.Errorf("delivery is %s, want sent", got)
	}
}

func TestSignUpRefusesEachFieldWithItsProblem(t *testing.T) {
	s := storetest.New(t)
	taken := storetest.Member(t, s)
	for _, c := range []struct {
		name   string
		change func(*store.NewSignup)
		want   map[string]store.Problem
	}{
		{"nothing at all", func(n *store.NewSignup) { *n = store.NewSignup{} }, map[string]store.Problem{
			"email": store.Missing, "name": store.Missing, "nickname": store.Missing, "password": store.Missing,
		}},
		{"quoted local part", func(n *store.NewSignup) { n.Email = `"a@b> <evil@x"@y.example` }, one("email", store.Malformed)},
		{"display name", func(n *store.NewSignup) { n.Email = "A <a@b.example>" }, one("email", store.Malformed)},
		{"line feed in the nickname", func(n *store.NewSignup) { n.Nickname = "a\r\nBcc: x" }, one("nickname", store.Malformed)},
		{"nickname like an address", func(n *store.NewSignup) { n.Nickname = "evil.test/login" }, one("nickname", store.Malformed)},
		{"nickname of a member", func(n *store.NewSignup) { n.Nickname = strings.ToUpper(taken.Nickname) }, one("nickname", store.Taken)},
		{"zero-width in the name", func(n *store.NewSignup) { n.Name = "홍\u200b길동" }, one("name", store.Malformed)},
		{"short password", func(n *store.NewSignup) { n.Password = "1234567" }, one("password", store.TooShort)},
		{"long password", func(n *store.NewSignup) { n.Password = strings.Repeat("가", 129) }, one("password", store.TooLong)},
		{"invalid UTF-8", func(n *store.NewSignup) { n.Password = "\xff\xfe345678" }, one("password", store.Malformed)},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := person("a@example.com")
			c.change(&n)
			_, err := s.SignUp(t.Context(), n)
			var invalid *store.InvalidError
			if !errors.As(err, &invalid) {
				t.Fatalf("got %v, want an InvalidError", err)
			}
			if diff := cmp.Diff(c.want, invalid.Fields); diff != "" {
				t.Error(diff)
			}
		})
	}
	if claim(t, s) != nil {
		t.Error("a refused sign-up left a job")
	}
}

func one(field string, p store.Problem) map[string]store.Problem {
	return map[string]store.Problem{field: p}
}

func TestFirstProofOfAnAddressWins(t *testing.T) {
	s := storetest.New(t)
	first, second := person("a@example.com"), person("A@EXAMPLE.com")
	first.Nickname, second.Nickname = "first", "second"
	one, two := signUp(t, s, first), signUp(t, s, second)
	mailOne, mailTwo := send(t, s), send(t, s)
	u, err := s.VerifyCode(t.Context(), two, mailTwo.Code, "")
	if err != nil || u.Nickname != "second" {
		t.Fatalf("verify: %+v, %v", u, err)
	}
	if _, err := s.SignupByID(t.Context(), one); err != nil {
		t.Errorf("the other's pending page: %v", err)
	}
	if _, err := s.VerifyCode(t.Context(), one, mailOne.Code, ""); !errors.Is(err, store.ErrCodeWrong) {
		t.Errorf("the other's code: %v", err)
	}
	if _, err := s.LookToken(t.Context(), mailOne.Token); !errors.Is(err, store.ErrAlreadyVerified) {
		t.Errorf("the other's link: %v", err)
	}
}

func TestManySignUpsOfOneAddressMakeOneMember(t *testing.T) {
	s := storetest.New(t)
	const people = 20
	codes := map[int64]string{}
	for i := range people {
		n := person("a@example.com")
		n.Nickname = "nick" + string(rune('a'+i))
		codes[signUp(t, s, n)] = send(t, s).Code
	}
	var won, lost int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for id, code := range codes {
		wg.Go(func() {
			_, err := s.VerifyCode(context.WithoutCancel(t.Context()), id, code, "")
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				won++
			case errors.Is(err, store.ErrCodeWrong):
				lost++
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if won != 1 || lost != people-1 {
		t.Errorf("%d won and %d lost", won, lost)
	}
}

func TestNicknameClashConsumesNothing(t *testing.T) {
	s := storetest.New(t)
	a, b := person("a@example.com"), person("b@example.com")
	a.Nickname, b.Nickname = "같은이름", "같은이름"
	idA, idB := signUp(t, s, a), signUp(t, s, b)
	codeA, codeB := send(t, s).Code, send(t, s).Code
	if _, err := s.VerifyCode(t.Context(), idA, codeA, ""); err != nil {
		t.Fatal(err)
	}
	for range 7 { // more than there are tries
		_, err := s.VerifyCode(t.Context(), idB, codeB, "")
		var invalid *store.InvalidError
		if !errors.As(err, &invalid) || invalid.Fields["nickname"] != store.Taken {
			t.Fatalf("clash: %v", err)
		}
	}
	u, err := s.VerifyCode(t.Context(), idB, codeB, "다른이름")
	if err != nil || u.Nickname != "다른이름" {
		t.Errorf("with another nickname: %+v, %v", u, err)
	}
}

func TestNothingOfALinkStandsInTheDatabase(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(t.Context(), store.Options{Database: filepath.Join(dir, store.FileName), NoLimits: true})
	if err != nil {
		t.Fatal(err)
	}
	signUp(t, s, person("a@example.com"))
	m := send(t, s)
	secrets := [][]byte{[]byte(m.Code), []byte(storetest.Password)}
	for _, token := range []string{m.Token, storetest.ResetToken(t, s, storetest.Member(t, s).Email)} {
		raw, err := base64.RawURLEncoding.DecodeString(token)
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, []byte(token), raw[len(raw)-16:])
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	files := readAll(t, dir)
	for _, secret := range secrets {
		if bytes.Contains(files, secret) {
			t.Errorf("%q stands in the database", secret)
		}
	}
	if !bytes.Contains(files, []byte("a@example.com")) {
		t.Error("the search finds nothing at all")
	}
}

// readAll reads the files of a directory one after the other.
func readAll(t *testing.T, dir string) (all []byte) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, content...)
	}
	return all
}

func TestReusedIDsNeverRepeatTokens(t *testing.T) {
	path := filepath.Join(t.TempDir(), store.FileName)
	key := store.Key{1, 2, 3}
	mail := func() store.OutgoingMail {
		s, err := store.Open(t.Context(), store.Options{Database: path, Key: key, NoLimits: true})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		signUp(t, s, person("a@example.com"))
		return send(t, s)
	}
	first := mail()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), `DELETE FROM signups; DELETE FROM signup_links; DELETE FROM jobs; DELETE FROM sqlite_sequence`)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	second := mail()
	if first.Token == second.Token || first.Code == second.Code {
		t.Errorf("the same again: %+v and %+v", first, second)
	}
}
