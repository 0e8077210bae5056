package jobs

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestHangingMailsFreeTheirWorkers(t *testing.T) {
	server := newScriptedServer(t, fault{verb: "RCPT", reply: hang, times: 2})
	s := storetest.New(t)
	for range 5 {
		storetest.Signup(t, s)
	}
	sender := newTestSMTP(t, server.url())
	sender.patience.send = 300 * time.Millisecond
	_, pool := newMailPool(t, PoolOptions{Store: s, Workers: 2, Log: discard()}, sender)
	pool.runInTest(t)
	server.await(t, 3)
	eventually(t, "the others wait for their retry", func() bool {
		got := states(t, s)
		return got[store.Done] == 3 && got[store.Scheduled] == 2
	})
}

func TestBadAddressesAtTheHeadHoldNobodyUp(t *testing.T) {
	server := newScriptedServer(t, fault{verb: "RCPT", reply: "451 4.1.1 unknown for now", times: 8})
	o := newOffice(t, newTestSMTP(t, server.url()))
	for range 9 {
		storetest.Signup(t, o.store)
	}
	o.pass(t, 9*time.Second, time.Second)
	wantStates(t, o.store, map[string]int64{store.Scheduled: 8, store.Done: 1})
	if len(o.tried) != 9 {
		t.Errorf("%d tries, want one each", len(o.tried))
	}
}

func TestAReaperWorksWhileAllWorkersAreStuck(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 2)
	lost, err := s.ClaimJobs(t.Context(), []string{store.KindViews}, 1, time.Millisecond) // by a process that died
	if err != nil || len(lost) != 1 {
		t.Fatal(lost, err)
	}
	stuck, finish := make(chan struct{}), make(chan struct{})
	var once sync.Once
	p := newPool(t, s, 1, func(context.Context, store.Job) error {
		once.Do(func() { close(stuck) })
		<-finish
		return nil
	})
	stop := p.runInTest(t)
	<-stuck
	r, err := NewReaper(s, discard(), store.KindViews)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- r.Run(ctx) }()
	eventually(t, "the lost job is available again", func() bool { return states(t, s)[store.Available] == 1 })
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	close(finish)
	stop()
}

func TestAnUnreadablePayloadIsDeadAndSaysSo(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 1)
	var log lines
	p := newPool(t, s, 1, func(context.Context, store.Job) error {
		return fmt.Errorf("read the mail: %w", Permanent(fmt.Errorf("%w: unexpected end of JSON", store.ErrPayload)))
	})
	p.opts.Log = textLog(&log)
	p.work(t)
	wantStates(t, s, map[string]int64{store.Dead: 1})
	if log.count("unexpected end of JSON") != 1 {
		t.Errorf("the log says %s", &log.buf)
	}
}

func TestAnObsoleteJobIsDoneWithoutAWord(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 1)
	p := newPool(t, s, 1, func(context.Context, store.Job) error {
		return errors.Join(errors.New("replaced"), ErrObsolete)
	})
	p.work(t)
	wantStates(t, s, map[string]int64{store.Done: 1})
}
