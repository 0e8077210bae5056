package engine

import (
	"sync"
	"time"

	"madang/cmd/loadtest/internal/metric"
	"madang/cmd/loadtest/internal/script"
)

// arriving begins iterations at the planned rate, whoever is free does them;
// when nobody is, and no more users may be made, the iteration is dropped.
func (s *scene) arriving() {
	var all sync.WaitGroup
	free := make(chan *script.User, s.plan.MaxVUs)
	made := 0
	defer func() {
		all.Wait()
		for range made {
			s.leave(<-free)
		}
	}()
	hire := func() bool {
		u, ok := s.take()
		if ok {
			made++
			free <- u
		}
		return ok
	}
	for made < s.plan.PreAllocatedVUs && hire() {
	}
	s.arrivals(func() {
		if len(free) == 0 && (made >= s.plan.MaxVUs || !hire()) {
			s.registry.Metric("dropped_iterations").Add(1, metric.Tags{"scenario": s.plan.name})
			return
		}
		u := <-free
		all.Go(func() {
			s.iterate(s.hard, u)
			free <- u
		})
	})
}

// arrivals calls begin at the planned rate: as often as the area under the
// line of the stages says by now.
func (s *scene) arrivals(begin func()) {
	tick := time.NewTicker(step)
	defer tick.Stop()
	for begun, over := 0, false; ; {
		due := s.plan.arrived(min(time.Since(s.started), s.plan.length))
		for ; float64(begun) < due-1e-6 && s.hard.Err() == nil; begun++ {
			begin()
		}
		if over {
			return
		}
		select {
		case <-s.soft.Done(): // once more, for what fell due since the last tick
			over = true
		case <-tick.C:
		}
	}
}

// arrived is how many iterations are to have begun after that long.
func (p *plan) arrived(elapsed time.Duration) float64 {
	unit := float64(*p.TimeUnit)
	if p.Executor == "constant-arrival-rate" {
		return float64(*p.Rate) * float64(elapsed) / unit
	}
	sum, from := 0.0, float64(p.StartRate)
	for _, s := range p.stages {
		if elapsed < s.length {
			now := from + (float64(s.target)-from)*float64(elapsed)/float64(s.length)
			return (sum + (from+now)/2*float64(elapsed)) / unit
		}
		sum += (from + float64(s.target)) / 2 * float64(s.length)
		elapsed -= s.length
		from = float64(s.target)
	}
	return sum / unit
}
