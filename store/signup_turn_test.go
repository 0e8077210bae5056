package store_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"sync"
	"testing"
	"time"

	"madang/store"
)

// flood signs up many times at once and counts who is taken and who is told to
// come later; nobody is told that the board is busy.
func flood(t *testing.T, s *store.Store, n int, signup func(i int) store.NewSignup) (taken map[int64]int, refused int) {
	t.Helper()
	var wg sync.WaitGroup
	var mu sync.Mutex
	taken = map[int64]int{}
	for i := range n {
		wg.Go(func() {
			id, err := s.SignUp(context.WithoutCancel(t.Context()), signup(i))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				taken[id]++
			case wait(err) > 0:
				refused++
			default:
				t.Errorf("sign-up %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	if left := s.Gates(); left != 0 {
		t.Errorf("%d gates are left", left)
	}
	return taken, refused
}

// useUp takes turns of a bucket again until so many of all are left.
func useUp(t *testing.T, s *store.Store, bucket string, all, left int) {
	t.Helper()
	for range all - left - 1 {
		exec(t, s, `INSERT INTO turns (bucket, who, at) SELECT bucket, who, at FROM turns WHERE bucket = $1 ORDER BY id LIMIT 1`, bucket)
	}
}

func TestFloodOfSignUpsIsRefusedBeforeItIsHashed(t *testing.T) {
	const n, left = 1000, 3
	for _, c := range []struct {
		of, bucket string
		turns      int
		signup     func(i int) store.NewSignup
	}{
		{"one client", "signup", 20, func(i int) store.NewSignup { return person(fmt.Sprintf("p%d@example.com", i)) }},
		{"one address", "mail", 5, func(i int) store.NewSignup {
			p := person("a@example.com")
			p.Nickname, p.Client = fmt.Sprintf("nick%d", i), netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)})
			return p
		}},
	} {
		t.Run(c.of, func(t *testing.T) {
			s, clock := limited(t)
			signUp(t, s, c.signup(n))
			useUp(t, s, c.bucket, c.turns, left)
			clock.Advance(time.Minute)
			before := s.Hashes()
			taken, refused := flood(t, s, n, c.signup)
			if len(taken) != left || refused != n-left {
				t.Errorf("%d taken, %d refused", len(taken), refused)
			}
			if made := s.Hashes() - before; made != left {
				t.Errorf("%d passwords were hashed for %d turns", made, left)
			}
		})
	}
}

func TestFloodOfOneFormIsOneSignUp(t *testing.T) {
	s, clock := limited(t)
	signUp(t, s, person("a@example.com"))
	useUp(t, s, "mail", 5, 1)
	clock.Advance(time.Minute)
	form := person("a@example.com")
	form.FormID = "one and the same"
	id := signUp(t, s, form) // by the last turn of the address
	if again := signUp(t, s, form); again != id {
		t.Errorf("sent again it is %d, not %d", again, id)
	}
	const n, all, left = 1000, 20, 3
	useUp(t, s, "sign-up again", all, left)
	before := s.Hashes()
	taken, refused := flood(t, s, n, func(int) store.NewSignup { return form })
	if len(taken) != 1 || taken[id] != left || refused != n-left {
		t.Errorf("taken %v, %d refused", taken, refused)
	}
	if made := s.Hashes() - before; made != left {
		t.Errorf("%d passwords were hashed", made)
	}
	other := form
	other.Password, other.Client = "another password", netip.MustParseAddr("192.0.2.8")
	if _, err := s.SignUp(t.Context(), other); wait(err) == 0 {
		t.Errorf("with another password it is another sign-up: %v", err)
	}
}

func TestFormSentTwiceAtOnceIsOneSignUp(t *testing.T) {
	s, clock := limited(t)
	signUp(t, s, person("a@example.com"))
	useUp(t, s, "mail", 5, 1)
	clock.Advance(time.Minute)
	form := person("a@example.com")
	form.FormID = "one and the same"
	if taken, refused := flood(t, s, 2, func(int) store.NewSignup { return form }); len(taken) != 1 || refused != 0 {
		t.Errorf("taken %v, %d refused", taken, refused)
	}
}

func TestWhoGoesAwayFromTheGateLeavesItOpen(t *testing.T) {
	s, _ := limited(t)
	start := func(ctx context.Context, n store.NewSignup) <-chan error {
		before, ended := s.AtGates(), make(chan error, 1)
		go func() {
			_, err := s.SignUp(ctx, n)
			ended <- err
		}()
		for s.AtGates() == before && len(ended) == 0 {
			runtime.Gosched()
		}
		return ended
	}
	release := s.HoldHashSlots()
	elsewhere := person("a@example.com")
	elsewhere.Client = netip.MustParseAddr("192.0.2.8")
	inside := start(t.Context(), person("a@example.com"))
	for name, n := range map[string]store.NewSignup{"the client": person("b@example.com"), "the address": elsewhere} {
		ctx, leave := context.WithCancel(t.Context())
		waiting := start(ctx, n)
		leave()
		if err := <-waiting; !errors.Is(err, context.Canceled) {
			t.Errorf("gone away from the gate of %s: %v", name, err)
		}
	}
	release()
	if err := <-inside; err != nil {
		t.Error(err)
	}
	if left := s.Gates(); left != 0 {
		t.Errorf("%d gates are left", left)
	}
}
