package store_test

import (
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// told delivers the waiting mails of a kind and returns whom they told.
func told(t *testing.T, s *store.Store, kind string) string {
	t.Helper()
	var to []string
	for _, j := range claimed(t, s, 10, kind) {
		m, err := s.OutgoingMail(t.Context(), j)
		if err != nil || m.Obsolete || m.Token != "" {
			t.Fatalf("%s: %+v, %v", kind, m, err)
		}
		to = append(to, m.To+" "+m.Lang)
		if err := s.FinishJob(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
	return strings.Join(to, ", ")
}

// moveTo gives a member another address, as whoever reads its mail can.
func moveTo(t *testing.T, s *store.Store, u store.User, email string) {
	t.Helper()
	if _, err := s.ChangeEmail(t.Context(), reentry(u, storetest.Password), email); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ProveEmail(t.Context(), u.ID, emailToken(t, s)); err != nil {
		t.Fatal(err)
	}
}

func TestWhoTakesAnAccountOverCannotKeepItsOwnerFromHearing(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	const thief = "thief@example.com"
	if err := s.SetLang(t.Context(), u.ID, "ko"); err != nil {
		t.Fatal(err)
	}
	if err := reset(t, s, storetest.ResetToken(t, s, u.Email)); err != nil {
		t.Fatal(err)
	}
	again := reentry(u, newPassword)
	if _, err := s.ChangePassword(t.Context(), again, storetest.Password); err != nil {
		t.Fatal(err)
	}
	moveTo(t, s, u, thief) // before any mail is out
	if err := s.DeleteAccount(t.Context(), reentry(u, storetest.Password)); err != nil {
		t.Fatal(err)
	}
	owner := u.Email + " ko"
	for kind, want := range map[string]string{
		store.KindPasswordMail: owner + ", " + owner, store.KindEmailNotice: owner, store.KindDeletedMail: thief + " ko",
	} {
		if got := told(t, s, kind); got != want {
			t.Errorf("%s tells %s, want %s", kind, got, want)
		}
	}
	for _, text := range []string{u.Email, thief} {
		if found := everywhere(t, s, text); len(found) > 0 {
			t.Errorf("%q is left in %v once all mails are out", text, found)
		}
	}
}

func TestAddressOfADeletedAccountIsKeptForItsMailAlone(t *testing.T) {
	for name, end := range map[string]struct {
		how  func(*store.Store, store.Job) error
		life time.Duration
	}{
		"there was nothing to say": {func(s *store.Store, j store.Job) error { return s.SkipJob(t.Context(), j, "-") }, 0},
		"it was given up":          {func(s *store.Store, j store.Job) error { return s.KillJob(t.Context(), j, "550") }, 7 * 24 * time.Hour},
		"it was dropped": {func(s *store.Store, j store.Job) error {
			if err := s.KillJob(t.Context(), j, "550"); err != nil {
				return err
			}
			return s.DropDead(t.Context(), j.ID)
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			clock := storetest.NewClock(noon())
			s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
			u := storetest.Member(t, s)
			if err := s.DeleteAccount(t.Context(), reentry(u, storetest.Password)); err != nil {
				t.Fatal(err)
			}
			clean(t, s)
			if found := everywhere(t, s, u.Email); len(found) != 1 || found["notices"] != 1 {
				t.Errorf("while its mail waits the address stands in %v", found)
			}
			if err := end.how(s, claimed(t, s, 1, store.KindDeletedMail)[0]); err != nil {
				t.Fatal(err)
			}
			if end.life > 0 {
				clock.Advance(end.life)
				if clean(t, s); len(everywhere(t, s, u.Email)) != 1 {
					t.Error("nobody can try the mail again")
				}
				clock.Advance(time.Millisecond)
			}
			if clean(t, s); len(everywhere(t, s, u.Email)) != 0 {
				t.Errorf("the address is left in %v", everywhere(t, s, u.Email))
			}
		})
	}
}

func TestNoticesFromBeforeAddressesWereKeptStillGoOut(t *testing.T) {
	s := storetest.New(t)
	u := storetest.Member(t, s)
	if _, err := s.ChangeEmail(t.Context(), reentry(u, storetest.Password), "new@example.com"); err != nil {
		t.Fatal(err)
	}
	told(t, s, store.KindEmailNotice)
	for kind, payload := range map[string]string{store.KindPasswordMail: `{"user":1}`, store.KindEmailNotice: `{"change":1}`} {
		exec(t, s, `INSERT INTO jobs (kind, state, payload, run_at, created_at) VALUES ($1, 'available', $2, 0, 0)`, kind, []byte(payload))
	}
	for _, kind := range []string{store.KindPasswordMail, store.KindEmailNotice} {
		if got := told(t, s, kind); !strings.HasPrefix(got, u.Email) {
			t.Errorf("%s tells %s", kind, got)
		}
	}
}
