package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// diary is a store in a zone, under a clock.
type diary struct {
	*store.Store
	clock *storetest.Clock
	zone  *time.Location
}

func newDiary(t *testing.T, zone string, begin time.Time) diary {
	t.Helper()
	location, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	clock := storetest.NewClock(begin)
	return diary{storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now, Zone: location}), clock, location}
}

// at sets the clock to a local time.
func (d diary) at(t *testing.T, local string) {
	t.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04:05", local, d.zone)
	if err != nil {
		t.Fatal(err)
	}
	d.clock.Set(at)
}

func (d diary) count(t *testing.T, want int) {
	t.Helper()
	if n, err := d.CountDays(t.Context()); n != want || err != nil {
		t.Errorf("counted %d days (%v), want %d", n, err, want)
	}
}

func (d diary) wants(t *testing.T, days ...store.Day) {
	t.Helper()
	got, err := d.Days(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(days, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// number is the number of a date.
func number(year int, month time.Month, day int) int32 {
	return int32(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

func TestADayIsCountedExactlyAndOnce(t *testing.T) {
	d := newDiary(t, "Asia/Seoul", time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
	d.at(t, "2026-05-01 00:00:00") // the first moment of the day
	author := storetest.Member(t, d.Store)
	post := storetest.Post(t, d.Store, author)
	storetest.Mail(t, d.Store, storetest.Signup(t, d.Store))
	d.at(t, "2026-05-01 23:59:59")
	storetest.Signup(t, d.Store)
	refused := claim(t, d.Store)
	if err := d.KillJob(t.Context(), *refused, "550 no such user"); err != nil {
		t.Fatal(err)
	}
	storetest.Signup(t, d.Store)
	if err := d.SkipJob(t.Context(), *claim(t, d.Store), "obsolete"); err != nil { // no mail
		t.Fatal(err)
	}
	if _, err := d.CreateComment(t.Context(), author, store.NewComment{PostID: post, Body: "hello", FormID: "f1"}); err != nil {
		t.Fatal(err)
	}
	events := []store.ViewEvent{event(t, d.Store, post, 0, "192.0.2.1", "a"), event(t, d.Store, post, 0, "192.0.2.2", "b")}
	if err := d.AddViews(t.Context(), events); err != nil {
		t.Fatal(err)
	}
	d.at(t, "2026-05-02 00:00:00") // the next day
	storetest.Member(t, d.Store)
	d.count(t, 0) // a day rests a minute
	d.at(t, "2026-05-02 00:01:00")
	d.count(t, 1)
	first := store.Day{
		Day: number(2026, 5, 1), Signups: 4, Verifications: 1, MailsSent: 2, MailsFailed: 1, Posts: 1, Comments: 1,
	}
	d.wants(t, first)

	apply(t, d.Store) // readings that were applied late
	d.count(t, 0)
	first.Views = 2
	d.wants(t, first)

	d.at(t, "2026-05-03 00:01:00")
	if _, err := d.Cleanup(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.count(t, 1)
	d.count(t, 0)
	d.wants(t, store.Day{Day: number(2026, 5, 2), Signups: 1, Verifications: 1, MailsSent: 1}, first)
}

func TestDaysMissedWhileTheProcessWasDownAreCounted(t *testing.T) {
	d := newDiary(t, "UTC", time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	storetest.Member(t, d.Store)
	d.at(t, "2026-05-04 09:00:00")
	d.count(t, 3)
	got, err := d.Days(t.Context(), 10)
	if err != nil || len(got) != 3 || got[2].Signups != 1 || got[1].Signups != 0 {
		t.Errorf("counted %+v (%v)", got, err)
	}
}

func TestAnEmptyBoardHasNoDays(t *testing.T) {
	d := newDiary(t, "UTC", time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	d.count(t, 0)
	d.wants(t)
}

func TestADayOfAnyLengthIsWhole(t *testing.T) {
	for _, c := range []struct {
		zone       string
		begin, end string // the first and the last moment in UTC
	}{
		{"America/Los_Angeles", "2025-03-09 08:00:00", "2025-03-10 06:59:59"}, // 23 hours
		{"America/Los_Angeles", "2025-11-02 07:00:00", "2025-11-03 07:59:59"}, // 25
		{"Africa/Cairo", "2025-04-24 22:00:00", "2025-04-25 20:59:59"},        // has no midnight
		{"Asia/Kathmandu", "2025-05-01 18:15:00", "2025-05-02 18:14:59"},
	} {
		d := newDiary(t, c.zone, time.Now())
		utc := func(text string) time.Time {
			at, err := time.Parse(time.DateTime, text)
			if err != nil {
				t.Fatal(err)
			}
			return at
		}
		for _, at := range []time.Time{utc(c.begin).Add(-time.Second), utc(c.begin), utc(c.end), utc(c.end).Add(time.Second)} {
			d.clock.Set(at)
			storetest.Signup(t, d.Store)
		}
		d.clock.Advance(48 * time.Hour)
		if _, err := d.CountDays(t.Context()); err != nil {
			t.Fatal(err)
		}
		days, err := d.Days(t.Context(), 10)
		if err != nil || len(days) < 3 {
			t.Fatal(days, err)
		}
		days = days[len(days)-3:]
		if days[0].Signups != 1 || days[1].Signups != 2 || days[2].Signups != 1 {
			t.Errorf("%s: %+v", c.zone, days)
		}
	}
}
