package main

import (
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// TestFaultWorkerStoppedBeyondItsLease stops the process while it hands a mail
// over; meanwhile somebody else takes the job over and ends it. When the
// process wakes up it changes nothing.
func TestFaultWorkerStoppedBeyondItsLease(t *testing.T) {
	m := newMailTest(t)
	woken := make(chan struct{})
	m.sink.follow(func(at moment) string {
		if at.verb == dot {
			select {
			case <-woken:
			case <-t.Context().Done():
			}
		}
		return usual
	})
	p := m.start()
	m.join("somebody")
	m.wait(5*time.Second*slower, "no mail is handed over", func() bool { return m.sink.times(dot) > 0 })
	m.wait(time.Minute, "the job cannot be taken over", func() bool {
		p.signal(syscall.SIGSTOP)
		if m.takeOver() {
			return true
		}
		p.signal(syscall.SIGCONT) // it was stopped in the middle of a write
		return false
	})
	row := func() []string {
		return storetest.Rows(t, m.path(), `SELECT state, attempt, finished_at FROM jobs`)[0]
	}
	before := row()
	p.signal(syscall.SIGCONT)
	close(woken)
	m.wait(10*time.Second*slower, "the worker has not ended", func() bool { return len(m.logged("lost its lease")) > 0 })
	if after := row(); !slices.Equal(before, after) {
		t.Errorf("the job is %v, and was %v before the worker woke up", after, before)
	}
	m.wantMails("somebody", 1)
	m.finish()
}

// takeOver ends the one job as another process would, a minute from now. It
// reports false when the database is held.
func (m *mailTest) takeOver() bool {
	m.t.Helper()
	o := store.Options{NoLimits: true, Now: func() time.Time { return time.Now().Add(time.Minute) }}
	db, err := (storage{Data: directory(m.data), Database: database(m.database)}).open(m.t.Context(), o)
	if err != nil {
		m.t.Logf("try again: %v", err)
		return false
	}
	defer db.Close()
	if n, err := db.ReapJobs(m.t.Context()); n != 1 || err != nil {
		m.t.Fatalf("took %d jobs back (%v)", n, err)
	}
	jobs, err := db.ClaimJobs(m.t.Context(), []string{store.KindVerifyMail}, 10, time.Minute)
	if err != nil || len(jobs) != 1 {
		m.t.Fatalf("claimed %d jobs (%v)", len(jobs), err)
	}
	if err := db.FinishJob(m.t.Context(), jobs[0]); err != nil {
		m.t.Fatal(err)
	}
	return true
}

// TestFaultNothingRunsOnAfterTheStop looks for goroutines that a board in this
// process leaves behind.
func TestFaultNothingRunsOnAfterTheStop(t *testing.T) {
	faultTest(t)
	use := func() {
		b := startBoard(t, newData(t))
		somebody := b.browser(t, "somebody")
		signUp(somebody, "somebody").redirected(t, "/auth/pending")
		somebody.get("/")
		if err := b.halt(); err != nil {
			t.Fatal(err)
		}
		somebody.client.CloseIdleConnections()
	}
	use() // what lives as long as the process is there from now on
	before := len(goroutines())
	for range 3 {
		use()
	}
	for deadline := time.Now().Add(10 * time.Second); len(goroutines()) > before; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before:\n%s", len(goroutines()), before, strings.Join(goroutines(), "\n\n"))
		}
	}
}

// goroutines returns the stacks of all that run. The library of the sessions
// starts one with each manager that nothing can stop without a race.
func goroutines() []string {
	stacks := make([]byte, 4<<20)
	all := strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n")
	return slices.DeleteFunc(all, func(stack string) bool { return strings.Contains(stack, "scs/v2/memstore") })
}
