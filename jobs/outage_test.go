package jobs

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// alarm returns the reason of the alarm that stands, "" when none does.
func (o *office) alarm(t *testing.T) string {
	t.Helper()
	alarms, err := o.store.Alarms(t.Context())
	if err != nil || len(alarms) > 1 {
		t.Fatal(alarms, err)
	}
	for _, a := range alarms {
		return a.Reason
	}
	return ""
}

// pass lets the clock go on in steps, with a claim at each.
func (o *office) pass(t *testing.T, d, each time.Duration) {
	t.Helper()
	for end := o.clock.Now().Add(d); o.clock.Now().Before(end); o.clock.Advance(each) {
		o.pool.work(t)
	}
}

func TestAWrongPasswordForAnHourCostsNoMailAnything(t *testing.T) {
	server := newScriptedServer(t, fault{verb: "AUTH", reply: "535 5.7.8 wrong password"})
	server.extensions = append(server.extensions, "AUTH PLAIN LOGIN")
	o := newOffice(t, newTestSMTP(t, loginURL(server)))
	const mails = 8
	for range mails {
		storetest.Signup(t, o.store)
	}
	o.pass(t, time.Hour, time.Second)
	wantStates(t, o.store, map[string]int64{store.Available: mails})
	if n := len(o.tried); n < 60 || n > 95 {
		t.Errorf("%d probes in an hour", n)
	}
	if got := o.alarm(t); !strings.Contains(got, `535 "5.7.8 wrong password"`) {
		t.Errorf("the alarm says %q", got)
	}

	server.script()
	o.pass(t, time.Minute+mails*time.Second, time.Second) // until the next probe; then one mail a step
	wantStates(t, o.store, map[string]int64{store.Done: mails})
	if got := len(server.mails()); got != mails {
		t.Errorf("%d mails went out", got)
	}
	if got := o.alarm(t); got != "" {
		t.Errorf("the alarm still says %q", got)
	}
	if begins, ends := o.log.count("out of order"), o.log.count("in order again"); begins != 1 || ends != 1 {
		t.Errorf("%d lines when it began, %d when it ended", begins, ends)
	}
	if n := o.log.count("attempt=1 "); n != mails {
		t.Errorf("%d mails were sent at their first attempt", n)
	}
}

func TestAnOutageOfDaysKillsNoMail(t *testing.T) {
	sender := newTestSMTP(t, "smtp://"+closedPort(t)+"?tls=none")
	o := newOffice(t, sender)
	signup := storetest.Signup(t, o.store)
	o.pass(t, 5*24*time.Hour, time.Hour)
	wantStates(t, o.store, map[string]int64{store.Available: 1})
	if got := o.delivery(t, signup); got != store.Queued {
		t.Errorf("delivery is %s", got)
	}

	sender.server = newTestSMTP(t, newScriptedServer(t).url()).server
	o.pass(t, 2*time.Minute, time.Second)
	wantStates(t, o.store, map[string]int64{store.Done: 1})
	checkSameMail(t, o.tried)
}

func TestEachOutageIsNoFaultOfTheMail(t *testing.T) {
	for _, f := range []fault{
		{verb: "banner", reply: "554 5.3.2 no service"},
		{verb: "banner", reply: "421 4.3.2 too busy"},
		{verb: "banner", reply: drop},
		{verb: "MAIL", reply: "550 5.7.1 not from you"},
	} {
		server := newScriptedServer(t, f)
		o := newOffice(t, newTestSMTP(t, server.url()))
		storetest.Signup(t, o.store)
		o.pool.work(t)
		wantStates(t, o.store, map[string]int64{store.Available: 1})
		if o.alarm(t) == "" {
			t.Errorf("%s %s: no alarm", f.verb, f.reply)
		}
		if j, err := o.store.ClaimJobs(t.Context(), []string{store.KindVerifyMail}, 1, time.Minute); err != nil || len(j) != 1 || j[0].Attempt != 1 {
			t.Errorf("%s %s: claimed %v (%v)", f.verb, f.reply, j, err)
		}
	}
}

func TestAGreylistedProbeShowsThatTheServerWorks(t *testing.T) {
	server := newScriptedServer(t, fault{verb: "banner", reply: drop, times: 1}, fault{verb: "RCPT", reply: "451 4.7.1 greylisted", times: 1})
	o := newOffice(t, newTestSMTP(t, server.url()))
	storetest.Signup(t, o.store)
	storetest.Signup(t, o.store)
	o.pool.work(t)
	o.clock.Advance(time.Second)
	o.pool.work(t)
	if o.breaker.isOpen() || o.alarm(t) != "" {
		t.Error("it still counts as out of order")
	}
	o.pool.work(t)
	wantStates(t, o.store, map[string]int64{store.Scheduled: 1, store.Done: 1})
}

