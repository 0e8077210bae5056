// Package engine runs the scenarios of a script: it decides when which user
// begins an iteration, and when the run ends. It imports script and metric.
package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"madang/cmd/loadtest/internal/metric"
	"madang/cmd/loadtest/internal/script"
)

// ErrThreshold is the reason of a run that a broken threshold ended.
var ErrThreshold = errors.New("a threshold with abortOnFail is broken")

// Engine runs one script once.
type Engine struct {
	script   *script.Script
	registry *metric.Registry
	timeline *metric.Timeline
	scale    float64
	progress io.Writer
	plans    []*plan
	pool     *pool
	data     json.RawMessage
	started  time.Time
	elapsed  time.Duration
	troubles *troubles
}

// New plans the run. Scale multiplies every length of the load; a line a second
// goes to progress.
func New(s *script.Script, r *metric.Registry, l *metric.Timeline, scale float64, progress io.Writer) (*Engine, error) {
	if scale <= 0 {
		return nil, errors.New("scale must be above 0")
	}
	e := &Engine{
		script: s, registry: r, timeline: l, scale: scale, progress: progress,
		pool: &pool{script: s}, troubles: &troubles{to: progress},
	}
	e.plans = plans(s.Options.Scenarios, scale)
	return e, s.Options.Promise(r, scale)
}

// Elapsed is how long the load lasted.
func (e *Engine) Elapsed() time.Duration { return e.elapsed }

// Run makes the users, runs setup, every scenario and teardown. It returns why
// the run ended before its time, and whether setup went well enough for a
// summary to make sense.
func (e *Engine) Run(ctx context.Context) (began bool, err error) {
	defer e.pool.close()
	if err := e.prepare(ctx); err != nil {
		return false, err
	}
	load, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	e.started = time.Now()
	e.script.State().Started = e.started
	e.timeline.Start(e.started)
	stop := e.watch(load, cancel)
	e.scenarios(load)
	e.elapsed = time.Since(e.started)
	stop()
	e.troubles.close()
	err = context.Cause(load)
	if fatal := e.script.Fatal(); fatal != nil && !errors.Is(fatal, script.ErrAborted) {
		return false, fatal
	}
	// The data of setup is there to be cleaned away, however the run ended.
	if down := e.script.Teardown(context.WithoutCancel(ctx), e.data); err == nil {
		err = down
	}
	return true, err
}

func (e *Engine) prepare(ctx context.Context) error {
	planned := peak(e.plans)
	fmt.Fprintf(e.progress, "%d users are made ready\n", planned)
	if err := e.pool.fill(ctx, planned); err != nil {
		return err
	}
	var err error
	e.data, err = e.script.Setup(ctx)
	if err == nil {
		err = ctx.Err()
	}
	return err
}

func (e *Engine) scenarios(ctx context.Context) {
	var all sync.WaitGroup
	for _, p := range e.plans {
		all.Go(func() {
			if rest(ctx, p.start) {
				e.run(ctx, p)
			}
		})
	}
	all.Wait()
}

// rest waits; false when ctx ended first.
func rest(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// watch reports and judges the thresholds every second until the returned
// function is called.
func (e *Engine) watch(ctx context.Context, cancel context.CancelCauseFunc) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			e.sample()
			select {
			case <-done:
				e.sample()
				return
			case <-tick.C:
			}
			e.report()
			if _, abort := e.registry.Judge(time.Since(e.started), false); abort && ctx.Err() == nil {
				cancel(ErrThreshold)
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

func (e *Engine) sample() {
	state := e.script.State()
	active := state.Active.Load()
	e.registry.Metric("vus").Add(float64(active), nil)
	e.registry.Metric("vus_max").Add(float64(state.Initialized.Load()), nil)
	e.timeline.Users(time.Now(), int(active))
}

func (e *Engine) report() {
	elapsed, state := time.Since(e.started), e.script.State()
	total, _ := e.registry.Metric("http_reqs").Stat("count", elapsed)
	failed, _ := e.registry.Metric("http_req_failed").Stat("passes", elapsed)
	p95, _ := e.registry.Metric("http_req_duration").Stat("p(95)", elapsed)
	of := ""
	if whole := length(e.plans); whole > 0 {
		of = fmt.Sprintf(" of %.0fs", whole.Seconds())
	}
	fmt.Fprintf(e.progress, "%4.0fs%s  %d users  %d iterations  %.0f requests (%.0f failed)  p95 %.0f ms\n",
		elapsed.Seconds(), of, state.Active.Load(), state.Completed.Load(), total, failed, p95)
}

// Data is what setup returned, as JSON.
func (e *Engine) Data() json.RawMessage { return e.data }
