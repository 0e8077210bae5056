package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/go-co-op/gocron/v2"
	"github.com/google/uuid"

	"madang/store"
)

// stopWithin is what a running task gets when the schedule stops.
const stopWithin = 10 * time.Second

// ScheduleOptions says what runs when. Store, Cron, Zone and Log are needed.
type ScheduleOptions struct {
	Store *store.Store
	Cron  string         // of the clean-up, see [ParseCron]
	Zone  *time.Location // in which the cron expressions are meant
	Log   *slog.Logger
	Now   func() time.Time // time.Now when nil
}

// task is something that runs at its times, once for each.
type task struct {
	name string
	cron Cron
	run  func(ctx context.Context) (result string, err error)

	mu      sync.Mutex
	settled string // the slot known to be taken, by us or by another process
}

// Schedule runs the tasks of the night. The clock of each process only asks;
// a row in the database decides who runs a slot, so a slot is run late when
// the process was down at its time, and never twice.
type Schedule struct {
	store *store.Store
	zone  *time.Location
	log   *slog.Logger
	now   func() time.Time
	tasks []*task
}

// NewSchedule returns a schedule that waits for [Schedule.Run].
func NewSchedule(o ScheduleOptions) (*Schedule, error) {
	if o.Store == nil || o.Zone == nil || o.Log == nil {
		return nil, errors.New("schedule: store, zone and log are needed")
	}
	at, err := ParseCron(o.Cron)
	if err != nil {
		return nil, fmt.Errorf("schedule: %w", err)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Schedule{store: o.Store, zone: o.Zone, log: o.Log.With(slog.String("component", "schedule")), now: o.Now}
	s.tasks = []*task{
		{name: "cleanup", cron: at, run: s.cleanup},
	}
	return s, nil
}

// Run runs what is due until ctx ends, at once what was missed.
func (s *Schedule) Run(ctx context.Context) error {
	clock, err := gocron.NewScheduler(gocron.WithLocation(s.zone), gocron.WithStopTimeout(stopWithin))
	if err != nil {
		return fmt.Errorf("set up the schedule: %w", err)
	}
	for _, t := range s.tasks {
		if err := s.add(ctx, clock, t); err != nil {
			return fmt.Errorf("schedule %s: %w", t.name, err)
		}
	}
	clock.Start()
	<-ctx.Done()
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopWithin)
	defer cancel()
	if err := clock.ShutdownWithContext(stop); err != nil {
		return fmt.Errorf("stop the schedule: %w", err)
	}
	return nil
}

// add lets the clock ask for the task at its times, and every minute as the
// net: for what was missed, for the hour that the spring skips, and for a
// database that was out of reach at the moment itself.
func (s *Schedule) add(ctx context.Context, clock gocron.Scheduler, t *task) error {
	ask := gocron.NewTask(func(ctx context.Context) error { return s.ask(ctx, t) })
	common := []gocron.JobOption{
		gocron.WithName(t.name),
		gocron.WithContext(ctx),
		gocron.WithSingletonMode(gocron.LimitModeReschedule),
		gocron.WithEventListeners(s.failed(ctx), s.panicked(ctx)),
	}
	if _, err := clock.NewJob(gocron.CronJob(t.cron.String(), true), ask, common...); err != nil {
		return err
	}
	net := append(common, gocron.WithStartAt(gocron.WithStartImmediately()))
	if _, err := clock.NewJob(gocron.DurationJob(time.Minute), ask, net...); err != nil {
		return err
	}
	now := wallClock(s.now().In(s.zone))
	first := t.cron.next(now)
	s.log.LogAttrs(ctx, slog.LevelInfo, "scheduled", slog.String("task", t.name), slog.String("zone", s.zone.String()),
		slog.String("next", first.Format(time.DateTime)), slog.String("then", t.cron.next(first).Format(time.DateTime)))
	return nil
}

func (s *Schedule) failed(ctx context.Context) gocron.EventListener {
	return gocron.AfterJobRunsWithError(func(_ uuid.UUID, name string, err error) {
		if ctx.Err() == nil {
			s.log.LogAttrs(ctx, slog.LevelError, "task failed", slog.String("task", name), slog.Any("err", err))
		}
	})
}

// panicked also keeps the process alive: without such a listener gocron lets
// the panic of a task end it.
func (s *Schedule) panicked(ctx context.Context) gocron.EventListener {
	return gocron.AfterJobRunsWithPanic(func(_ uuid.UUID, name string, recovered any) {
		s.log.LogAttrs(ctx, slog.LevelError, "task panicked",
			slog.String("task", name), slog.Any("err", recovered), slog.String("stack", string(debug.Stack())))
	})
}

// ask runs the task if its latest slot has not been run by anybody.
func (s *Schedule) ask(ctx context.Context, t *task) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	due := t.cron.last(wallClock(s.now().In(s.zone)))
	if due.IsZero() {
		return nil
	}
	slot := t.cron.slot(due)
	if slot == t.settled {
		return nil
	}
	mine, err := s.store.ClaimSlot(ctx, t.name, slot)
	if err != nil {
		return fmt.Errorf("claim slot %s: %w", slot, err)
	}
	t.settled = slot
	if !mine {
		return nil
	}
	return s.runSlot(ctx, t, slot)
}

// runSlot runs the task and notes how it went beside its slot.
func (s *Schedule) runSlot(ctx context.Context, t *task, slot string) error {
	began := time.Now()
	result, err := t.run(ctx)
	if err != nil {
		result = "failed: " + reason(err)
	}
	s.log.LogAttrs(ctx, slog.LevelDebug, "task ended", slog.String("task", t.name), slog.String("slot", slot),
		slog.Duration("took", time.Since(began)), slog.String("result", result))
	if noteErr := s.store.FinishSlot(context.WithoutCancel(ctx), t.name, slot, result); noteErr != nil {
		return errors.Join(err, fmt.Errorf("note the result of slot %s: %w", slot, noteErr))
	}
	return err
}

// cleanup deletes what has expired and says how much of what. A table that
// fails does not hide what was deleted from the others.
func (s *Schedule) cleanup(ctx context.Context) (string, error) {
	cleaned, err := s.store.Cleanup(ctx)
	var attrs []slog.Attr
	for _, table := range slices.Sorted(maps.Keys(cleaned)) {
		if n := cleaned[table]; n > 0 {
			attrs = append(attrs, slog.Int64(table, n))
		}
	}
	if len(attrs) > 0 {
		s.log.LogAttrs(ctx, slog.LevelInfo, "cleaned up", attrs...)
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("clean up: %w", err)
	case len(attrs) == 0:
		s.log.LogAttrs(ctx, slog.LevelDebug, "nothing to clean up")
		return "nothing to clean up", nil
	}
	return fmt.Sprint(attrs), nil
}
