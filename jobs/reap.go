package jobs

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"madang/store"
)

var errUnknownKind = errors.New("unknown kind")

// reapEvery leaves a job of a dead process idle for little longer than its lease.
const reapEvery = 4 * time.Second

// Reaper takes back the jobs whose lease has run out, and ends those of kinds
// that nobody handles, which would wait for ever. It is no job itself, so that
// a pool full of stuck jobs cannot stop it.
type Reaper struct {
	store  *store.Store
	log    *slog.Logger
	kinds  []string
	errors complaints
}

// NewReaper returns a reaper for a site whose pools handle the given kinds.
func NewReaper(s *store.Store, log *slog.Logger, kinds ...string) (*Reaper, error) {
	if s == nil || log == nil || len(kinds) == 0 {
		return nil, errors.New("job reaper: store, log and the kinds that are handled are needed")
	}
	log = log.With("component", "reaper")
	return &Reaper{store: s, log: log, kinds: kinds, errors: complaints{log: log}}, nil
}

// Run reaps every few seconds until ctx ends.
func (r *Reaper) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		if err := r.step(ctx); err != nil && ctx.Err() == nil {
			r.errors.add(ctx, "reaping jobs", err)
		}
		await(ctx, jitter(reapEvery), nil, nil)
	}
	return nil
}

func (r *Reaper) step(ctx context.Context) error {
	n, err := r.store.ReapJobs(ctx)
	if err != nil {
		return err
	}
	if n > 0 {
		r.log.WarnContext(ctx, "jobs outlived their lease and are available again", "jobs", n)
	}
	return r.killStrangers(ctx)
}

// killStrangers ends the jobs of unknown kinds: claimed first, so that the
// lease guards the write as it does for every other job.
func (r *Reaper) killStrangers(ctx context.Context) error {
	kinds, err := r.strangeKinds(ctx)
	if err != nil || len(kinds) == 0 {
		return err
	}
	jobs, err := r.store.ClaimJobs(ctx, kinds, 100, time.Minute)
	if err != nil {
		return err
	}
	for _, job := range jobs {
		if err := r.store.KillJob(ctx, job, errUnknownKind.Error()); err != nil {
			return err
		}
		r.log.ErrorContext(ctx, "job dead", "job", job.ID, "kind", job.Kind, "err", errUnknownKind)
	}
	return nil
}

// strangeKinds lists the waiting kinds that no pool handles.
func (r *Reaper) strangeKinds(ctx context.Context) ([]string, error) {
	counts, err := r.store.JobCounts(ctx)
	if err != nil {
		return nil, err
	}
	var kinds []string
	for _, c := range counts {
		waiting := c.State == store.Available || c.State == store.Scheduled
		if waiting && !slices.Contains(r.kinds, c.Kind) {
			kinds = append(kinds, c.Kind)
		}
	}
	return kinds, nil
}
