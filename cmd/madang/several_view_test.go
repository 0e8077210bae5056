package main

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// crowdOfReaders is people each of whom reads two posts through every process,
// again and again.
type crowdOfReaders struct {
	loads    []*load
	readers  int
	rounds   int
	answered atomic.Int64
}

// read lets some of them read at once and returns when all have.
func (c *crowdOfReaders) read(t *testing.T) {
	t.Helper()
	waiting := make(chan int)
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			for n := range waiting {
				c.one(t, n)
			}
		})
	}
	for n := range c.readers {
		waiting <- n
	}
	close(waiting)
	all.Wait()
}

// one is one reader. Who gets no answer asks no more that time.
func (c *crowdOfReaders) one(t *testing.T, n int) {
	people := make([]*user, len(c.loads))
	for i, l := range c.loads {
		people[i] = &user{load: l, n: n, client: newClient(l.site, fmt.Sprint("reader ", n))}
		defer people[i].client.close()
	}
	for range c.rounds {
		for _, u := range people {
			for _, p := range u.load.posts[:2] {
				if _, ok := u.view(t.Context(), p.id); ok {
					c.answered.Add(1)
				}
			}
		}
	}
}

// TestSeveralViewsAreExact lets hundreds read through three processes, one of
// which is killed and started again meanwhile.
func TestSeveralViewsAreExact(t *testing.T) {
	dice := newDice(t)
	v := newSeveral(t, 3)
	t.Parallel() // a batch in the hands of the killed one waits for its lease
	c := &crowdOfReaders{readers: rounds(t, 300, 3000), rounds: 2}
	c.loads = v.loads(crowd{writers: 2})
	v.start()
	var reading sync.WaitGroup
	reading.Go(func() { c.read(t) })
	all := int64(c.readers * c.rounds * len(v.each) * 2)
	victim, at := v.each[dice.IntN(len(v.each))], all/4+dice.Int64N(all/4)
	victim.wait(2*time.Minute, "nobody reads", func() bool { return c.answered.Load() >= at })
	victim.running().kill()
	victim.start()
	reading.Wait()
	t.Logf("killed after %d of %d answers; %d were given", at, all, c.answered.Load())
	victim.settle(leaseOfAJob + 15*time.Second*slower)
	v.stop()
	for _, l := range c.loads {
		l.answered(t, http.StatusOK)
	}
	want := fmt.Sprint(c.readers * 2) // who was cut off once was answered at another time
	for _, sum := range []string{`SELECT SUM(views) FROM posts`, `SELECT SUM(views) FROM post_days`, `SELECT COUNT(*) FROM viewers`} {
		if got := v.rows(sum)[0][0]; got != want {
			t.Errorf("%s is %s, want %s", sum, got, want)
		}
	}
	v.check(c.loads[0])
}
