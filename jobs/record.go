package jobs

import (
	"sync"
	"time"
)

const (
	// slotLength is how finely the last hour is known.
	slotLength   = 10 * time.Second
	slotsAMinute = int(time.Minute / slotLength)
	// slots are an hour's, the one that goes on included.
	slots = int(time.Hour / slotLength)
)

// record is what was done with the jobs of one kind: a ring of slots.
type record struct {
	mu    sync.Mutex
	since time.Time
	at    time.Time // until when busy time has been added up
	busy  int
	ring  [slots]slot
}

// slot is what was done in ten seconds, which begin at a multiple of them.
type slot struct {
	number int64 // since 1970
	counts
	times histogram // of the attempts that ended
}

// counts are what can be added up.
type counts struct {
	arrived, done, failed int64
	worked                time.Duration // by all workers together
	spent                 time.Duration // by the attempts that ended
}

func (c *counts) add(other counts) {
	c.arrived += other.arrived
	c.done += other.done
	c.failed += other.failed
	c.worked += other.worked
	c.spent += other.spent
}

func newRecord(now time.Time) *record { return &record{since: now, at: now} }

func slotNumber(at time.Time) int64 { return at.UnixNano() / int64(slotLength) }

func slotBegin(number int64) time.Time { return time.Unix(0, number*int64(slotLength)).UTC() }

// slot returns the slot of a number, emptied when it held one of an hour ago.
func (r *record) slot(number int64) *slot {
	s := &r.ring[number%int64(slots)]
	if s.number != number {
		*s = slot{number: number}
	}
	return s
}

// advance adds the time of the busy workers up to now to the slots it fell in.
// A clock that was put back makes what is kept a thing of the future, so it is
// forgotten; after a leap forward no more than the last hour is filled.
func (r *record) advance(now time.Time) *slot {
	switch passed := now.Round(0).Sub(r.at.Round(0)); {
	case passed < -slotLength:
		r.ring, r.since, r.at = [slots]slot{}, now, now
	case passed > time.Hour:
		r.at = now.Add(-time.Hour)
	}
	for r.busy > 0 && r.at.Before(now) {
		number := slotNumber(r.at)
		end := slotBegin(number + 1)
		if end.After(now) {
			end = now
		}
		r.slot(number).worked += time.Duration(r.busy) * end.Sub(r.at)
		r.at = end
	}
	r.at = now
	return r.slot(slotNumber(now))
}

// arrive counts a new job.
func (r *record) arrive(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.advance(now).arrived++
}

// begin notes that a worker takes a job.
func (r *record) begin(now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.advance(now)
	r.busy++
}

// end notes that a worker is free again, how long it was not, and whether the
// job is worked off.
func (r *record) end(now time.Time, took time.Duration, done bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.advance(now)
	r.busy--
	s.spent += took
	s.times.add(took)
	if done {
		s.done++
	} else {
		s.failed++
	}
}
