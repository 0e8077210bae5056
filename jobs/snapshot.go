package jobs

import (
	"time"

	"madang/views"
)

// snapshot is the last hour of one or more kinds of jobs, the oldest slot
// first, as it stood at a moment. Nobody writes to it any more.
type snapshot struct {
	now   time.Time
	since time.Time // the zero time when nothing was added yet
	busy  int
	slots [slots]slot
}

func newSnapshot(now time.Time) *snapshot {
	s := &snapshot{now: now}
	for i := range s.slots {
		s.slots[i].number = slotNumber(now) - int64(slots-1-i)
	}
	return s
}

// copyTo copies the slots of the last hour, which is all that happens while
// workers wait.
func (r *record) copyTo(s *snapshot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.advance(s.now)
	s.since, s.busy = r.since, r.busy
	for i := range s.slots {
		if kept := &r.ring[s.slots[i].number%int64(slots)]; kept.number == s.slots[i].number {
			s.slots[i] = *kept
		}
	}
}

// add adds another kind.
func (s *snapshot) add(other *snapshot) {
	if s.since.IsZero() || other.since.Before(s.since) {
		s.since = other.since
	}
	s.busy += other.busy
	for i := range s.slots {
		s.slots[i].add(&other.slots[i])
	}
}

func (s *slot) add(other *slot) {
	if other.counts == (counts{}) {
		return
	}
	s.counts.add(other.counts)
	if other.done+other.failed > 0 {
		s.times.merge(&other.times)
	}
}

// load adds up the slots from one place on to before another.
func (s *snapshot) load(from, to int) views.Load {
	var sum slot
	for i := from; i < to; i++ {
		sum.add(&s.slots[i])
	}
	l := s.rates(from, to, sum.counts)
	l.P50, l.P95 = sum.times.quantile(.5), sum.times.quantile(.95)
	return l
}

// rates is a load without what the histogram knows.
func (s *snapshot) rates(from, to int, sum counts) views.Load {
	begin := later(slotBegin(s.slots[from].number), s.since)
	end := earlier(slotBegin(s.slots[to-1].number+1), s.now)
	return views.Load{
		From: begin, Lasted: max(end.Sub(begin), 0),
		Arrived: sum.arrived, Done: sum.done, Failed: sum.failed, Worked: sum.worked, Spent: sum.spent,
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// last is the load of the last whole slots and of the one that goes on.
func (s *snapshot) last(n int) views.Load { return s.load(max(slots-n-1, 0), slots) }

// minutes are the minutes of the last hour.
func (s *snapshot) minutes() []views.Load {
	var all []views.Load
	for i := 0; i < slots; i += slotsAMinute {
		all = append(all, s.load(i, i+slotsAMinute))
	}
	return all
}

// peak is the minute that asked for most workers, wherever it began. One that
// has hardly begun says little and is left out.
func (s *snapshot) peak() views.Load {
	best, most := -1, 0.0
	for from := 0; from+slotsAMinute <= slots; from++ {
		var sum counts
		for i := from; i < from+slotsAMinute; i++ {
			sum.add(s.slots[i].counts)
		}
		one := s.rates(from, from+slotsAMinute, sum)
		if asked := one.Asked(); one.Lasted >= time.Minute/2 && asked > most {
			best, most = from, asked
		}
	}
	if best < 0 {
		return s.last(slotsAMinute)
	}
	return s.load(best, best+slotsAMinute)
}
