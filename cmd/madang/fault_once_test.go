package main

import (
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store/storetest"
)

// twin is another connection of the same browser, as of now.
func (c *client) twin() *client {
	at, _ := url.Parse(c.site.running().url)
	jar, _ := cookiejar.New(nil) // never fails
	jar.SetCookies(at, c.http.Jar.Cookies(at))
	d := newClient(c.site, "")
	d.agent, d.http.Jar = c.agent, jar
	return d
}

// atOnce lets many ask at the same time, each on a connection of its own, and
// counts what they are answered: the status and where it leads.
func atOnce(t *testing.T, many int, ask func(i int) (reply, error)) map[string]int {
	t.Helper()
	var mu sync.Mutex
	answers := map[string]int{}
	begin := make(chan struct{})
	var all sync.WaitGroup
	for i := range many {
		all.Go(func() {
			<-begin
			a, err := ask(i)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Errorf("request %d of %d: %v", i, many, err)
			}
			if (a.status == http.StatusServiceUnavailable || a.status == http.StatusTooManyRequests) && a.header.Get("Retry-After") == "" {
				t.Errorf("answer %d does not say when to come again", a.status)
			}
			answers[strings.TrimSpace(fmt.Sprint(a.status, " ", a.place))]++
		})
	}
	close(begin)
	all.Wait()
	return answers
}

// presses posts the same form from many twins of a browser at once.
func (c *client) presses(t *testing.T, many int, path string, fields ...string) map[string]int {
	t.Helper()
	twins := make([]*client, many)
	for i := range twins {
		twins[i] = c.twin()
		defer twins[i].close()
	}
	return atOnce(t, many, func(i int) (reply, error) { return twins[i].post(t.Context(), path, fields...) })
}

func wantAnswers(t *testing.T, what string, got, want map[string]int) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s is answered otherwise (-want +got):\n%s", what, diff)
	}
}

// waiting is a browser in which somebody has just signed up.
func (s *site) waiting(name string) *client {
	s.t.Helper()
	c := newClient(s, name)
	a, err := c.post(s.t.Context(), "/auth/signup", "email", name+"@example.com", "name", "Name", "nickname", name, "password", password)
	if err != nil || !a.leads("/auth/pending") {
		s.t.Fatalf("%s cannot sign up: %d %s, %v", name, a.status, a.place, err)
	}
	return c
}

// mail is the mail to an address with this number, from 0, once it has come.
func (s *site) mail(address string, n int) accepted {
	s.t.Helper()
	s.wait(20*time.Second*slower, "no mail came to "+address, func() bool { return len(s.sink.to(address)) > n })
	return s.sink.to(address)[n]
}

// wantMembers fails the test unless an address has so many members.
func (s *site) wantMembers(address, want string) {
	s.t.Helper()
	if got := storetest.Rows(s.t, s.path(), `SELECT COUNT(*) FROM users WHERE email_key = $1`, address)[0][0]; got != want {
		s.t.Errorf("%s has %s members, want %s", address, got, want)
	}
}

// TestFaultSameProofAtOnce: of all who press the same button one is the first;
// the others are told what has happened.
func TestFaultSameProofAtOnce(t *testing.T) {
	s := newSite(t)
	who := newAccounts(t, s, 2)
	s.start()
	n := rounds(t, 100, 1000)
	t.Run("link", func(t *testing.T) {
		c := s.waiting("linked")
		got := c.presses(t, n, "/auth/verify", "token", s.mail("linked@example.com", 0).token())
		wantAnswers(t, "the link", got, map[string]int{"303 /": 1, "200": n - 1})
		s.wantMembers("linked@example.com", "1")
	})
	t.Run("code", func(t *testing.T) {
		c := s.waiting("coded")
		got := c.presses(t, n, "/auth/verify/code", "code", s.mail("coded@example.com", 0).letter().code())
		wantAnswers(t, "the code", got, map[string]int{"303 /": 1, "422": n - 1})
		s.wantMembers("coded@example.com", "1")
	})
	t.Run("changed address", func(t *testing.T) {
		c := s.inside(who[0])
		if a, err := c.post(t.Context(), "/account/email", "email", "moved@example.com", "current", who[0].password); err != nil || !a.leads("/account") {
			t.Fatalf("the change is answered with %d %s: %v", a.status, a.place, err)
		}
		got := c.presses(t, n, "/auth/email", "token", s.mail("moved@example.com", 0).token())
		wantAnswers(t, "the link", got, map[string]int{"303 /account#email": 1, "200": n - 1})
		s.wantMembers("moved@example.com", "1")
		s.wantMembers(who[0].Email, "0")
	})
	t.Run("reset", func(t *testing.T) { s.resetAtOnce(who[1], n) })
	s.settle(20 * time.Second * slower)
	s.stop()
	wantNoFaults(t, s)
	checkFile(t, s.path(), s.data)
}

