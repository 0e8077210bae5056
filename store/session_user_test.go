package store_test

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func TestMemberSeesTheOpenSessionsOfNobodyElse(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	ss := s.Sessions()
	u, other := storetest.Member(t, s), storetest.Member(t, s)
	begun := clock.Now()
	for _, one := range []store.Session{
		{Token: "phone", UserID: u.ID, Device: "Safari on iPhone", ExpiresAt: begun.Add(3 * time.Hour)},
		{Token: "over", UserID: u.ID, ExpiresAt: begun.Add(time.Hour)},
		{Token: "ended", UserID: u.ID, ExpiresAt: begun.Add(3 * time.Hour)},
		{Token: "foreign", UserID: other.ID, ExpiresAt: begun.Add(3 * time.Hour)},
		{Token: "guest", ExpiresAt: begun.Add(3 * time.Hour)},
	} {
		one.Data = []byte("x")
		save(t, ss, one)
	}
	if err := ss.DeleteCtx(t.Context(), "ended"); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Hour)
	save(t, ss, store.Session{Token: "desk", UserID: u.ID, Device: "Firefox on Linux", Data: []byte("x"), ExpiresAt: begun.Add(3 * time.Hour)})
	save(t, ss, store.Session{Token: "phone", UserID: u.ID, Device: "Safari on iPhone", Data: []byte("y"), ExpiresAt: begun.Add(3 * time.Hour)})
	list, err := ss.OfUser(t.Context(), u.ID, "phone")
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		list[i].ID = 0
	}
	want := []store.OpenSession{
		{Device: "Firefox on Linux", CreatedAt: clock.Now(), SeenAt: clock.Now()},
		{Device: "Safari on iPhone", CreatedAt: begun, SeenAt: clock.Now(), Current: true},
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMemberEndsOwnSessionsOnly(t *testing.T) {
	s := storetest.New(t)
	ss := s.Sessions()
	u, other := storetest.Member(t, s), storetest.Member(t, s)
	expiry := time.Now().Add(time.Hour)
	for i, owner := range []int64{u.ID, u.ID, u.ID, other.ID, 0} {
		save(t, ss, store.Session{Token: fmt.Sprint(i), UserID: owner, Data: []byte("in"), ExpiresAt: expiry})
	}
	theirs := count(t, s, `SELECT id FROM sessions WHERE user_id = $1`, other.ID)
	if err := ss.End(t.Context(), u.ID, theirs); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("somebody else's session: %v", err)
	}
	own := count(t, s, `SELECT id FROM sessions WHERE token = '0'`)
	if err := ss.End(t.Context(), u.ID, own); err != nil {
		t.Fatal(err)
	}
	if err := ss.End(t.Context(), u.ID, own); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("once more: %v", err)
	}
	if err := ss.EndOthers(t.Context(), u.ID, "1"); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "in", "", "in", "in"} {
		token := fmt.Sprint(i)
		commit(t, ss, token, want, expiry) // what was ended does not come back
		if got := found(t, ss, token); got != want {
			t.Errorf("session %d: %q, want %q", i, got, want)
		}
	}
}

// An old row knows neither its member nor its beginning; it goes on as it was.
func TestSessionFromBeforeTheStepGoesOn(t *testing.T) {
	s := storetest.New(t)
	dialect := "sqlite"
	if s.OnPostgres() {
		dialect = "postgres"
	}
	expiry := time.Now().Add(time.Hour).Truncate(time.Millisecond)
	exec := func(statement string, args ...any) {
		t.Helper()
		if err := s.Exec(t.Context(), statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	exec(`DROP TABLE sessions`)
	exec(step(t, dialect, "0003_sessions"))
	exec(`INSERT INTO sessions VALUES ('open', x'00', $1, 0), ('ended', x'', $1, 1)`, expiry.UnixMilli())
	exec(step(t, dialect, "0017_account_sessions"))
	if got := found(t, s.Sessions(), "open"); got != "\x00" {
		t.Errorf("an open session holds %q", got)
	}
	if got := found(t, s.Sessions(), "ended"); got != "" {
		t.Errorf("an ended session holds %q", got)
	}
	u := storetest.Member(t, s)
	save(t, s.Sessions(), store.Session{Token: "open", UserID: u.ID, Data: []byte("more"), ExpiresAt: expiry})
	list, err := s.Sessions().OfUser(t.Context(), u.ID, "open")
	if err != nil || len(list) != 1 || !list[0].CreatedAt.Equal(expiry.Add(-7*24*time.Hour)) {
		t.Errorf("the list is %+v, %v", list, err)
	}
}

// step is the text of one step of the schema.
func step(t *testing.T, dialect, name string) string {
	t.Helper()
	text, err := os.ReadFile("migrations/" + dialect + "/" + name + ".sql") //nolint:gosec // a constant path
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
