package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// load is people who use a board, each doing one thing after the other.
type load struct {
	site    *site
	ledger  *ledger
	secrets *secrets
	members []store.User

	stop   context.CancelFunc
	people sync.WaitGroup

	mu       sync.Mutex
	posts    []place
	statuses map[int]int
	cut      int // requests that ended without an answer
	sent     []cutRequest
}

// place is a post and who wrote it.
type place struct{ id, author int64 }

// crowd is how many people of each kind there are.
type crowd struct{ readers, writers, newcomers int }

func (c crowd) size() int { return c.readers + c.writers + c.newcomers }

// usualCrowd is 28 people. What newcomers and logins ask for is bounded by the
// hashing of passwords; readers are bounded by nothing.
func usualCrowd() crowd { return crowd{readers: 14, writers: 10, newcomers: 4} }

// newLoad makes the members of a board that is not running yet, and a post of
// each.
func newLoad(t *testing.T, s *site, c crowd) *load {
	t.Helper()
	l := &load{site: s, ledger: newLedger(t), secrets: &secrets{}, stop: func() {}, statuses: map[int]int{}}
	l.secrets.add(storetest.Password, password)
	db := openStore(t, s.path(), s.data)
	for range c.writers {
		u := storetest.Member(t, db)
		l.members = append(l.members, u)
		l.posts = append(l.posts, place{storetest.Post(t, db, u), u.ID})
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	// What was mailed to them went through no server.
	storetest.Rows(t, s.path(), `DELETE FROM jobs RETURNING id`)
	return l
}

// run lets people come until the test or the load ends.
func (l *load) run(t *testing.T, dice *rand.Rand, c crowd) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	l.stop = stop
	t.Cleanup(l.end)
	for n := range c.size() {
		u := &user{load: l, n: n, dice: rand.New(rand.NewPCG(dice.Uint64(), uint64(n)))}
		u.client = u.newClient()
		step := u.read
		switch {
		case n < c.writers:
			u.member = l.members[n]
			step = u.write
		case n < c.writers+c.newcomers:
			step = u.join
		}
		l.people.Go(func() {
			for ctx.Err() == nil {
				step(ctx)
			}
		})
	}
}

// end sends the people home and waits until the last has gone.
func (l *load) end() {
	l.stop()
	l.people.Wait()
}

// anyPost picks a post that somebody did not write.
func (l *load) anyPost(dice *rand.Rand, but int64) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		p := l.posts[dice.IntN(len(l.posts))]
		if p.author != but {
			return p.id
		}
	}
}

func (l *load) addPost(p place) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.posts = append(l.posts, p)
}

// saw counts an answer. Whatever is done to a board, its answers are no faults
// of the server unless a test expects them.
func (l *load) saw(a reply, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.cut++
		return
	}
	l.statuses[a.status]++
}

// lost notes a request that was sent and got no answer.
func (l *load) lost(c cutRequest) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = append(l.sent, c)
}

// cutOff returns the requests that were sent and got no answer, since the last
// time it was asked.
func (l *load) cutOff() []cutRequest {
	l.mu.Lock()
	defer l.mu.Unlock()
	sent := l.sent
	l.sent = nil
	return sent
}

// answered fails the test when there were answers with other statuses than
// these, or no answers at all.
func (l *load) answered(t *testing.T, statuses ...int) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	allowed := map[int]bool{}
	for _, s := range statuses {
		allowed[s] = true
	}
	for s, n := range l.statuses {
		if !allowed[s] {
			t.Errorf("%d answers with status %d", n, s)
		}
	}
	if l.statuses[http.StatusOK] == 0 {
		t.Error("nobody was answered: the test shows nothing")
	}
}

// report says how much happened, so that a test that shows nothing is seen.
func (l *load) report(t *testing.T) {
	t.Helper()
	sure, unknown := l.ledger.count()
	l.mu.Lock()
	defer l.mu.Unlock()
	t.Logf("acknowledged %v, unknown %d, statuses %v, cut off %d, mails %d", sure, unknown, l.statuses, l.cut, len(l.site.sink.all()))
}

// openStore opens a database that no process serves.
func openStore(t *testing.T, path, data string) *store.Store {
	t.Helper()
	db, err := (storage{Data: directory(data), Database: database(path)}).open(t.Context(), store.Options{NoLimits: true})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// user is one of the people.
type user struct {
	load   *load
	n      int
	dice   *rand.Rand
	client *client
	member store.User // of those who write
	inside bool       // logged in
	count  int        // things done
}

func (u *user) newClient() *client {
	c := newClient(u.load.site, fmt.Sprintf("person %d", u.n))
	c.cookies, c.cut = u.load.secrets, u.load.lost
	return c
}

// next numbers what a person does.
func (u *user) next() int { u.count++; return u.count }

func (u *user) get(ctx context.Context, path string) (reply, bool) {
	a, err := u.client.get(ctx, path)
	return u.take(ctx, a, err)
}

func (u *user) post(ctx context.Context, path string, fields ...string) (reply, bool) {
	a, err := u.client.post(ctx, path, fields...)
	return u.take(ctx, a, err)
}

// take counts an answer; without one, or when it is to come again, it rests a
// little, for the board or its database is probably gone. It reports whether
// there is an answer.
func (u *user) take(ctx context.Context, a reply, err error) (reply, bool) {
	if ctx.Err() != nil {
		return reply{}, false
	}
	u.load.saw(a, err)
	if err != nil || a.status == http.StatusServiceUnavailable {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return a, err == nil
}
