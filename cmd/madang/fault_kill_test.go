package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// lateness is how long people use the board before it is killed: at least 50 ms
// and no longer than this.
func lateness(dice *rand.Rand) time.Duration {
	longest := 800 * time.Millisecond
	if *soak {
		longest = 3 * time.Second
	}
	const least = 50 * time.Millisecond
	return least + time.Duration(dice.Int64N(int64(longest-least)))
}

// slowly lets the mail server think, so that mails are under way at any time.
func slowly(dice *rand.Rand, longest time.Duration) script {
	seeds := make(chan uint64, 1)
	seeds <- dice.Uint64()
	return func(m moment) string {
		if m.verb == dot || m.verb == kept {
			seed := <-seeds
			own := rand.New(rand.NewPCG(seed, 0))
			seeds <- own.Uint64()
			<-time.After(time.Duration(own.Int64N(int64(longest))))
		}
		return usual
	}
}

func TestFaultKilledAtRandomUnderLoad(t *testing.T) {
	t.Parallel() // on PostgreSQL it waits for leases to end
	dice := newDice(t)
	s := newSite(t)
	n := rounds(t, 30, 200)
	s.sink.follow(slowly(dice, 60*time.Millisecond))
	l := newLoad(t, s, usualCrowd())
	s.start()
	l.run(t, dice, usualCrowd())
	for range n {
		<-time.After(lateness(dice))
		s.kill()
		s.start()
	}
	<-time.After(lateness(dice))
	l.end()
	s.settle(30 * time.Second)
	s.stop()
	l.answered(t, http.StatusOK, http.StatusSeeOther)
	t.Logf("%d mails were on their way when their process was killed", len(s.retold))
	checkAll(t, s, l)
}

// place in the life of a mail at which the process is killed.
type killPlace struct {
	at string // the moment at the mail server, empty: right after the answer to the sign-up
	// most is how often the mail may arrive: twice where the board cannot know
	// that it has been taken.
	most int
}

func TestFaultKilledBetweenClaimHandOverAndCommit(t *testing.T) {
	places := []killPlace{{"", 1}, {banner, 1}, {"DATA", 1}, {begun, 1}, {dot, 1}, {kept, 2}, {taken, 2}}
	if storetest.OnPostgres() { // where each waits for a lease to end
		places = []killPlace{{"", 1}, {dot, 1}, {taken, 2}}
	}
	if *soak {
		places = append(places, killPlace{"EHLO", 1}, killPlace{"MAIL", 1}, killPlace{"RCPT", 1})
	}
	for _, place := range places {
		name := place.at
		if name == "" {
			name = "answered"
		}
		t.Run(name, func(t *testing.T) { killAt(t, place) })
	}
}

func killAt(t *testing.T, place killPlace) {
	t.Parallel() // it waits most of the time
	s := newSite(t)
	l := newLoad(t, s, crowd{})
	p, answered := s.start(), make(chan struct{})
	s.sink.follow(func(m moment) string {
		if m.verb == banner && place.at == "" {
			return drop // or the mail would be out before the answer is
		}
		if m.verb != place.at {
			return usual
		}
		<-answered
		p.kill()
		return drop
	})
	u := &user{load: l, client: newClient(s, "somebody")}
	e := u.signUp(t.Context(), "somebody")
	close(answered)
	if place.at == "" {
		p.kill()
	}
	if err := p.wait(10 * time.Second); !killed(err) || !e.Sure {
		t.Fatalf("the process ended with %v, the sign-up was acknowledged: %v", err, e.Sure)
	}
	s.look()
	s.sink.follow(func(moment) string { return usual })
	s.start()
	s.settle(10 * time.Second)
	s.stop()
	if n := len(s.sink.to(e.Key)); n < 1 || n > place.most {
		t.Errorf("the mail came %d times, want 1 to %d", n, place.most)
	}
	checkAll(t, s, l)
}

func TestFaultKilledRightAfterAnAnswer(t *testing.T) {
	t.Parallel() // it waits most of the time
	dice := newDice(t)
	s := newSite(t)
	l := newLoad(t, s, crowd{writers: 3})
	for range rounds(t, 2, 20) {
		for name, do := range map[deed]func(*user){
			signedUp:  func(u *user) { u.signUp(t.Context(), fmt.Sprint("n", u.n, "-", u.next())) },
			loggedIn:  func(u *user) { u.logIn(t.Context()) },
			posted:    func(u *user) { u.writePost(t.Context()) },
			commented: func(u *user) { u.comment(t.Context()) },
			liked:     func(u *user) { u.like(t.Context()) },
			viewed:    func(u *user) { u.read(t.Context()) },
		} {
			killAfter(t, l, dice, name, do)
		}
	}
	s.start()
	s.settle(10 * time.Second)
	s.stop()
	checkAll(t, s, l)
}

// killAfter kills the board in the moment in which something is acknowledged.
func killAfter(t *testing.T, l *load, dice *rand.Rand, name deed, do func(*user)) {
	t.Helper()
	p := l.site.start()
	u := &user{load: l, n: len(l.ledger.all()), dice: dice, member: l.members[0], count: dice.IntN(1 << 20)}
	u.client = u.newClient()
	if name != signedUp && name != loggedIn && name != viewed {
		u.logIn(t.Context())
	}
	if name == viewed {
		u.member = store.User{}
	}
	_, unknown := l.ledger.count()
	do(u)
	p.kill()
	if _, now := l.ledger.count(); now != unknown {
		t.Errorf("a %s was not acknowledged", name)
	}
	l.site.look()
}
