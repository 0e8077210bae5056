package main

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"madang/store"
)

// fill leaves so many mails to a member in the outbox of a site that is not
// running.
func (v *several) fill(to store.User, mails int) {
	v.t.Helper()
	db := openStore(v.t, v.url, v.each[0].data)
	var group errgroup.Group
	const hands = 8
	for hand := range hands {
		group.Go(func() error {
			for i := hand; i < mails; i += hands {
				r := store.Resend{Email: to.Email, Client: netip.IPv6Loopback()}
				if _, err := db.Resend(v.t.Context(), r); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		v.t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		v.t.Fatal(err)
	}
}

// TestSeveralSendEachMailOnce lets the sixteen workers of two processes empty
// an outbox that was full when they began.
func TestSeveralSendEachMailOnce(t *testing.T) {
	v := newSeveral(t, 2, "--mail-workers", "8")
	mails := rounds(t, 2000, 10_000)
	l := v.loads(crowd{writers: 1})[0]
	v.fill(l.members[0], mails)
	open := make(chan struct{})
	v.sink.follow(func(m moment) string {
		if m.verb == banner {
			<-open // for both at once
		}
		return usual
	})
	v.start()
	begun := time.Now()
	close(open)
	v.each[0].settle(2 * time.Minute)
	took := time.Since(begun)
	t.Logf("%d mails in %v: %.0f a second", mails, took.Round(time.Millisecond), float64(mails)/took.Seconds())
	v.stop()
	if got := v.rows(`SELECT COUNT(*) FROM jobs AS j JOIN job_attempts AS a ON a.job_id = j.id
		WHERE j.kind = 'account_mail' AND j.state = 'done' AND j.attempt = 1 AND a.attempt = 1 AND a.outcome = 'done'`)[0][0]; got != fmt.Sprint(mails) {
		t.Errorf("%s mails were sent in one attempt, want %d", got, mails)
	}
	if got := len(v.sink.all()); got != mails {
		t.Errorf("%d mails arrived, want %d", got, mails)
	}
	for i, s := range v.each {
		ended := len(s.logged("job ended"))
		t.Logf("process %d sent %d", i, ended)
		if ended < mails/20 {
			t.Errorf("process %d had next to no part in it", i)
		}
	}
	v.check(l)
}
