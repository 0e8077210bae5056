package jobs

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// sendMany hands so many mails over with so many workers.
func sendMany(t testing.TB, sender *SMTP, mails, workers int) (failed int64) {
	t.Helper()
	var next, failures atomic.Int64
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for n := next.Add(1); n <= int64(mails); n = next.Add(1) {
				m := letter
				m.MessageID = fmt.Sprint("mail-", n)
				if err := sender.Send(t.Context(), m); err != nil {
					failures.Add(1)
					t.Logf("mail %d: %v", n, err)
				}
			}
		})
	}
	all.Wait()
	return failures.Load()
}

// checkOnceEach wants each of the mails of sendMany exactly once.
func checkOnceEach(t *testing.T, server *scriptedServer, mails int) {
	t.Helper()
	seen := make(map[string]int)
	for _, m := range server.mails() {
		seen[m.parse(t).Header.Get("Message-Id")]++
	}
	for n := range mails {
		if got := seen[fmt.Sprintf("<mail-%d@example.org>", n+1)]; got != 1 {
			t.Errorf("mail %d was taken %d times", n+1, got)
		}
	}
}

func TestAHundredMailsOfFiveWorkersNeedFiveConnections(t *testing.T) {
	server := newScriptedServer(t)
	if failed := sendMany(t, newTestSMTP(t, server.url()), 100, 5); failed != 0 {
		t.Errorf("%d failed", failed)
	}
	checkOnceEach(t, server, 100)
	if n := server.connections(); n > 5 {
		t.Errorf("%d connections", n)
	}
}

func TestAPoolReusesItsConnections(t *testing.T) {
	server := newScriptedServer(t)
	s := storetest.New(t)
	const mails = 40
	for range mails {
		storetest.Signup(t, s)
	}
	_, pool := newMailPool(t, PoolOptions{Store: s, Workers: 5, Log: discard()}, newTestSMTP(t, server.url()))
	pool.runInTest(t)
	server.await(t, mails)
	eventually(t, "all is written down", func() bool { return states(t, s)[store.Done] == mails })
	if n := server.connections(); n > 5 {
		t.Errorf("%d connections", n)
	}
}

func TestADeadConnectionCostsNoMailATry(t *testing.T) {
	for _, enough := range []string{drop, "421 4.7.0 enough of you", "451 4.7.0 enough of you", "550 5.7.0 too many mails"} {
		t.Run(enough, func(t *testing.T) {
			t.Parallel()
			server := newScriptedServer(t)
			server.most, server.enough = 3, enough
			sender := newTestSMTP(t, server.url())
			const mails, workers = 30, 3
			if failed := sendMany(t, sender, mails, workers); failed != 0 {
				t.Errorf("%d failed", failed)
			}
			checkOnceEach(t, server, mails)
			if n := server.connections(); n > mails/3+workers {
				t.Errorf("%d connections", n)
			}
		})
	}
}

func TestAConnectionThatDiesBetweenTwoMailsIsDialledAgain(t *testing.T) {
	server := newScriptedServer(t)
	sender := newTestSMTP(t, server.url())
	if failed := sendMany(t, sender, 1, 1); failed != 0 {
		t.Fatal("the first failed")
	}
	l := sender.lines.take()
	_ = l.conn.Close() // as a router does that forgot it
	sender.lines.put(l, time.Minute)
	if err := sender.Send(t.Context(), letter); err != nil {
		t.Error(err)
	}
	if n := server.connections(); n != 2 {
		t.Errorf("%d connections", n)
	}
}

func TestAMailThatWasBegunIsNotSentOnASecondConnection(t *testing.T) {
	server := newScriptedServer(t)
	sender := newTestSMTP(t, server.url())
	if err := sender.Send(t.Context(), letter); err != nil {
		t.Fatal(err)
	}
	server.script(fault{verb: "taken", reply: drop, times: 1})
	if got := ending(sender.Send(t.Context(), letter)); got != again {
		t.Errorf("ended %s, want %s", got, again)
	}
	if n := len(server.mails()); n != 2 {
		t.Errorf("%d mails taken, want the second once", n)
	}
}

func TestARefusedRecipientLeavesTheConnectionOpen(t *testing.T) {
	server := newScriptedServer(t, fault{verb: "RCPT", reply: "550 5.1.1 no such user", times: 1})
	sender := newTestSMTP(t, server.url())
	if got := ending(sender.Send(t.Context(), letter)); got != dead {
		t.Errorf("ended %s, want %s", got, dead)
	}
	if err := sender.Send(t.Context(), letter); err != nil {
		t.Error(err)
	}
	if n := server.connections(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

func TestAnIdleConnectionIsClosedWithALeave(t *testing.T) {
	server := newScriptedServer(t)
	sender := newTestSMTP(t, server.url())
	sender.patience.idle = 20 * time.Millisecond
	if err := sender.Send(t.Context(), letter); err != nil {
		t.Fatal(err)
	}
	eventually(t, "QUIT is said", func() bool { return server.heard("QUIT") })
	if err := sender.Send(t.Context(), letter); err != nil {
		t.Error(err)
	}
}

func TestAfterTheEndNoConnectionStaysOpen(t *testing.T) {
	server := newScriptedServer(t)
	sender := newTestSMTP(t, server.url())
	if failed := sendMany(t, sender, 20, 4); failed != 0 {
		t.Fatal("not all went out")
	}
	sender.Close()
	if got, want := server.count("QUIT"), server.connections(); got != want {
		t.Errorf("QUIT on %d of %d connections", got, want)
	}
	if err := sender.Send(t.Context(), letter); err != nil { // a late one
		t.Error(err)
	}
	if got, want := server.count("QUIT"), server.connections(); got != want {
		t.Errorf("QUIT on %d of %d connections", got, want)
	}
}

// BenchmarkSend shows what keeping connections saves against a server that is
// as near as can be.
func BenchmarkSend(b *testing.B) {
	for name, idle := range map[string]time.Duration{"kept": time.Minute, "one each": 0} {
		b.Run(name, func(b *testing.B) {
			server := newScriptedServer(b)
			sender := newTestSMTP(b, server.url())
			sender.patience.idle = idle
			if idle == 0 {
				sender.Close()
			}
			if failed := sendMany(b, sender, b.N, 5); failed != 0 {
				b.Errorf("%d failed", failed)
			}
			b.ReportMetric(float64(server.connections())/float64(b.N), "connections/mail")
		})
	}
}
