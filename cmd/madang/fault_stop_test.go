package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"madang/store"
)

// TestFaultStopUnderLoad asks a busy board to stop, several times: it ends by
// itself, and what had been asked before is answered.
func TestFaultStopUnderLoad(t *testing.T) {
	dice := newDice(t)
	s := newSite(t)
	n := rounds(t, 3, 40)
	s.sink.follow(slowly(dice, 60*time.Millisecond))
	l := newLoad(t, s, usualCrowd())
	l.run(t, dice, usualCrowd())
	later := 0
	for range n {
		s.start()
		<-time.After(lateness(dice))
		asked := time.Now()
		s.stop()
		for _, c := range l.cutOff() {
			if c.sent.Before(asked) && !c.waited {
				t.Errorf("cut off %v after it was sent, which was before the stop: %v", c.ended.Sub(c.sent), c.err)
			} else {
				later++
			}
		}
	}
	l.end()
	t.Logf("%d requests came too late", later)
	s.start()
	s.settle(30 * time.Second)
	s.stop()
	l.answered(t, http.StatusOK, http.StatusSeeOther)
	checkAll(t, s, l)
}

// TestFaultStopDuringHandOver: a mail that is taken in time is done; one that
// the server thinks about for too long is given back and goes out again.
func TestFaultStopDuringHandOver(t *testing.T) {
	for _, c := range []struct {
		thinks   time.Duration
		state    string
		attempts string
		mails    int
	}{
		{time.Second, store.Done, "1", 1},
		{time.Minute, store.Available, "0", 2},
	} {
		t.Run(c.thinks.String(), func(t *testing.T) {
			m := newMailTest(t)
			thought, stop := context.WithTimeout(t.Context(), c.thinks)
			t.Cleanup(stop)
			m.sink.follow(func(at moment) string {
				if at.verb == kept {
					<-thought.Done()
				}
				return usual
			})
			m.start()
			m.join("somebody")
			m.wait(5*time.Second*slower, "no mail is handed over", func() bool { return m.sink.times(kept) > 0 })
			m.stop()
			stop()
			m.wantJob("somebody", c.state, c.attempts)
			if c.state != store.Done {
				m.retold[m.sink.all()[0].id]++
			}
			m.start()
			m.settle(5 * time.Second * slower)
			m.wantMails("somebody", c.mails)
			m.finish()
		})
	}
}

// TestFaultSecondSignal: whoever does not want to wait for the stop says so.
func TestFaultSecondSignal(t *testing.T) {
	m := newMailTest(t)
	m.sink.follow(hangOnce("DATA"))
	p := m.start()
	m.join("somebody")
	m.wait(5*time.Second*slower, "the mail does not hang", func() bool { return m.sink.times("DATA") > 0 })
	p.signal(syscall.SIGTERM)
	m.wait(5*time.Second*slower, "it does not stop", func() bool { return len(m.logged("msg=stopping")) > 0 })
	begin := time.Now()
	m.wait(2*time.Second*slower, "it has not ended", func() bool { p.signal(syscall.SIGTERM); return m.running() == nil })
	if !killed(p.err) {
		t.Errorf("it ended after %v with: %v", time.Since(begin), p.err)
	}
	m.look()
	m.start()
	m.settle(5 * time.Second * slower)
	m.wantMails("somebody", 1)
	m.finish()
}

// TestFaultKilledWhileStarting kills the board in the middle of its start,
// again and again: on an empty directory and on one with work to take back.
func TestFaultKilledWhileStarting(t *testing.T) {
	t.Parallel() // on PostgreSQL it waits for leases to end
	dice := newDice(t)
	s := newSite(t)
	n := rounds(t, 12, 100)
	longest := 200 * time.Millisecond * min(slower, 3)
	s.sink.follow(func(moment) string { return drop })
	for fresh := 0; fresh < n; fresh += 4 {
		s.data = newData(t)
		s.database = databaseOf(s.data)
		for range 4 {
			p, said := launch(t, s.log, s.data, s.env, s.args...)
			go p.ready(said)
			<-time.After(time.Duration(dice.Int64N(int64(longest))))
			p.kill()
		}
		s.start()
		s.stop()
		checkFile(t, s.path(), s.data)
	}
	l := newLoad(t, s, crowd{writers: 2})
	s.start()
	for i := range 5 {
		(&user{load: l, n: i, client: newClient(s, "somebody")}).signUp(t.Context(), fmt.Sprint("somebody", i))
	}
	s.kill()
	for range n {
		p, said := launch(t, s.log, s.data, s.env, s.args...)
		go p.ready(said)
		<-time.After(time.Duration(dice.Int64N(int64(longest))))
		p.kill()
		s.look()
	}
	s.sink.follow(func(moment) string { return usual })
	s.start()
	s.settle(30 * time.Second * slower)
	s.stop()
	checkAll(t, s, l)
}

// TestFaultPeopleWhoLeave lets people go away at any moment of a request:
// nothing stays open behind them, and who comes next is served.
func TestFaultPeopleWhoLeave(t *testing.T) {
	dice := newDice(t)
	s := newSite(t)
	n := rounds(t, 1500/slower, 20_000)
	l := newLoad(t, s, usualCrowd())
	p := s.start()
	people := make([]*user, 8)
	for i := range people {
		people[i] = &user{load: l, n: i, member: l.members[i], dice: rand.New(rand.NewPCG(dice.Uint64(), 0))}
		people[i].client = people[i].newClient()
		people[i].logIn(t.Context())
	}
	before := openFiles(t, p)
	if s.database != "" {
		before += 64 // the connections to the server, which are kept for a while
	}
	leaveAll(t, people, n/2)
	memory := residentMemory(t, p.cmd.Process.Pid)
	leaveAll(t, people, n/2)
	if more := residentMemory(t, p.cmd.Process.Pid) - memory; more > 64<<20 {
		t.Errorf("the second half of them left %d MB behind", more>>20)
	}
	_, unknown := l.ledger.count()
	for i := range 200 {
		people[i%len(people)].writePost(t.Context())
	}
	if _, now := l.ledger.count(); now != unknown {
		t.Errorf("%d of 200 posts were not acknowledged", now-unknown)
	}
	for _, u := range people {
		u.client.close()
	}
	s.wait(20*time.Second, "files are still open", func() bool { return openFiles(t, p) <= before })
	if s.database == "" && fileSize(t, s.path()+"-wal") > 64<<20 {
		t.Errorf("the log of the database has %d bytes", fileSize(t, s.path()+"-wal"))
	}
	s.settle(30 * time.Second)
	s.stop()
	t.Logf("%d requests were left; %d MB", unknown, memory>>20)
	l.answered(t, http.StatusOK, http.StatusSeeOther)
	checkAll(t, s, l)
}

func leaveAll(t *testing.T, people []*user, times int) {
	t.Helper()
	var all sync.WaitGroup
	for _, u := range people {
		all.Go(func() { u.leave(t.Context(), times/len(people)) })
	}
	all.Wait()
}

// leave begins many things and waits for none of them long enough.
func (u *user) leave(ctx context.Context, times int) {
	for range times {
		patience := time.Duration(u.dice.Int64N(int64(15 * time.Millisecond * min(slower, 3))))
		short, leave := context.WithTimeout(ctx, patience)
		u.write(short)
		leave()
	}
	u.client.close()
}

// openFiles is how many files and connections a process has open.
func openFiles(t *testing.T, p *process) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/" + strconv.Itoa(p.cmd.Process.Pid) + "/fd")
	if os.IsNotExist(err) {
		return 0 // not Linux, or it has ended
	}
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}
