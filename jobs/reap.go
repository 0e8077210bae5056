package jobs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"madang/store"
)

const (
	// reapEvery leaves a job of a dead process idle for little longer than its lease.
	reapEvery = 4 * time.Second
	// longLook is more than passes between two looks, and less than what is left
	// of a lease that its worker extends.
	longLook = 15 * time.Second
	// reapRest is long enough for every worker that lives to extend its leases.
	reapRest = 30 * time.Second
)

// Reaper takes back the jobs whose lease has run out, and ends those of kinds
// that nobody handles, which would wait for ever. It is no job itself, so that
// a pool full of stuck jobs cannot stop it.
type Reaper struct {
	store  *store.Store
	log    *slog.Logger
	kinds  []string
	errors complaints
	now    func() time.Time
	looked time.Time // the last time
	rested time.Time // not before
}

// NewReaper returns a reaper for a site whose pools handle the given kinds.
func NewReaper(s *store.Store, log *slog.Logger, kinds ...string) (*Reaper, error) {
	if s == nil || log == nil || len(kinds) == 0 {
		return nil, errors.New("job reaper: store, log and the kinds that are handled are needed")
	}
	log = log.With(slog.String("component", "reaper"))
	return &Reaper{store: s, log: log, kinds: kinds, errors: complaints{log: log}, now: time.Now}, nil
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
	if r.canTell(ctx) {
		reaped, err := r.store.ReapJobs(ctx)
		if err != nil {
			return err
		}
		if reaped > 0 {
			r.log.LogAttrs(ctx, slog.LevelWarn, "jobs outlived their lease and are available again", slog.Int64("jobs", reaped))
		}
	}
	killed, err := r.store.KillUnknown(ctx, r.kinds)
	if err != nil {
		return err
	}
	if killed > 0 {
		r.log.LogAttrs(ctx, slog.LevelError, "jobs of unknown kinds are dead", slog.Int64("jobs", killed))
	}
	return nil
}

// canTell reports whether a lease that has run out shows that its worker is
// gone. After a leap of the clock, or when this process or the machine has been
// stopped, the leases of workers who live have run out as well, until they have
// extended them. Taking their jobs back would send their mails twice.
func (r *Reaper) canTell(ctx context.Context) bool {
	now := r.now()
	// Without the monotonic part, which knows nothing of leaps.
	passed := now.Round(0).Sub(r.looked.Round(0))
	if !r.looked.IsZero() && passed > longLook {
		r.rested = now.Add(reapRest)
		r.log.LogAttrs(ctx, slog.LevelWarn, "the clock leapt or stood still: leases get time to be extended", slog.Duration("passed", passed))
	}
	r.looked = now
	return !now.Before(r.rested)
}
