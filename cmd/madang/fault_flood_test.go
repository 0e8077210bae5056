package main

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// behindProxy lets the test be the proxy of the board, which tells it where
// each request comes from.
func behindProxy(t *testing.T) *site {
	t.Helper()
	return newSite(t, "--rate-limits", "on", "--trusted-proxies", "127.0.0.1")
}

// forwarded passes requests on as a proxy does.
type forwarded struct {
	from netip.Addr
	*http.Transport
}

// RoundTrip implements http.RoundTripper.
func (f forwarded) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Forwarded-For", f.from.String())
	return f.Transport.RoundTrip(r)
}

// from is a browser at an address of its own, the one with this number.
func (s *site) from(i int) *client {
	c := newClient(s, fmt.Sprint("visitor ", i))
	address := netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
	c.http.Transport = forwarded{address, &http.Transport{MaxIdleConnsPerHost: 1}}
	return c
}

func wantOnly(t *testing.T, what string, got map[string]int, allowed ...string) {
	t.Helper()
	for answer, times := range got {
		if !slices.Contains(allowed, answer) {
			t.Errorf("%s is answered %d times with %q", what, times, answer)
		}
	}
}

// mixedCase writes an address in another way each time.
func mixedCase(address string, i int) string {
	letters := []byte(address)
	for at := range letters {
		if i>>(at%8)&1 == 1 {
			letters[at] = strings.ToUpper(address)[at]
		}
	}
	return string(letters)
}

// TestFaultFloodOfOneAddress: many sign up with one address, from everywhere at
// once. Its owner gets few mails, and one member comes of it.
func TestFaultFloodOfOneAddress(t *testing.T) {
	s := behindProxy(t)
	s.start()
	n := rounds(t, 150, 1000)
	crowd := make([]*client, n)
	for i := range crowd {
		crowd[i] = s.from(i)
		defer crowd[i].close()
	}
	got := atOnce(t, n, func(i int) (reply, error) {
		return crowd[i].post(t.Context(), "/auth/signup", "email", mixedCase("flooded@example.com", i),
			"name", "Name", "nickname", fmt.Sprint("flood", i), "password", fmt.Sprint(password, i))
	})
	t.Logf("answers: %v", got)
	wantOnly(t, "a sign-up", got, "303 /auth/pending", "429") // before anything is hashed
	const turns = 5                                           // of an address in an hour
	if taken := got["303 /auth/pending"]; taken == 0 || taken > turns {
		t.Errorf("%d sign-ups were taken", taken)
	}
	if jobs := storetest.Rows(t, s.path(), `SELECT id FROM jobs WHERE kind = $1`, store.KindVerifyMail); len(jobs) > turns {
		t.Errorf("%d mails are to go out", len(jobs))
	}
	s.wait(20*time.Second*slower, "no mail came", func() bool { return len(s.sink.all()) > 0 })
	got = atOnce(t, n, func(i int) (reply, error) {
		return crowd[i].post(t.Context(), "/auth/verify", "token", s.sink.all()[0].token(), "password", fmt.Sprint(password, i))
	})
	if got["303 /"] != 1 {
		t.Errorf("the one link is answered with %v", got)
	}
	s.wantMembers("flooded@example.com", "1")
	if mails := s.sink.all(); len(mails) > turns {
		t.Errorf("%d mails went out", len(mails))
	}
	s.stop()
	wantNoFaults(t, s)
	checkFile(t, s.path(), s.data)
}

// TestFaultFloodOfSignUpsWithoutLimits: everybody who was let through has a link
// of their own, and the first who proves the address is its member.
func TestFaultFloodOfSignUpsWithoutLimits(t *testing.T) {
	s := newSite(t)
	s.start()
	n := rounds(t, 50, 1000)
	crowd := make([]*client, n)
	var mu sync.Mutex
	var pending []*client
	got := atOnce(t, n, func(i int) (reply, error) {
		crowd[i] = newClient(s, fmt.Sprint("visitor ", i))
		a, err := crowd[i].post(t.Context(), "/auth/signup", "email", mixedCase("flooded@example.com", i),
			"name", "Name", "nickname", fmt.Sprint("flood", i), "password", password)
		if a.leads("/auth/pending") {
			mu.Lock()
			defer mu.Unlock()
			pending = append(pending, crowd[i])
		}
		return a, err
	})
	wantOnly(t, "a sign-up", got, "303 /auth/pending", "503")
	s.settle(time.Minute * slower)
	mails := s.sink.all()
	t.Logf("answers %v, %d mails", got, len(mails))
	if len(mails) != len(pending) {
		t.Errorf("%d mails for %d sign-ups", len(mails), len(pending))
	}
	got = atOnce(t, len(mails), func(i int) (reply, error) {
		return newClient(s, "reader").post(t.Context(), "/auth/verify", "token", mails[i].token(), "password", password)
	})
	wantOnly(t, "a link", got, "303 /", "200", "503")
	if got["303 /"] != 1 {
		t.Errorf("%d of the links make a member", got["303 /"])
	}
	s.wantMembers("flooded@example.com", "1")
	s.stop()
	wantNoFaults(t, s)
	checkFile(t, s.path(), s.data)
}

// TestFaultFloodOfForgottenPasswords: asking for somebody else's password
// changes nothing for them but a few mails.
func TestFaultFloodOfForgottenPasswords(t *testing.T) {
	s := behindProxy(t)
	who := newAccounts(t, s, 1)[0]
	s.start()
	hash := func() string {
		return storetest.Rows(t, s.path(), `SELECT password_hash || credentials FROM users WHERE id = $1`, who.ID)[0][0]
	}
	before, inside := hash(), s.inside(who)
	got := atOnce(t, rounds(t, 100, 1000), func(i int) (reply, error) {
		c := s.from(i)
		defer c.close()
		return c.post(t.Context(), "/auth/forgot", "email", who.Email)
	})
	t.Logf("answers: %v", got)
	wantOnly(t, "a forgotten password", got, "303 /auth/forgot/sent", "429")
	const turns = 5
	if jobs := storetest.Rows(t, s.path(), `SELECT id FROM jobs`); len(jobs) > turns {
		t.Errorf("%d mails are to go out", len(jobs))
	}
	if hash() != before {
		t.Error("the password is another one")
	}
	if a, err := inside.get(t.Context(), "/posts/new"); err != nil || a.status != http.StatusOK {
		t.Errorf("the session is answered with %d: %v", a.status, err)
	}
	s.inside(who).close() // the old password still logs in
	s.stop()
	wantNoFaults(t, s)
}
