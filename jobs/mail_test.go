package jobs

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
	"madang/views"
)

// post office: a store, a clock and a mail pool over some sender.
type office struct {
	store *store.Store
	clock *storetest.Clock
	pool  *Pool
	tried []Mail // each try of the sender
}

// watched notes what a sender is asked to send.
type watched struct {
	Sender
	office *office
}

func (w watched) Send(ctx context.Context, m Mail) error {
	w.office.tried = append(w.office.tried, m)
	return w.Sender.Send(ctx, m)
}

const testBase = "https://example.org/board"

// newOffice sends with one worker, so that the tries are in order.
func newOffice(t *testing.T, sender Sender) *office {
	t.Helper()
	o := &office{clock: storetest.NewClock(time.Now())}
	o.store = storetest.Open(t, store.Options{NoLimits: true, Now: o.clock.Now})
	if sender == nil {
		mailbox, err := NewMailbox(o.store)
		if err != nil {
			t.Fatal(err)
		}
		sender = mailbox
	}
	site := views.Site{Name: "Madang", BaseURL: testBase, Prefix: "/board", Zone: time.UTC}
	mailer, err := NewMailer(o.store, watched{sender, o}, site)
	if err != nil {
		t.Fatal(err)
	}
	o.pool, err = NewPool(PoolOptions{
		Name: "mail", Store: o.store, Handlers: mailer.Handlers(), Workers: 1, Log: testLog(t), Now: o.clock.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func (o *office) delivery(t *testing.T, signup int64) store.Delivery {
	t.Helper()
	su, err := o.store.SignupByID(t.Context(), signup)
	if err != nil {
		t.Fatal(err)
	}
	return su.Delivery
}

func TestGreylistedMailGoesOutUnchanged(t *testing.T) {
	server := newScriptedServer(t, fault{verb: "RCPT", reply: "451 4.7.1 greylisted", times: 2})
	o := newOffice(t, newTestSMTP(t, server.url()))
	signup := storetest.Signup(t, o.store)
	for range 2 {
		o.pool.work(t)
		wantStates(t, o.store, map[string]int64{store.Scheduled: 1})
		o.pool.work(t) // not due yet
		if got := o.delivery(t, signup); got != store.Queued {
			t.Errorf("delivery is %s", got)
		}
		o.clock.Advance(3 * time.Minute)
	}
	o.pool.work(t)
	wantStates(t, o.store, map[string]int64{store.Done: 1})
	if got := o.delivery(t, signup); got != store.Sent {
		t.Errorf("delivery is %s", got)
	}
	if len(o.tried) != 3 || len(server.mails()) != 1 {
		t.Fatalf("%d tries, %d mails", len(o.tried), len(server.mails()))
	}
	checkSameMail(t, o.tried)
	if got, want := server.mails()[0].parse(t).Header.Get("Message-Id"), "<"+o.tried[0].MessageID+"@example.org>"; got != want {
		t.Errorf("Message-ID %s, want %s", got, want)
	}
}

// checkSameMail wants all tries alike in what the reader uses.
func checkSameMail(t *testing.T, tried []Mail) {
	t.Helper()
	first := tried[0]
	if first.MessageID == "" || len(first.Code) != 6 || !strings.HasPrefix(first.Link, testBase+"/auth/verify?token=") {
		t.Errorf("incomplete mail: %+v", first)
	}
	if !strings.Contains(first.Text, first.Link) || !strings.Contains(first.Text, first.Code) {
		t.Errorf("link or code is missing in the text:\n%s", first.Text)
	}
	for _, m := range tried[1:] {
		if m.MessageID != first.MessageID || m.Link != first.Link || m.Code != first.Code || m.To != first.To {
			t.Errorf("a retry differs:\n%s", cmp.Diff(first, m))
		}
	}
}

func TestTakenMailIsDoneWhateverTheLineDoesAfterwards(t *testing.T) {
	for _, f := range []fault{
		{verb: "QUIT", reply: drop}, {verb: "QUIT", reply: "421 closing"}, {verb: "RSET", reply: "502 no"}, {verb: "RSET", reply: drop},
	} {
		server := newScriptedServer(t, f)
		o := newOffice(t, newTestSMTP(t, server.url()))
		storetest.Signup(t, o.store)
		o.pool.work(t)
		o.clock.Advance(time.Hour)
		o.pool.work(t)
		wantStates(t, o.store, map[string]int64{store.Done: 1})
		if len(server.mails()) != 1 {
			t.Errorf("%s %s: %d mails", f.verb, f.reply, len(server.mails()))
		}
	}
}

func TestARefusedRecipientIsDeadAtOnceAndSeen(t *testing.T) {
	server := newScriptedServer(t, fault{verb: "RCPT", reply: "550 5.1.1 no such user"})
	o := newOffice(t, newTestSMTP(t, server.url()))
	signup := storetest.Signup(t, o.store)
	o.pool.work(t)
	wantStates(t, o.store, map[string]int64{store.Dead: 1})
	if got := o.delivery(t, signup); got != store.Failed {
		t.Errorf("delivery is %s", got)
	}
}

func TestMailWaitsForAServerThatIsDown(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	down := "smtp://" + listener.Addr().String() + "?tls=none"
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	sender := newTestSMTP(t, down)
	o := newOffice(t, sender)
	storetest.Signup(t, o.store)
	o.pool.work(t)
	wantStates(t, o.store, map[string]int64{store.Scheduled: 1})

	server := newScriptedServer(t)
	sender.server = newTestSMTP(t, server.url()).server
	o.clock.Advance(time.Minute)
	o.pool.work(t)
	wantStates(t, o.store, map[string]int64{store.Done: 1})
	checkSameMail(t, o.tried)
}

func TestAKnownAddressIsToldSoWithoutLinkOrCode(t *testing.T) {
	o := newOffice(t, nil)
	member := storetest.Member(t, o.store)
	_, err := o.store.SignUp(t.Context(), store.NewSignup{
		Email: member.Email, Nickname: "somebody-else", Name: "x", Password: storetest.Password, Lang: "ko",
	})
	if err != nil {
		t.Fatal(err)
	}
	o.pool.work(t)
	if len(o.tried) != 1 {
		t.Fatalf("%d mails", len(o.tried))
	}
	m := o.tried[0]
	if m.To != member.Email || m.Lang != "ko" || m.Link != "" || m.Code != "" || strings.Contains(m.Text+m.HTML, "token=") {
		t.Errorf("sent %+v", m)
	}
}

func TestASupersededMailIsDoneUnsent(t *testing.T) {
	o := newOffice(t, nil)
	signup := storetest.Signup(t, o.store)
	if err := o.store.Resend(t.Context(), store.Resend{SignupID: signup}); err != nil {
		t.Fatal(err)
	}
	o.pool.work(t)
	o.pool.work(t)
	wantStates(t, o.store, map[string]int64{store.Done: 2})
	if len(o.tried) != 1 {
		t.Errorf("%d mails went out", len(o.tried))
	}
}

func TestTheMailboxKeepsWhatWasSent(t *testing.T) {
	o := newOffice(t, nil)
	storetest.Signup(t, o.store)
	o.pool.work(t)
	kept, err := o.store.Mailbox(t.Context(), "", 10)
	if err != nil || len(kept) != 1 {
		t.Fatal(kept, err)
	}
	m := o.tried[0]
	want := store.MailboxMail{
		ID: kept[0].ID, At: kept[0].At, To: m.To, Subject: m.Subject, Text: m.Text, HTML: m.HTML, Link: m.Link, Code: m.Code,
	}
	if diff := cmp.Diff(want, kept[0]); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestAPoolOfFiveKeepsASlowServerBusy(t *testing.T) {
	server := newScriptedServer(t)
	server.slow = 200 * time.Millisecond
	o := newOffice(t, newTestSMTP(t, server.url()))
	for range 5 {
		storetest.Signup(t, o.store)
	}
	mailer, err := NewMailer(o.store, newTestSMTP(t, server.url()), views.Site{Name: "Madang", BaseURL: testBase, Zone: time.UTC})
	if err != nil {
		t.Fatal(err)
	}
	pool, err := NewPool(PoolOptions{Name: "mail", Store: o.store, Handlers: mailer.Handlers(), Workers: 5, Log: testLog(t)})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	pool.runInTest(t)
	server.await(t, 5)
	if took := time.Since(began); took > 900*time.Millisecond {
		t.Errorf("five mails of 200 ms took %s", took)
	}
}
