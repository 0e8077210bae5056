package main

import (
	"net/http"
	"testing"
	"time"
)

// unavailable reports whether somebody has been told so since the last time
// it was asked.
func (l *load) unavailable() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	told := l.statuses[http.StatusServiceUnavailable] > 0
	l.statuses[http.StatusServiceUnavailable] = 0
	return told
}

// goOn waits until so many more deeds have been acknowledged.
func (v *several) goOn(l *load, more int) {
	v.t.Helper()
	begun, before := time.Now(), l.ledger.acknowledged()
	v.each[0].wait(20*time.Second*slower, "the processes do not go on", func() bool { return l.ledger.acknowledged() >= before+more })
	v.t.Logf("%d more deeds were acknowledged within %v", more, time.Since(begun).Round(time.Millisecond))
}

// TestSeveralDatabaseStopsAndCrashes takes the database away from two busy
// processes. They say that they take no work and come back with it by themselves.
func TestSeveralDatabaseStopsAndCrashes(t *testing.T) {
	dice := newDice(t)
	v := newSeveral(t, 2)
	b := newBalancer(t, v.each, false)
	n := rounds(t, 1, 10)
	l := newLoad(t, b.site(v), severalPeople())
	v.start()
	l.run(t, dice, severalPeople())
	for range n {
		for _, end := range []func(testing.TB){v.server.Stop, v.server.Crash} {
			v.goOn(l, 50)
			l.unavailable()
			end(t)
			v.each[0].wait(20*time.Second*slower, "nobody is told", l.unavailable)
			v.each[0].wait(5*time.Second*slower, "a process says that it is ready", func() bool { return !b.anyReady() })
			<-time.After(lateness(dice))
			v.server.Start(t)
			v.each[0].wait(20*time.Second*slower, "the processes are not ready again", b.allReady)
		}
	}
	v.goOn(l, 50)
	v.endOutage(t, l, b)
}

// TestSeveralConnectionsAreCut ends all connections of two busy processes to
// their database several times a second, those that listen too.
func TestSeveralConnectionsAreCut(t *testing.T) {
	dice := newDice(t)
	v := newSeveral(t, 2)
	t.Parallel() // a job whose claim was cut waits for its lease
	b := newBalancer(t, v.each, false)
	n := rounds(t, 12, 300)
	l := newLoad(t, b.site(v), severalPeople())
	v.start()
	l.run(t, dice, severalPeople())
	v.goOn(l, 20)
	cut := 0
	for range n {
		cut += len(v.rows(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name LIKE 'madang%'`))
		<-time.After(100*time.Millisecond + time.Duration(dice.Int64N(int64(200*time.Millisecond))))
	}
	v.goOn(l, 50)
	for i, s := range v.each {
		if lines := s.logged("not woken by other processes"); len(lines) == 0 {
			t.Errorf("process %d did not lose the connection on which it listens: the test shows too little", i)
		}
		s.wait(10*time.Second, "it does not listen again", func() bool {
			return len(s.logged("woken by other processes again")) == len(s.logged("not woken by other processes"))
		})
	}
	t.Logf("%d connections were cut", cut)
	v.endOutage(t, l, b)
}

// endOutage sends people home, and looks at what they were told and what is there.
func (v *several) endOutage(t *testing.T, l *load, b *balancer) {
	t.Helper()
	for i, s := range v.each {
		if s.running() == nil {
			t.Errorf("process %d has ended", i)
		}
	}
	l.end()
	v.each[0].settle(leaseOfAJob + 15*time.Second*slower)
	v.stop()
	b.report(t)
	l.answered(t, http.StatusOK, http.StatusSeeOther, http.StatusServiceUnavailable)
	v.check(l)
}