// forget asks for a link to a new password and returns its token.
func (s *site) forget(who account) string {
	s.t.Helper()
	before := len(s.sink.to(who.Email))
	if a, err := newClient(s, "guest").post(s.t.Context(), "/auth/forgot", "email", who.Email); err != nil || !a.leads("/auth/forgot/sent") {
		s.t.Fatalf("a forgotten password is answered with %d %s: %v", a.status, a.place, err)
	}
	return s.mail(who.Email, before).token()
}

// resetAtOnce sets many passwords by one link: one of them counts.
func (s *site) resetAtOnce(who account, many int) {
	s.t.Helper()
	token := s.forget(who)
	chosen := make(chan string, many)
	got := atOnce(s.t, many, func(i int) (reply, error) {
		next := fmt.Sprint("the new password ", i)
		a, err := newClient(s, "guest").post(s.t.Context(), "/auth/reset", "token", token, "password", next)
		if a.leads("/auth/login") {
			chosen <- next
		}
		return a, err
	})
	busy := got["503"] // told to come again: nothing has changed for them
	delete(got, "503")
	wantAnswers(s.t, "the reset", got, map[string]int{"303 /auth/login": 1, "410": many - 1 - busy})
	if a, err := newClient(s, "guest").post(s.t.Context(), "/auth/login", "email", who.Email, "password", who.password); err != nil || a.status != http.StatusUnprocessableEntity {
		s.t.Errorf("the old password is answered with %d: %v", a.status, err)
	}
	who.password = <-chosen
	s.inside(who).close()
}

// TestFaultProofAgainstResend: a link is pressed while its successor is asked
// for. Either it was in time, or the newest link works.
func TestFaultProofAgainstResend(t *testing.T) {
	s := newSite(t)
	s.start()
	proven, overtaken := 0, 0
	for i := range rounds(t, 8, 60) {
		name := fmt.Sprint("racer", i)
		address := name + "@example.com"
		c := s.waiting(name)
		token := s.mail(address, 0).token()
		twins := make([]*client, 20)
		for i := range twins {
			twins[i] = c.twin()
		}
		got := atOnce(t, len(twins), func(i int) (reply, error) {
			if i%2 == 0 {
				return twins[i].post(t.Context(), "/auth/resend")
			}
			return twins[i].post(t.Context(), "/auth/verify", "token", token)
		})
		s.settle(20 * time.Second * slower)
		for answer := range got {
			if !strings.HasPrefix(answer, "303") && answer != "200" && answer != "410" && answer != "422" {
				t.Errorf("somebody is answered %q", answer)
			}
		}
		if got["303 /"] == 1 {
			proven++
		} else if mails := s.sink.to(address); got["303 /"] == 0 {
			overtaken++
			if a, err := c.post(t.Context(), "/auth/verify", "token", mails[len(mails)-1].token()); err != nil || a.place != "/" {
				t.Errorf("the newest link is answered with %d %s: %v", a.status, a.place, err)
			}
		}
		s.wantMembers(address, "1")
	}
	t.Logf("%d links were in time, %d were overtaken", proven, overtaken)
	s.stop()
	wantNoFaults(t, s)
}

// TestFaultResetAgainstLogin: whoever logs in with the old password while it is
// being replaced is out once that is done.
func TestFaultResetAgainstLogin(t *testing.T) {
	s := newSite(t)
	n := rounds(t, 4, 40)
	members := newAccounts(t, s, n)
	s.start()
	came := 0
	for _, who := range members {
		token := s.forget(who)
		guests := make([]*client, 30)
		for i := range guests {
			guests[i] = newClient(s, "guest")
		}
		got := atOnce(t, len(guests), func(i int) (reply, error) {
			if i%10 == 5 {
				return guests[i].post(t.Context(), "/auth/reset", "token", token, "password", "another horse battery")
			}
			return guests[i].post(t.Context(), "/auth/login", "email", who.Email, "password", who.password)
		})
		if came += got["303 /"]; got["303 /auth/login"] != 1 {
			t.Errorf("one link sets a password %d times: %v", got["303 /auth/login"], got)
		}
		for _, guest := range guests {
			if a, err := guest.get(t.Context(), "/posts/new"); err != nil || !a.leads("/auth/login") {
				t.Errorf("a login from before is answered with %d after the reset: %v", a.status, err)
			}
			guest.close()
		}
		who.password = "another horse battery"
		s.inside(who).close()
	}
	t.Logf("%d logins were in time", came)
	s.stop()
	wantNoFaults(t, s)
}
