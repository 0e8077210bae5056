package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// mostMemory returns the most memory that a process has had until the end of ctx.
func mostMemory(ctx context.Context, t *testing.T, p *process) <-chan int64 {
	t.Helper()
	most := make(chan int64, 1)
	go func() {
		var peak int64
		for ctx.Err() == nil {
			peak = max(peak, residentMemory(t, p.cmd.Process.Pid))
			select {
			case <-time.After(5 * time.Millisecond):
			case <-ctx.Done():
			}
		}
		most <- peak
	}()
	return most
}

// TestFaultFloodOfLogins: passwords are hashed in as few places as there are
// slots, however many log in; each is told how it ended, and pages are shown.
func TestFaultFloodOfLogins(t *testing.T) {
	const slots, memory = 2, 7 << 20
	s := newSite(t, "--hash-slots", fmt.Sprint(slots))
	who := newAccounts(t, s, 1)[0]
	p := s.start()
	s.warm(p)
	s.inside(who).close()
	before := residentMemory(t, p.cmd.Process.Pid)
	ctx, stop := context.WithCancel(t.Context())
	peak := mostMemory(ctx, t, p)
	var waits []time.Duration
	var reading sync.WaitGroup
	reading.Go(func() {
		visitor := newClient(s, "visitor")
		defer visitor.close()
		for ctx.Err() == nil {
			waits = append(waits, answeredIn(t, visitor))
		}
	})
	n := rounds(t, 200, 2000)
	begin := time.Now()
	got := atOnce(t, n, func(i int) (reply, error) {
		c := newClient(s, fmt.Sprint("visitor ", i))
		defer c.close()
		address := []string{who.Email, who.Email, "nobody@example.com"}[i%3]
		return c.post(t.Context(), "/auth/login", "email", address, "password", []string{who.password, "not this one"}[i%2])
	})
	took := time.Since(begin)
	stop()
	reading.Wait()
	slices.Sort(waits)
	grown, p95 := <-peak-before, waits[len(waits)*95/100]
	t.Logf("%d logins in %v: %v; %.1f MB more; the p95 of %d pages meanwhile is %v",
		n, took, got, float64(grown)/(1<<20), len(waits), p95)
	wantOnly(t, "a login", got, "303 /", "422", "503")
	if got["303 /"] == 0 || got["422"] == 0 {
		t.Error("the test shows nothing")
	}
	// What is done with goes when the memory in use has doubled.
	if room := int64(2*(slots*memory+n*(64<<10)) + 24<<20); grown > room*min(slower, 3) {
		t.Errorf("%d MB more, want %d at most", grown>>20, room>>20)
	}
	if p95 > 500*time.Millisecond*slower {
		t.Errorf("pages took %v", p95)
	}
	s.stop()
	wantNoFaults(t, s)
}

// TestFaultFailedLoginsOutliveTheProcess: who has guessed nine times has one
// guess left, also when the board is killed in between.
func TestFaultFailedLoginsOutliveTheProcess(t *testing.T) {
	s := behindProxy(t)
	who := newAccounts(t, s, 1)[0]
	s.start()
	guess := func(i int, password string) reply {
		t.Helper()
		c := s.from(i)
		defer c.close()
		a, err := c.post(t.Context(), "/auth/login", "email", who.Email, "password", password)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	const allowed = 10
	for i := range allowed {
		if i == allowed-1 {
			s.kill()
			s.start()
		}
		if a := guess(i, "not this one"); a.status != http.StatusUnprocessableEntity {
			t.Fatalf("guess %d is answered with %d", i+1, a.status)
		}
	}
	s.kill()
	s.start()
	for _, password := range []string{"not this one", who.password} {
		if a := guess(allowed, password); a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") == "" {
			t.Errorf("after %d failures a login is answered with %d", allowed, a.status)
		}
	}
	s.stop()
	wantNoFaults(t, s)
}

// TestFaultFloodOfClientAddresses: who comes from everywhere leaves rows that
// the night work takes, and no memory.
func TestFaultFloodOfClientAddresses(t *testing.T) {
	s := behindProxy(t)
	l := newLoad(t, s, crowd{writers: 1})
	p := s.start()
	s.warm(p)
	n := rounds(t, 6000/slower, 100_000)
	post := postAt(l.posts[0].id)
	visit := func(from, to int) map[string]int {
		return inTurn(t, 16, from, to, func(i int) (reply, error) {
			c := s.from(i)
			defer c.close()
			if a, err := c.get(t.Context(), post); err != nil || a.status != http.StatusOK {
				return a, err
			}
			return c.post(t.Context(), "/auth/resend", "email", fmt.Sprintf("nobody%d@example.com", i))
		})
	}
	visit(0, n/2) // in a soak that fills the caches of pages of SQLite
	before := residentMemory(t, p.cmd.Process.Pid)
	got := visit(n/2, n)
	grown := residentMemory(t, p.cmd.Process.Pid) - before
	t.Logf("%v; %.1f MB more for the second half", got, float64(grown)/(1<<20))
	wantOnly(t, "a resend", got, "303 /auth/pending")
	if grown > 24<<20*slower {
		t.Errorf("%d MB more", grown>>20)
	}
	s.wait(30*time.Second*slower, "views wait to be counted", func() bool {
		return len(storetest.Rows(t, s.path(), `SELECT id FROM jobs WHERE kind = $1 AND state <> 'done'`, store.KindViews)) == 0
	})
	if mails := storetest.Rows(t, s.path(), `SELECT id FROM jobs WHERE kind = $1`, store.KindAccountMail); len(mails) > 0 {
		t.Errorf("%d mails to nobody wait", len(mails))
	}
	s.stop()
	late := len(s.logged("view not counted")) // and told so, when the machine was too busy
	views, err := strconv.Atoi(storetest.Rows(t, s.path(), `SELECT views FROM posts`)[0][0])
	if err != nil || views > n || views < n-late {
		t.Errorf("%d views of %d addresses, %d of which were told that theirs is not counted: %v", views, n, late, err)
	}
	if faults := len(s.logged("level=ERROR")) - late; faults > 0 {
		t.Errorf("%d faults", faults)
	}
}

// inTurn lets some people do what has the numbers from and up to to, and counts
// their answers.
func inTurn(t *testing.T, people, from, to int, ask func(i int) (reply, error)) map[string]int {
	t.Helper()
	numbers := make(chan int)
	go func() {
		defer close(numbers)
		for i := from; i < to; i++ {
			numbers <- i
		}
	}()
	return atOnce(t, people, func(int) (last reply, err error) {
		for i := range numbers {
			if last, err = ask(i); err != nil || last.status >= http.StatusBadRequest {
				break
			}
		}
		for range numbers { // nobody else must wait
		}
		return last, err
	})
}
