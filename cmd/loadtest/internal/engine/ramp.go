package engine

import (
	"context"
	"sync"
	"time"
)

// step is how often stages are looked at.
const step = 10 * time.Millisecond

// ramping follows the stages with the number of users. Who is one too many
// ends the iteration under way within gracefulRampDown.
func (s *scene) ramping() {
	var all sync.WaitGroup
	defer all.Wait()
	var retire []func()
	tick := time.NewTicker(step)
	defer tick.Stop()
	for {
		want := s.users(time.Since(s.started))
		for len(retire) < want {
			retire = append(retire, s.enlist(&all))
		}
		for len(retire) > want {
			retire[len(retire)-1]()
			retire = retire[:len(retire)-1]
		}
		select {
		case <-s.soft.Done():
			return
		case <-tick.C:
		}
	}
}

// users are how many there are to be: a user comes or goes only when a whole
// one has been reached.
func (s *scene) users(elapsed time.Duration) int {
	now, before := s.plan.at(*s.plan.StartVUs, elapsed), float64(*s.plan.StartVUs)
	for _, st := range s.plan.stages {
		if elapsed < st.length {
			if float64(st.target) < before && now > float64(int(now)) {
				return int(now) + 1
			}
			break
		}
		elapsed -= st.length
		before = float64(st.target)
	}
	return int(now)
}

// enlist starts a user and returns how to send it away.
func (s *scene) enlist(all *sync.WaitGroup) (retire func()) {
	hard, cut := context.WithCancelCause(s.hard)
	soft, end := context.WithCancel(s.soft)
	var late *time.Timer
	all.Go(func() {
		defer cut(nil)
		s.user(soft, hard, func(int) bool { return true })
	})
	return func() {
		end()
		late = time.AfterFunc(time.Duration(*s.plan.GracefulRampDown), func() { cut(errOver) })
		context.AfterFunc(hard, func() { late.Stop() })
	}
}
