package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"madang/cmd/loadtest/internal/script"
)

// scene is a scenario under way.
type scene struct {
	*Engine
	plan    *plan
	started time.Time
	turns   atomic.Int64
	soft    context.Context //nolint:containedctx // until when iterations begin
	hard    context.Context //nolint:containedctx // until when they may go on
}

// run begins iterations for the length of the plan; those under way then have
// the graceful time. When ctx ends everything does at once.
func (e *Engine) run(ctx context.Context, p *plan) {
	hard, cut := context.WithCancelCause(ctx)
	defer cut(nil)
	soft, end := context.WithCancel(hard)
	defer end()
	limit := p.length
	if limit == 0 && p.stages == nil {
		limit = time.Duration(*p.MaxDuration)
	}
	grace := time.AfterFunc(limit, end)
	defer grace.Stop()
	stop := time.AfterFunc(limit+p.graceful, func() { cut(errOver) })
	defer stop.Stop()
	s := &scene{Engine: e, plan: p, started: time.Now(), soft: soft, hard: hard}
	switch p.Executor {
	case "constant-vus":
		s.constant(func(int) bool { return true })
	case "per-vu-iterations":
		s.constant(func(turn int) bool { return turn < *p.Iterations })
	case "shared-iterations":
		var begun atomic.Int64
		s.constant(func(int) bool { return begun.Add(1) <= int64(*p.Iterations) })
	case "ramping-vus":
		s.ramping()
	default:
		s.arriving()
	}
}

// constant lets a fixed number of users go on while more allows another turn.
func (s *scene) constant(more func(turn int) bool) {
	var all sync.WaitGroup
	for range s.plan.most() {
		all.Go(func() { s.user(s.soft, s.hard, more) })
	}
	all.Wait()
}

// user takes a user and repeats iterations until soft ends.
func (s *scene) user(soft, hard context.Context, more func(turn int) bool) {
	u, ok := s.take()
	if !ok {
		return
	}
	defer s.leave(u)
	for turn := 0; soft.Err() == nil && more(turn); turn++ {
		s.iterate(hard, u)
	}
}

func (s *scene) take() (*script.User, bool) {
	u, err := s.pool.take()
	if err != nil {
		s.troubles.add(s.plan.name, err)
		return nil, false
	}
	s.script.State().Active.Add(1)
	return u, true
}

func (s *scene) leave(u *script.User) {
	s.script.State().Active.Add(-1)
	s.pool.give(u)
}

func (s *scene) iterate(ctx context.Context, u *script.User) {
	turn := s.turns.Add(1) - 1
	err := u.Run(ctx, script.Iteration{
		Scenario: s.plan.name, Executor: s.plan.Executor, Exec: s.plan.Exec, Env: s.plan.Env, Tags: s.plan.Tags,
		Started: s.started, InTest: int(turn), Progress: s.progressed, Data: s.data,
	})
	if ctx.Err() != nil {
		s.script.State().Interrupted.Add(1)
		return
	}
	s.script.State().Completed.Add(1)
	if err != nil && s.script.Fatal() == nil && !errors.Is(err, context.Canceled) {
		s.troubles.add(fmt.Sprintf("%s, iteration %d", s.plan.name, turn), err)
	}
}

// progressed is how much of the scenario is over, from 0 to 1.
func (s *scene) progressed() float64 {
	if s.plan.length > 0 {
		return min(float64(time.Since(s.started))/float64(s.plan.length), 1)
	}
	total := *s.plan.Iterations
	if s.plan.Executor == "per-vu-iterations" {
		total *= *s.plan.VUs
	}
	return min(float64(s.turns.Load())/float64(total), 1)
}
