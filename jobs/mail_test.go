package jobs

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
	"madang/views"
)

// office is a store, a clock and a mail pool over some sender.
type office struct {
	store   *store.Store
	clock   *storetest.Clock
	pool    *Pool
	breaker *Breaker
	log     *lines
	tried   []Mail // each try of the sender
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
	o.open(t, sender)
	return o
}

// open begins work with a new breaker and a new pool, as a new process does.
func (o *office) open(t *testing.T, sender Sender) {
	t.Helper()
	o.log = new(lines)
	o.breaker, o.pool = newMailPool(t, PoolOptions{
		Store: o.store, Workers: 1, Now: o.clock.Now, Log: slog.New(slog.NewTextHandler(io.MultiWriter(o.log, t.Output()), nil)),
	}, watched{sender, o})
}

// newMailPool adds to the options what every pool of mails has.
func newMailPool(t *testing.T, options PoolOptions, sender Sender) (*Breaker, *Pool) {
	t.Helper()
	breaker, err := NewBreaker(BreakerOptions{Alarm: store.AlarmMail, Store: options.Store, Log: options.Log, Now: options.Now})
	if err != nil {
		t.Fatal(err)
	}
	site := views.Site{Name: "Madang", BaseURL: testBase, Prefix: "/board", Zone: time.UTC}
	mailer, err := NewMailer(options.Store, breaker.Guard(sender), site)
	if err != nil {
		t.Fatal(err)
	}
	options.Name, options.Handlers, options.Breaker = "mail", mailer.Handlers(), breaker
	pool, err := NewPool(options)
	if err != nil {
		t.Fatal(err)
	}
	return breaker, pool
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

func TestAMailWhoseAnswerIsLostGoesOutAgainAsTheSame(t *testing.T) {
	for _, reply := range []string{drop, "nonsense"} {
		server := newScriptedServer(t, fault{verb: "taken", reply: reply, times: 1})
		o := newOffice(t, newTestSMTP(t, server.url()))
		storetest.Signup(t, o.store)
		for range 3 {
			o.pool.work(t)
			o.clock.Advance(time.Minute)
		}
		wantStates(t, o.store, map[string]int64{store.Done: 1})
		mails := server.mails()
		if len(mails) != 2 {
			t.Fatalf("%d mails, want two of one", len(mails))
		}
		checkSameMail(t, o.tried)
		if a, b := mails[0].parse(t).Header.Get("Message-Id"), mails[1].parse(t).Header.Get("Message-Id"); a != b {
			t.Errorf("sent as %s and as %s", a, b)
		}
	}
}

func TestAMailThatIsCutOffHalfWayGoesOutOnce(t *testing.T) {
	for _, verb := range []string{"RCPT", "DATA", "dot"} {
		server := newScriptedServer(t, fault{verb: verb, reply: drop, times: 1})
		o := newOffice(t, newTestSMTP(t, server.url()))
		storetest.Signup(t, o.store)
		o.pool.work(t)
		wantStates(t, o.store, map[string]int64{store.Scheduled: 1})
		o.clock.Advance(time.Minute)
		o.pool.work(t)
		wantStates(t, o.store, map[string]int64{store.Done: 1})
		if n := len(server.mails()); n != 1 {
			t.Errorf("%s: %d mails", verb, n)
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
	if _, err := o.store.Resend(t.Context(), store.Resend{SignupID: signup}); err != nil {
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
	s := storetest.New(t)
	for range 5 {
		storetest.Signup(t, s)
	}
	_, pool := newMailPool(t, PoolOptions{Store: s, Workers: 5, Log: testLog(t)}, newTestSMTP(t, server.url()))
	began := time.Now()
	pool.runInTest(t)
	server.await(t, 5)
	if took := time.Since(began); took > 900*time.Millisecond {
		t.Errorf("five mails of 200 ms took %s", took)
	}
}
