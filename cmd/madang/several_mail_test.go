package main

import (
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"madang/store"
)

// leaseOfAJob is how long a worker that gives no sign of life keeps its job.
const leaseOfAJob = 30 * time.Second

// joinAt signs somebody up at the process of a load.
func joinAt(t *testing.T, l *load, name string) {
	t.Helper()
	m := &mailTest{site: l.site, load: l}
	m.t = t
	m.join(name)
}

// jobOf is what the database says of the newest mail to somebody: the job, and
// what became of each attempt.
func (v *several) jobOf(name string) (state string, attempts []string) {
	v.t.Helper()
	for _, row := range v.rows(`SELECT j.state, j.attempt, COALESCE(j.lease, ''), COALESCE(j.finished_at, 0),
		COALESCE(a.attempt, 0), COALESCE(a.outcome, ''), COALESCE(a.ended_at, 0)
		FROM signups AS s JOIN jobs AS j ON j.id = s.job_id LEFT JOIN job_attempts AS a ON a.job_id = j.id
		WHERE s.email_key = $1 ORDER BY a.attempt`, name+"@example.com") {
		state = fmt.Sprint(row[:4])
		attempts = append(attempts, fmt.Sprint(row[4:]))
	}
	return state, attempts
}

// wantOutcomes fails the test unless the attempts of somebody's mail ended so.
func (v *several) wantOutcomes(name string, want ...store.Outcome) {
	v.t.Helper()
	var got []store.Outcome
	for _, row := range v.rows(`SELECT a.outcome FROM signups AS s JOIN job_attempts AS a ON a.job_id = s.job_id
		WHERE s.email_key = $1 ORDER BY a.attempt`, name+"@example.com") {
		got = append(got, store.Outcome(row[0]))
	}
	if !slices.Equal(got, want) {
		v.t.Errorf("the attempts to mail %s ended as %v, want %v", name, got, want)
	}
}

func (v *several) mails(name string) []accepted { return v.sink.to(name + "@example.com") }

// TestSeveralMailsOfAKilledProcess kills a process that hands two mails over:
// one has not been taken, of the other it does not know. Another process sends
// both once the leases have ended, and keeps nobody else waiting until then.
func TestSeveralMailsOfAKilledProcess(t *testing.T) {
	v := newSeveral(t, 2)
	t.Parallel() // it waits most of the time
	loads := v.loads(crowd{writers: 1})
	v.sink.follow(misbehave(map[string]faulty{"begun": {"DATA", hang, 1}, "unsure": {kept, hang, 1}}))
	doomed := v.each[0].start()
	joinAt(t, loads[0], "begun")
	joinAt(t, loads[0], "unsure")
	v.each[0].wait(10*time.Second*slower, "the mails are not under way", func() bool {
		return v.sink.times("DATA") == 2 && v.sink.times(kept) == 1
	})
	v.each[1].start()
	doomed.kill()
	killed := time.Now()
	v.each[0].retold[v.mails("unsure")[0].id]++
	for n := 0; len(v.mails("begun")) == 0 || len(v.mails("unsure")) < 2; n++ {
		if time.Since(killed) > leaseOfAJob+10*time.Second {
			t.Fatalf("%v after its process was killed a mail has not been sent", time.Since(killed))
		}
		name := fmt.Sprint("fresh", n)
		joinAt(t, loads[1], name)
		v.each[1].wait(3*time.Second*slower, name+" gets no mail", func() bool { return len(v.mails(name)) == 1 })
		<-time.After(500 * time.Millisecond) // so that others get to do something
	}
	took := time.Since(killed)
	t.Logf("the mails of the killed process were sent %v after its end", took)
	if took < leaseOfAJob/2 {
		t.Errorf("the jobs were taken over %v after the last sign of life", took)
	}
	v.each[1].settle(10 * time.Second * slower)
	v.wantOutcomes("begun", store.OutcomeLost, store.OutcomeDone)
	v.wantOutcomes("unsure", store.OutcomeLost, store.OutcomeDone)
	v.each[1].stop()
	v.check(loads[1])
}

// TestSeveralWorkerStoppedBeyondItsLease stops a process while it hands a mail
// over until another has taken the job and ended it. When the first wakes up
// it changes nothing, and goes on with what is new.
func TestSeveralWorkerStoppedBeyondItsLease(t *testing.T) {
	v := newSeveral(t, 2)
	t.Parallel() // it waits most of the time
	loads := v.loads(crowd{writers: 1})
	woken := make(chan struct{})
	first := make(chan struct{}, 1)
	v.sink.follow(func(m moment) string {
		if m.verb != dot {
			return usual
		}
		select {
		case first <- struct{}{}: // of the one that is stopped
			select {
			case <-woken:
			case <-t.Context().Done():
			}
		default:
		}
		return usual
	})
	stopped := v.each[0].start()
	joinAt(t, loads[0], "somebody")
	v.each[0].wait(10*time.Second*slower, "no mail is handed over", func() bool { return v.sink.times(dot) > 0 })
	v.each[1].start()
	stopped.signal(syscall.SIGSTOP)
	if !*soak { // as if it had been stopped for so long already
		v.rows(`UPDATE jobs SET lease_until = lease_until - $1 WHERE state = 'running' RETURNING id`, leaseOfAJob.Milliseconds())
	}
	v.each[1].wait(leaseOfAJob+20*time.Second, "nobody takes the job over", func() bool { return v.each[1].open() == "0" })
	state, attempts := v.jobOf("somebody")
	v.wantOutcomes("somebody", store.OutcomeLost, store.OutcomeDone)
	stopped.signal(syscall.SIGCONT)
	close(woken)
	v.each[0].wait(10*time.Second*slower, "the worker has not ended", func() bool { return len(v.each[0].logged("lost its lease")) > 0 })
	if now, history := v.jobOf("somebody"); now != state || !slices.Equal(history, attempts) {
		t.Errorf("the job was %s %v and is %s %v since the worker woke up", state, attempts, now, history)
	}
	v.each[0].retold[v.mails("somebody")[0].id]++
	joinAt(t, loads[0], "later")
	v.each[0].wait(10*time.Second*slower, "no mail goes out any more", func() bool { return len(v.mails("later")) == 1 })
	v.each[1].settle(10 * time.Second * slower)
	v.stop()
	v.check(loads[0])
}
