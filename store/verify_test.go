package store_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestLinkAndCodeLiveFromTheHandOver(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	begin := func(t *testing.T) (*store.Store, int64, store.OutgoingMail) {
		s := storetest.Open(t, store.Options{Now: clock.Now, NoLimits: true})
		id := signUp(t, s, person("a@example.com"))
		clock.Advance(30 * time.Hour) // the mail server was away: both stay good
		return s, id, send(t, s)
	}
	for _, c := range []struct {
		name    string
		advance time.Duration
		prove   func(*store.Store, int64, store.OutgoingMail) error
		want    error
	}{
		{"code a second before", 10*time.Minute - time.Second, byCode, nil},
		{"code at its end", 10 * time.Minute, byCode, store.ErrCodeDead},
		{"link a second before", 24*time.Hour - time.Second, byLink, nil},
		{"link at its end", 24 * time.Hour, byLink, store.ErrTokenExpired},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, id, m := begin(t)
			clock.Advance(c.advance)
			if err := c.prove(s, id, m); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func byCode(s *store.Store, id int64, m store.OutgoingMail) error {
	_, err := s.VerifyCode(context.Background(), id, m.Code, "")
	return err
}

func byLink(s *store.Store, id int64, m store.OutgoingMail) error {
	_, err := s.VerifyLink(context.Background(), store.Proof{Token: m.Token, SignupID: id})
	return err
}

func TestLinkIsUsedOnceHoweverManyPress(t *testing.T) {
	s := storetest.New(t)
	id := signUp(t, s, person("a@example.com"))
	m := send(t, s)
	for range 3 {
		if _, err := s.LookToken(t.Context(), m.Token); err != nil {
			t.Fatalf("looking changes nothing, but: %v", err)
		}
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var won int
	for range 50 {
		wg.Go(func() {
			err := byLink(s, id, m)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				won++
			case !errors.Is(err, store.ErrAlreadyVerified):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if won != 1 {
		t.Errorf("%d presses made a member", won)
	}
	if _, err := s.VerifyCode(t.Context(), id, m.Code, ""); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the code after the link: %v", err)
	}
}

func TestOtherBrowserNeedsThePasswordOfThatSignUp(t *testing.T) {
	s := storetest.New(t)
	signUp(t, s, person("a@example.com"))
	m := send(t, s)
	press := func(password string) error {
		_, err := s.VerifyLink(t.Context(), store.Proof{Token: m.Token, Password: password})
		return err
	}
	if err := press(""); !errors.Is(err, store.ErrPasswordNeeded) {
		t.Errorf("without: %v", err)
	}
	for try := range 10 {
		if su, err := s.LookToken(t.Context(), m.Token); err != nil || su.Locked {
			t.Errorf("locked before try %d: %v, %v", try+1, su.Locked, err)
		}
		if err := press("wrong password"); !errors.Is(err, store.ErrPasswordWrong) {
			t.Errorf("try %d: %v", try+1, err)
		}
	}
	if err := press(storetest.Password); !errors.Is(err, store.ErrLinkLocked) {
		t.Errorf("after ten wrong: %v", err)
	}
	if su, err := s.LookToken(t.Context(), m.Token); err != nil || !su.Locked {
		t.Errorf("locked: %v, %v", su.Locked, err)
	}
}

func TestRightPasswordFromAnotherBrowserVerifies(t *testing.T) {
	s := storetest.New(t)
	signUp(t, s, person("a@example.com"))
	m := send(t, s)
	u, err := s.VerifyLink(t.Context(), store.Proof{Token: m.Token, Password: storetest.Password, SignupID: 999})
	if err != nil || u.Email != "a@example.com" || u.Role != store.Member {
		t.Errorf("%+v, %v", u, err)
	}
}

func TestClashFromAnotherBrowserCostsNoTry(t *testing.T) {
	s := storetest.New(t)
	a, b := person("a@example.com"), person("b@example.com")
	a.Nickname, b.Nickname = "같은이름", "같은이름"
	idA := signUp(t, s, a)
	signUp(t, s, b)
	if err := byCode(s, idA, send(t, s)); err != nil {
		t.Fatal(err)
	}
	m := send(t, s)
	for range 12 { // more than there are tries
		_, err := s.VerifyLink(t.Context(), store.Proof{Token: m.Token, Password: storetest.Password})
		if _, ok := errors.AsType[*store.InvalidError](err); !ok {
			t.Fatalf("clash: %v", err)
		}
	}
	_, err := s.VerifyLink(t.Context(), store.Proof{Token: m.Token, Password: storetest.Password, Nickname: "다른이름"})
	if err != nil {
		t.Error(err)
	}
}

// Each of them was counted before it waited for a hash slot.
func TestReadersWhoGoAwayLeaveTheLinkItsTries(t *testing.T) {
	s := storetest.New(t)
	signUp(t, s, person("a@example.com"))
	m := send(t, s)
	release := s.HoldHashSlots()
	for range 12 { // more than there are tries
		before := passwordTries(t, s)
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() {
			_, err := s.VerifyLink(ctx, store.Proof{Token: m.Token, Password: storetest.Password})
			left <- err
		}()
		for passwordTries(t, s) == before && len(left) == 0 {
		}
		leave()
		if err := <-left; err == nil || errors.Is(err, store.ErrLinkLocked) {
			t.Fatalf("gone away: %v", err)
		}
	}
	release()
	if _, err := s.VerifyLink(t.Context(), store.Proof{Token: m.Token, Password: storetest.Password}); err != nil {
		t.Error(err)
	}
}

func passwordTries(t *testing.T, s *store.Store) (tries int) {
	t.Helper()
	if err := s.Readers().QueryRowContext(t.Context(), `SELECT SUM(password_tries) FROM signup_links`).Scan(&tries); err != nil {
		t.Fatal(err)
	}
	return tries
}

func TestForgedTokensAreTold(t *testing.T) {
	s := storetest.New(t)
	signUp(t, s, person("a@example.com"))
	token := send(t, s).Token
	flip := func(i int) string {
		c := byte('A')
		if token[i] == c {
			c = 'B'
		}
		return token[:i] + string(c) + token[i+1:]
	}
	forged := []string{"", "garbage", token[:20], token + "A", token + "=", strings.Repeat("x", 5000), "가나다", "\xff\xfe", "a\x00b", " " + token}
	for i := range token {
		forged = append(forged, flip(i))
	}
	for _, f := range forged {
		if _, err := s.LookToken(t.Context(), f); !errors.Is(err, store.ErrTokenForged) {
			t.Errorf("%.60q: %v", f, err)
		}
	}
}
