package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestACronExpressionHasSixFields(t *testing.T) {
	for _, text := range []string{"0 0 3 * * *", "*/5 * * * * *", "0 30 2 * * MON-FRI", "0 0 0 29 2 *", " 0 0 3 * * * "} {
		if _, err := ParseCron(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{
		"", "0 3 * * *", "@daily", "@every 1h", "0 0 3 * * * *", "60 0 3 * * *", "0 0 25 * * *", "x 0 3 * * *", "0 0 0 30 2 *",
		"CRON_TZ=UTC 0 0 3 * * *", "TZ=UTC 0 3 * * *", "0 0 3 * *\n*x",
	} {
		got, err := ParseCron(text)
		if err == nil {
			t.Errorf("%q is taken as %s", text, got)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: more than one line: %v", text, err)
		}
	}
}

// night is a schedule with one task of the test, under the test's clock.
type night struct {
	schedule *Schedule
	task     *task
	clock    *storetest.Clock
	zone     *time.Location
	runs     []string // the wall-clock times at which it ran
}

func newNight(t *testing.T, s *store.Store, zone, cron string) *night {
	t.Helper()
	location, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	n := &night{clock: storetest.NewClock(time.Now()), zone: location}
	n.schedule, err = NewSchedule(ScheduleOptions{Store: s, Cron: cron, Zone: location, Log: testLog(t), Now: n.clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	n.task = n.schedule.tasks[0]
	n.task.run = func(context.Context) (string, error) {
		n.runs = append(n.runs, n.clock.Now().In(location).Format("01-02 15:04:05"))
		return "ran", nil
	}
	return n
}

// pass lets the clock go from one moment to another, asking every minute.
func (n *night) pass(t *testing.T, from, to string) {
	t.Helper()
	const form = "2006-01-02 15:04:05 -0700"
	at, err := time.Parse(form, from)
	if err != nil {
		t.Fatal(err)
	}
	end, err := time.Parse(form, to)
	if err != nil {
		t.Fatal(err)
	}
	for ; !at.After(end); at = at.Add(time.Minute) {
		n.clock.Set(at)
		if err := n.schedule.ask(t.Context(), n.task); err != nil {
			t.Fatal(err)
		}
	}
}

func (n *night) want(t *testing.T, runs ...string) {
	t.Helper()
	if fmt.Sprint(n.runs) != fmt.Sprint(runs) {
		t.Errorf("ran at %v, want %v", n.runs, runs)
	}
}

func TestATaskRunsOnceADayAtItsTime(t *testing.T) {
	n := newNight(t, storetest.New(t), "Asia/Seoul", "0 0 3 * * *")
	n.pass(t, "2026-05-01 03:00:00 +0900", "2026-05-03 04:00:00 +0900")
	n.want(t, "05-01 03:00:00", "05-02 03:00:00", "05-03 03:00:00")
}

func TestATaskMissedWhileTheProcessWasDownRunsLateAndOnce(t *testing.T) {
	s := storetest.New(t)
	n := newNight(t, s, "UTC", "0 0 3 * * *")
	n.pass(t, "2026-05-01 02:50:00 +0000", "2026-05-01 03:10:00 +0000")
	again := newNight(t, s, "UTC", "0 0 3 * * *")
	again.pass(t, "2026-05-04 11:30:00 +0000", "2026-05-05 02:59:00 +0000")
	again.want(t, "05-04 11:30:00")
}

func TestARestartEachHourRunsATaskOnceADay(t *testing.T) {
	s := storetest.New(t)
	var runs []string
	for hour := range 48 {
		n := newNight(t, s, "UTC", "0 30 3 * * *")
		at := time.Date(2026, 5, 1, hour, 0, 0, 0, time.UTC).Format("2006-01-02 15:04:05 -0700")
		n.pass(t, at, at)
		runs = append(runs, n.runs...)
	}
	// The first is yesterday's, which a new site has not run.
	if want := "[05-01 00:00:00 05-01 04:00:00 05-02 04:00:00]"; fmt.Sprint(runs) != want {
		t.Errorf("ran at %v, want %s", runs, want)
	}
}

func TestAChangeOfTheClocksMakesNoRunTwiceOrNever(t *testing.T) {
	cases := []struct {
		name, cron, from, to, first string
	}{
		{"gap", "0 30 2 * * *", "2025-03-09 00:00:00 -0800", "2025-03-09 23:59:00 -0700", "03-09 03:00:00"},
		{"after the gap", "0 0 3 * * *", "2025-03-09 00:00:00 -0800", "2025-03-09 23:59:00 -0700", "03-09 03:00:00"},
		{"twice", "0 30 1 * * *", "2025-11-02 00:00:00 -0700", "2025-11-02 23:59:00 -0800", "11-02 01:30:00"},
		{"after the repetition", "0 0 3 * * *", "2025-11-02 00:00:00 -0700", "2025-11-02 23:59:00 -0800", "11-02 03:00:00"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := storetest.New(t)
			n := newNight(t, s, "America/Los_Angeles", c.cron)
			n.pass(t, c.from, c.from) // yesterday's
			n.runs = nil
			n.pass(t, c.from, c.to)
			n.want(t, c.first)
		})
	}
}

func TestARunThatBelongsToAnotherProcessIsLeftToIt(t *testing.T) {
	s := storetest.New(t)
	var mu sync.Mutex
	total := 0
	var processes sync.WaitGroup
	for range 8 {
		n := newNight(t, s, "UTC", "0 0 3 * * *")
		n.task.run = func(context.Context) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			total++
			return "", nil
		}
		n.clock.Set(time.Date(2026, 5, 1, 3, 0, 0, 0, time.UTC))
		processes.Go(func() {
			if err := n.schedule.ask(t.Context(), n.task); err != nil {
				t.Error(err)
			}
		})
	}
	processes.Wait()
	if total != 1 {
		t.Errorf("ran %d times", total)
	}
}

func TestMovingTheTimeWithinADayMakesNoSecondRun(t *testing.T) {
	s := storetest.New(t)
	newNight(t, s, "UTC", "0 0 3 * * *").pass(t, "2026-05-01 03:00:00 +0000", "2026-05-01 03:10:00 +0000")
	n := newNight(t, s, "UTC", "0 0 5 * * *")
	n.pass(t, "2026-05-01 04:59:00 +0000", "2026-05-01 06:00:00 +0000")
	n.want(t, "05-01 04:59:00") // that of the day before, at the new time
}

func TestTheClockRunsTasksAndOutlivesTheirPanics(t *testing.T) {
	var log bytes.Buffer
	s, err := NewSchedule(ScheduleOptions{
		Store: storetest.New(t), Cron: "* * * * * *", Zone: time.UTC,
		Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	runs := make(chan int, 3)
	count := 0
	s.tasks[0].run = func(context.Context) (string, error) {
		count++
		runs <- count
		switch count {
		case 1:
			panic("a bug")
		case 2:
			return "", errors.New("no luck")
		}
		return "", nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Run(ctx) }()
	for range 3 {
		<-runs
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for _, want := range []string{"task panicked", "a bug", "task failed", "no luck", "next="} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q is not in the log:\n%s", want, &log)
		}
	}
}

func TestTheCleanUpSaysHowMuchItDeleted(t *testing.T) {
	clock := storetest.NewClock(time.Now())
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	var log bytes.Buffer
	schedule, err := NewSchedule(ScheduleOptions{
		Store: s, Cron: "0 0 3 * * *", Zone: time.UTC, Now: clock.Now,
		Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := schedule.cleanup(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := log.String(); !strings.Contains(got, "level=DEBUG") || strings.Contains(got, "level=INFO") {
		t.Errorf("with nothing to do it says %s", got)
	}
	storetest.Mail(t, s, storetest.Signup(t, s)) // handed over: it ends in a day
	clock.Advance(48 * time.Hour)
	if _, err := schedule.cleanup(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := log.String(); !strings.Contains(got, "level=INFO") || !strings.Contains(got, "signups=1") {
		t.Errorf("it says %s", got)
	}
}
