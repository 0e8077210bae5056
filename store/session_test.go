package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// found is the data of a session, "" for none.
func found(t *testing.T, ss *store.Sessions, token string) string {
	t.Helper()
	data, ok, err := ss.FindCtx(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	if !ok && data != nil {
		t.Errorf("data %q of no session", data)
	}
	return string(data)
}

func commit(t *testing.T, ss *store.Sessions, token, data string, expiry time.Time) {
	t.Helper()
	save(t, ss, store.Session{Token: token, Data: []byte(data), ExpiresAt: expiry})
}

func save(t *testing.T, ss *store.Sessions, one store.Session) {
	t.Helper()
	if err := ss.Save(t.Context(), one); err != nil {
		t.Fatal(err)
	}
}

func TestSessionLivesUntilItExpires(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	ss := storetest.Open(t, store.Options{Now: clock.Now}).Sessions()
	if got := found(t, ss, "token"); got != "" {
		t.Errorf("an unknown token finds %q", got)
	}
	commit(t, ss, "token", "one", clock.Now().Add(time.Hour))
	commit(t, ss, "token", "two", clock.Now().Add(time.Hour))
	clock.Advance(time.Hour - time.Millisecond)
	if got := found(t, ss, "token"); got != "two" {
		t.Errorf("before its end: %q, want two", got)
	}
	clock.Advance(time.Millisecond)
	if got := found(t, ss, "token"); got != "" {
		t.Errorf("after its end: %q", got)
	}
}

func TestEndedSessionIsNotWrittenBack(t *testing.T) {
	s := storetest.New(t)
	ss := s.Sessions()
	expiry := time.Now().Add(time.Hour)
	for i := range 50 {
		token := fmt.Sprint("token ", i)
		commit(t, ss, token, "in", expiry)
		var wg sync.WaitGroup
		for n := range 4 { // requests under way while the session ends
			wg.Go(func() {
				late := store.Session{Token: token, Data: fmt.Append(nil, "in ", n), ExpiresAt: expiry.Add(2 * time.Hour)}
				if err := ss.Save(context.WithoutCancel(t.Context()), late); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Go(func() {
			if err := ss.DeleteCtx(context.WithoutCancel(t.Context()), token); err != nil {
				t.Error(err)
			}
		})
		wg.Wait()
		commit(t, ss, token, "late", expiry)
		if data := found(t, ss, token); data != "" {
			t.Fatalf("session %d is back: %q", i, data)
		}
	}
	if n := count(t, s, `SELECT COUNT(*) FROM sessions WHERE dead = 0 OR length(data) > 0`); n != 0 {
		t.Errorf("%d ended sessions still hold something", n)
	}
}

func TestEndOfAnUnknownSessionLeavesNothing(t *testing.T) {
	s := storetest.New(t)
	if err := s.Sessions().DeleteCtx(t.Context(), "made up"); err != nil {
		t.Fatal(err)
	}
	if n := count(t, s, `SELECT COUNT(*) FROM sessions`); n != 0 {
		t.Errorf("%d rows", n)
	}
}

func TestSessionIsWrittenOnlyWhenItMatters(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now})
	ss := s.Sessions()
	end := clock.Now().Add(7 * 24 * time.Hour)
	commit(t, ss, "token", "data", end)
	for _, c := range []struct {
		name, data string
		expiry     time.Time
		written    bool
	}{
		{"a little later", "data", end.Add(time.Hour - time.Millisecond), false},
		{"an hour later", "data", end.Add(time.Hour), true},
		{"much sooner", "data", end.Add(-time.Hour), true},
		{"other data", "more", end.Add(-time.Hour), true},
	} {
		before := count(t, s, `SELECT expires_at FROM sessions`)
		commit(t, ss, "token", c.data, c.expiry)
		after := count(t, s, `SELECT expires_at FROM sessions`)
		if written := after != before || found(t, ss, "token") != "data"; written != c.written {
			t.Errorf("%s: written %v, want %v", c.name, written, c.written)
		}
	}
}
