package main

import (
	"net/http"
	"testing"
	"time"
)

// drainDelay is how long a process goes on taking connections after readyz has
// turned: several looks of the proxy, which take longer on a slow machine.
const drainDelay = 500 * time.Millisecond * min(slower, 3)

// severalPeople are fewer than usual: two processes, their database and a proxy
// share what one board has otherwise.
func severalPeople() crowd { return crowd{readers: 6, writers: 6, newcomers: 2} }

// TestSeveralRestartInTurn restarts two processes one after the other behind a
// proxy, again and again. Nobody notices: each request is answered, and nothing
// is lost.
func TestSeveralRestartInTurn(t *testing.T) {
	dice := newDice(t)
	v := newSeveral(t, 2, "--drain-delay", drainDelay.String())
	t.Parallel() // it waits much of the time
	v.sink.follow(slowly(dice, 60*time.Millisecond))
	b := newBalancer(t, v.each, true)
	n := rounds(t, 2, 20)
	l := newLoad(t, b.site(v), severalPeople())
	v.start()
	ready := func() {
		v.each[0].wait(10*time.Second, "not all are ready", b.allReady)
		<-time.After(lateness(dice))
	}
	ready()
	l.run(t, dice, severalPeople())
	for range n {
		for _, s := range v.each {
			ready()
			s.stop()
			s.start()
		}
	}
	ready()
	l.end()
	v.each[0].settle(30 * time.Second)
	v.stop()
	b.report(t)
	for _, c := range l.cutOff() {
		t.Errorf("a request was cut off: %v", c.err)
	}
	l.answered(t, http.StatusOK, http.StatusSeeOther)
	v.check(l)
}