func TestAProbeThatSendsNothingShowsNothing(t *testing.T) {
	server := newScriptedServer(t, fault{verb: "banner", reply: drop})
	o := newOffice(t, newTestSMTP(t, server.url()))
	signup := storetest.Signup(t, o.store)
	o.pool.work(t)
	if _, err := o.store.Resend(t.Context(), store.Resend{SignupID: signup}); err != nil {
		t.Fatal(err)
	}
	o.clock.Advance(time.Second)
	o.pool.work(t) // the mail that was replaced
	wantStates(t, o.store, map[string]int64{store.Available: 1, store.Done: 1})
	if !o.breaker.isOpen() {
		t.Error("it counts as in order")
	}
	o.pool.work(t)
	if len(o.tried) != 2 {
		t.Errorf("%d tries, want another at once", len(o.tried))
	}
}

func TestANewProcessTakesTheAlarmOfTheLastOneBack(t *testing.T) {
	server := newScriptedServer(t, fault{verb: "banner", reply: drop, times: 1})
	sender := newTestSMTP(t, server.url())
	o := newOffice(t, sender)
	storetest.Signup(t, o.store)
	o.pool.work(t)
	if o.alarm(t) == "" {
		t.Fatal("no alarm")
	}
	o.open(t, sender)
	o.pool.work(t)
	wantStates(t, o.store, map[string]int64{store.Done: 1})
	if got := o.alarm(t); got != "" {
		t.Errorf("the alarm still says %q", got)
	}
}

// script of results for a sender that is called in turn.
type turns []error

func (s *turns) Send(context.Context, Mail) error {
	err := (*s)[0]
	*s = (*s)[1:]
	return err
}

func TestWhatIsCutOffInAnOutageIsPartOfIt(t *testing.T) {
	o := newOffice(t, nil)
	cut, down := &stepError{stepRcpt, errors.New("EOF")}, Outage(errors.New("refused"))
	sender := o.breaker.Guard(&turns{cut, down, cut, nil, cut})
	for i, want := range []string{again, outage, outage, delivered, again} {
		if got := ending(sender.Send(t.Context(), letter)); got != want {
			t.Errorf("hand-over %d ended %s, want %s", i+1, got, want)
		}
	}
}

func TestAServerThatFlapsFillsNoLog(t *testing.T) {
	o := newOffice(t, nil)
	var results turns
	for range 1000 {
		results = append(results, Outage(errors.New("421 too many connections")), nil)
	}
	sender := o.breaker.Guard(&results)
	for len(results) > 0 {
		_ = sender.Send(t.Context(), letter)
		o.clock.Advance(10 * time.Millisecond)
	}
	if n := o.log.count("\n"); n > 2*2000/1000 { // 20 s
		t.Errorf("%d lines in 20 s", n)
	}
	if got := o.alarm(t); got != "" {
		t.Errorf("the alarm still says %q", got)
	}
}

func TestOnlyProbesLengthenThePauses(t *testing.T) {
	o := newOffice(t, nil)
	b, down := o.breaker, errors.New("refused")
	for range 5 { // five workers find out at once
		b.fail(t.Context(), down)
	}
	for _, longest := range []time.Duration{1, 2, 5, 15, 30, 60, 60, 60} {
		if limit, _ := b.allow(5, 1); limit != 0 {
			t.Error("a probe beside a job that is under way")
		}
		limit, rest := b.allow(5, 0)
		if limit != 0 || rest > longest*time.Second || rest < longest*time.Second/2 {
			t.Errorf("a rest of %s (%d jobs), want %d s", rest, limit, longest)
		}
		o.clock.Advance(rest)
		if limit, _ = b.allow(5, 0); limit != 1 {
			t.Errorf("%d probes", limit)
		}
		b.fail(t.Context(), down)
	}
	b.work(t.Context())
	if limit, _ := b.allow(5, 0); limit != 5 {
		t.Errorf("%d jobs once it works", limit)
	}
}

func TestTheFirstSuccessSetsAllWorkersFree(t *testing.T) {
	server := newScriptedServer(t, fault{verb: "banner", reply: "421 4.3.2 later"})
	server.slow = 200 * time.Millisecond
	s := storetest.New(t)
	const mails, workers = 12, 4
	for range mails {
		storetest.Signup(t, s)
	}
	sender := newTestSMTP(t, server.url())
	b, pool := newMailPool(t, PoolOptions{Store: s, Workers: workers, Log: testLog(t), Poll: time.Hour}, sender)
	pool.runInTest(t)
	eventually(t, "the breaker opens", b.isOpen)
	eventually(t, "all jobs are given back", func() bool { return states(t, s)[store.Available] == mails })
	server.script()
	server.await(t, mails)
	if got := server.busiest(); got != workers {
		t.Errorf("%d of %d workers were at work at once", got, workers)
	}
	eventually(t, "all is written down", func() bool { return states(t, s)[store.Done] == mails })
}
