package jobs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestAYearOfRestartsRunsEachSlotOnce(t *testing.T) {
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, seed))
	t.Logf("seed %d", seed)
	for _, zone := range []string{"UTC", "America/Los_Angeles", "Asia/Seoul"} {
		for _, cron := range []string{"0 30 2 * * *", "0 30 1 * * *"} {
			checkYear(t, random, zone, cron)
		}
	}
}

// checkYear lets a year pass, in which the process is started anew several
// times a day and is down now and then.
func checkYear(t *testing.T, random *rand.Rand, zone, cron string) {
	s := storetest.New(t)
	var days []time.Time
	begin := time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)
	at := begin
	end := at.AddDate(0, 12/min(scale, 3), 0) // under the race detector, spring is enough
	for at.Before(end) {
		n := newNight(t, s, zone, cron)
		n.schedule.log = discard()
		n.task.run = func(context.Context) (string, error) {
			due := n.task.cron.last(wallClock(n.clock.Now().In(n.zone)))
			days = append(days, due.Truncate(24*time.Hour))
			return "", nil
		}
		for up := at.Add(time.Duration(random.IntN(12*60)) * time.Minute); at.Before(up); at = at.Add(17 * time.Minute) {
			n.clock.Set(at)
			if err := n.schedule.ask(t.Context(), n.task); err != nil {
				t.Fatal(err)
			}
		}
		at = at.Add(time.Duration(random.IntN(60)) * time.Minute) // down
	}
	if float64(len(days)) < end.Sub(begin).Hours()/24 {
		t.Errorf("%s %s: %d runs", zone, cron, len(days))
	}
	for i := range days[1:] {
		if got, want := days[i+1], days[i].AddDate(0, 0, 1); !got.Equal(want) {
			t.Errorf("%s %s: after %s ran %s", zone, cron, days[i].Format(time.DateOnly), got.Format(time.DateOnly))
		}
	}
}

func TestATickThatMeetsALockedDatabaseIsMadeUpFor(t *testing.T) {
	n := newNight(t, storetest.New(t), "UTC", "0 0 3 * * *")
	n.clock.Set(time.Date(2026, 5, 1, 3, 0, 0, 0, time.UTC))
	gone, cancel := context.WithCancel(t.Context())
	cancel() // as a wait for the lock that ended
	for range 3 {
		if err := n.schedule.ask(gone, n.task); err == nil {
			t.Error("a slot was claimed")
		}
	}
	n.pass(t, "2026-05-01 03:01:00 +0000", "2026-05-01 04:00:00 +0000")
	n.want(t, "05-01 03:01:00")
}

func TestATaskThatRunsIntoItsNextSlotRunsThatToo(t *testing.T) {
	n := newNight(t, storetest.New(t), "UTC", "0 0 * * * *")
	n.clock.Set(time.Date(2026, 5, 1, 3, 0, 0, 0, time.UTC))
	began, finish := make(chan struct{}, 2), make(chan struct{})
	var slots []string
	n.task.run = func(context.Context) (string, error) {
		slots = append(slots, n.clock.Now().Format(time.TimeOnly))
		began <- struct{}{}
		<-finish
		return "", nil
	}
	asks := make(chan error)
	for range 2 {
		go func() { asks <- n.schedule.ask(t.Context(), n.task) }()
	}
	<-began
	n.clock.Advance(time.Hour)
	close(finish)
	for range 2 {
		if err := <-asks; err != nil {
			t.Error(err)
		}
	}
	if got := fmt.Sprint(slots); got != "[03:00:00 04:00:00]" {
		t.Errorf("ran at %s", got)
	}
}

// newTicking is a schedule that runs a function each second, by the real clock.
func newTicking(t *testing.T, store *store.Store, run func(context.Context) (string, error)) *Schedule {
	t.Helper()
	s, err := NewSchedule(ScheduleOptions{Store: store, Cron: "* * * * * *", Zone: time.UTC, Log: discard()})
	if err != nil {
		t.Fatal(err)
	}
	s.tasks = s.tasks[:1]
	s.tasks[0].run = run
	return s
}

func TestAStopWithinATaskEndsTheTask(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := newTicking(t, storetest.New(t), func(task context.Context) (string, error) {
		cancel()
		<-task.Done()
		return "", task.Err()
	})
	began := time.Now()
	if err := s.Run(ctx); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > stopWithin/2 {
		t.Errorf("the stop took %s", took)
	}
}

func TestASchedulesEndLeavesNothingRunning(t *testing.T) {
	db := storetest.New(t)
	if _, err := db.ClaimSlot(t.Context(), "warm", "up"); err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	for range 4 {
		ctx, cancel := context.WithCancel(t.Context())
		ran := make(chan struct{}, 10)
		s := newTicking(t, db, func(context.Context) (string, error) {
			ran <- struct{}{}
			return "", nil
		})
		ended := make(chan error)
		go func() { ended <- s.Run(ctx) }()
		<-ran
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "the goroutines of 4 schedules are gone", func() bool { return runtime.NumGoroutine() < before+4 })
}

func TestTenThousandQuestionsCostNoMemory(t *testing.T) {
	n := newNight(t, storetest.New(t), "UTC", "0 0 3 * * *")
	n.pass(t, "2026-05-01 03:00:00 +0000", "2026-05-01 03:00:00 +0000")
	if allocated := testing.AllocsPerRun(1000, func() {
		if err := n.schedule.ask(t.Context(), n.task); err != nil {
			t.Error(err)
		}
	}); allocated > 100 {
		t.Errorf("%.0f allocations for a question whose answer is known", allocated)
	}
	n.want(t, "05-01 03:00:00")
}

func TestTheLogNamesTheNextThreeTimes(t *testing.T) {
	var log lines
	n := newNight(t, storetest.New(t), "UTC", "0 * 3 * * *") // each minute of an hour, by mistake
	n.clock.Set(time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
	n.schedule.log = textLog(&log)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := n.schedule.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if want := `next="2026-05-01 03:00:00, 2026-05-01 03:01:00, 2026-05-01 03:02:00"`; log.count(want) != 1 {
		t.Errorf("not in the log: %s\n%s", want, &log.buf)
	}
}

func TestTheTableHasTheWorkOfTheSite(t *testing.T) {
	n := newNight(t, storetest.New(t), "UTC", "0 0 3 * * *")
	var names []string
	for _, task := range n.schedule.tasks {
		names = append(names, task.name)
		if task.name == "cleanup" { // the test's own
			task.run = n.schedule.cleanup
		}
		if result, err := task.run(t.Context()); err != nil || result == "" {
			t.Errorf("%s: %q (%v)", task.name, result, err)
		}
	}
	if got := strings.Join(names, " "); got != "cleanup statistics checkpoint search search_check optimize" {
		t.Errorf("the tasks are %s", got)
	}
}

func TestTheCleanUpDeletesNothingThatWasNotCounted(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	storetest.Mail(t, s, storetest.Signup(t, s))
	clock.Advance(30 * 24 * time.Hour)
	schedule, err := NewSchedule(ScheduleOptions{Store: s, Cron: "0 0 3 * * *", Zone: time.UTC, Log: testLog(t), Now: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := schedule.cleanup(t.Context()); err != nil {
		t.Fatal(err)
	}
	days, err := s.Days(t.Context(), 100)
	if err != nil || len(days) != 30 || days[29].Signups != 1 || days[29].MailsSent != 1 {
		t.Errorf("counted %+v (%v)", days, err)
	}
	wantStates(t, s, map[string]int64{})
}
