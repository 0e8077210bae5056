package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"madang/store"
)

// start gives a claimed job to a worker.
func (p *Pool) start(work context.Context, job store.Job, until time.Time) {
	if !p.hold(job, until) {
		return
	}
	ended := p.count(job.Kind)
	p.running.Go(func() {
		defer p.letGo(job.ID)
		ended(p.run(work, job))
	})
}

// count notes in the figures that a worker takes a job, and returns what notes
// that it is free again and whether the job is worked off.
func (p *Pool) count(kind string) (ended func(done bool)) {
	r := p.records[kind]
	if r == nil {
		return func(bool) {}
	}
	began := p.opts.Figures.now()
	r.begin(began)
	return func(done bool) {
		now := p.opts.Figures.now()
		r.end(now, now.Sub(began), done)
	}
}

// run works one job off, writes down what became of it, and reports whether
// nothing is left to do for it. The line in the log comes after the write, so
// that it never tells what did not happen.
func (p *Pool) run(work context.Context, job store.Job) (done bool) {
	began := time.Now()
	failure := p.handle(work, job)
	took := time.Since(began)
	p.settle(job.ID)
	end := p.verdict(work, job, failure)
	ctx := context.WithoutCancel(work)
	err := p.write(ctx, job.ID, end.write)
	if errors.Is(err, store.ErrPayload) {
		failure, end = err, p.dead(reason(err))
		err = p.write(ctx, job.ID, end.write)
	}
	p.report(ctx, job, took, end, errors.Join(failure, err), err)
	return err == nil && (failure == nil || errors.Is(failure, ErrObsolete))
}

// report writes the one line of a job, and tells whoever counts its attempts.
func (p *Pool) report(ctx context.Context, job store.Job, took time.Duration, end verdict, failure, unwritten error) {
	level, state, outcome := end.level, end.name, end.outcome
	switch {
	case errors.Is(unwritten, store.ErrLeaseLost):
		level, state, outcome = slog.LevelWarn, "lost its lease", store.OutcomeLost
	case unwritten != nil:
		level, state, outcome = slog.LevelError, "left to its lease", store.OutcomeLost
	}
	if p.opts.Ended != nil {
		p.opts.Ended(job.Kind, outcome, took)
	}
	attrs := []slog.Attr{
		slog.Int64("job", job.ID), slog.String("kind", job.Kind), slog.Int("attempt", job.Attempt),
		slog.Duration("took", took), slog.String("state", state),
	}
	if failure != nil {
		attrs = append(attrs, slog.String("err", reason(failure)))
	}
	p.opts.Log.LogAttrs(ctx, level, "job ended", attrs...)
}

// handle calls the handler; a panic in it is a failure like any other.
func (p *Pool) handle(work context.Context, job store.Job) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
			p.opts.Log.LogAttrs(work, slog.LevelError, "job panicked",
				slog.Int64("job", job.ID), slog.String("kind", job.Kind), slog.String("stack", string(debug.Stack())))
		}
	}()
	handler := p.opts.Handlers[job.Kind]
	switch {
	case handler == nil:
		return Permanent(errors.New("unknown kind"))
	case job.Tries() > maxStarts:
		return Permanent(fmt.Errorf("started %d times without coming to an end", maxStarts))
	}
	return handler(work, job)
}

// verdict is what becomes of a job.
type verdict struct {
	name    string // in the log
	outcome store.Outcome
	level   slog.Level
	write   func(ctx context.Context, job store.Job) error
}

// verdict decides what becomes of a job whose handler returned failure.
func (p *Pool) verdict(work context.Context, job store.Job, failure error) verdict {
	_, permanent := errors.AsType[*PermanentError](failure)
	_, outage := errors.AsType[*OutageError](failure)
	switch {
	case failure == nil:
		return verdict{"done", store.OutcomeDone, p.opts.DoneLevel, p.opts.Store.FinishJob}
	case errors.Is(failure, ErrObsolete):
		return verdict{"obsolete", store.OutcomeObsolete, p.opts.DoneLevel, func(ctx context.Context, j store.Job) error {
			return p.opts.Store.SkipJob(ctx, j, reason(failure))
		}}
	case permanent:
		return p.dead(reason(failure))
	case work.Err() != nil:
		// Cut off because the process stops: not the job's fault.
		return verdict{"given back", store.OutcomeReleased, slog.LevelInfo, p.opts.Store.ReleaseJob}
	case outage && p.opts.Breaker != nil:
		// The breaker has told the log.
		return verdict{"given back", store.OutcomeReleased, slog.LevelDebug, p.opts.Store.ReleaseJob}
	}
	return p.retry(job, failure)
}

func (p *Pool) retry(job store.Job, failure error) verdict {
	rest, ok := retryAfter(job.Tries())
	if !ok {
		return p.dead("tried long enough: " + reason(failure))
	}
	at := p.opts.Now().Add(rest)
	return verdict{"waits for its retry", store.OutcomeRetry, slog.LevelWarn, func(ctx context.Context, j store.Job) error {
		return p.opts.Store.RetryJob(ctx, j, at, reason(failure))
	}}
}

func (p *Pool) dead(why string) verdict {
	return verdict{"dead", store.OutcomeDead, slog.LevelError, func(ctx context.Context, j store.Job) error {
		return p.opts.Store.KillJob(ctx, j, why)
	}}
}

// write records a verdict, and tries again until it is in or the lease has
// ended. ctx must outlast the pool: work that is done must not be done again
// because the process is stopping.
func (p *Pool) write(ctx context.Context, id int64, record func(context.Context, store.Job) error) error {
	for rest := 20 * time.Millisecond; ; rest = min(2*rest, time.Second) {
		job, until := p.lease(id)
		left := until.Sub(p.opts.Now())
		try, cancel := context.WithTimeout(ctx, max(left, time.Second))
		err := record(try, job)
		cancel()
		if err == nil || final(err) || left <= 0 {
			return err
		}
		p.errors.add(ctx, "writing the result of a job", err)
		await(ctx, min(jitter(rest), left), nil, nil)
	}
}

// final reports whether trying the write again would end the same way.
func final(err error) bool {
	return errors.Is(err, store.ErrLeaseLost) || errors.Is(err, store.ErrPayload)
}
