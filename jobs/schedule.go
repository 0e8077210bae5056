package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
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

	// Backup backs the site up and says what it made, at the times of the cron
	// expression BackupAt. Nil: the site makes no backups by itself.
	Backup   func(context.Context) (string, error)
	BackupAt string

	// Ended is told of each run of a task, and whether it went well; nil: nobody is.
	Ended func(task string, good bool, took time.Duration)
}

// Schedule runs the tasks of the site. The clock of each process only asks;
// a row in the database decides who runs a slot, so a slot is run late when
// the process was down at its time, and never twice.
type Schedule struct {
	store *store.Store
	zone  *time.Location
	log   *slog.Logger
	now   func() time.Time
	ended func(task string, good bool, took time.Duration)
	tasks []*task
}

// NewSchedule returns a schedule that waits for [Schedule.Run].
func NewSchedule(o ScheduleOptions) (*Schedule, error) {
	if o.Store == nil || o.Zone == nil || o.Log == nil {
		return nil, errors.New("schedule: store, zone and log are needed")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Schedule{store: o.Store, zone: o.Zone, log: o.Log.With(slog.String("component", "schedule")), now: o.Now, ended: o.Ended}
	tasks := s.table(o.Cron)
	if o.Backup != nil {
		tasks = append(tasks, &task{name: store.BackupTask, at: o.BackupAt, run: o.Backup})
	}
	for _, t := range tasks {
		var err error
		if t.cron, err = ParseCron(t.at); err != nil {
			return nil, fmt.Errorf("schedule: %w", err)
		}
		s.tasks = append(s.tasks, t)
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
	s.log.LogAttrs(ctx, slog.LevelInfo, "scheduled", slog.String("task", t.name),
		slog.String("zone", s.zone.String()), slog.String("next", s.upcoming(t)))
	return nil
}

// upcoming is the next three times of a task: they show whoever wrote an
// expression that runs each minute of an hour instead of once.
func (s *Schedule) upcoming(t *task) string {
	times := make([]string, 3)
	at := wallClock(s.now().In(s.zone))
	for i := range times {
		at = t.cron.next(at)
		times[i] = at.Format(time.DateTime)
	}
	return strings.Join(times, ", ")
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

// timed runs the task and tells whoever counts, of one that panics too.
func (s *Schedule) timed(ctx context.Context, t *task) (result string, took time.Duration, err error) {
	began, good := time.Now(), false
	defer func() {
		took = time.Since(began)
		if s.ended != nil {
			s.ended(t.name, good, took)
		}
	}()
	result, err = t.run(ctx)
	good = err == nil
	return result, took, err
}

// runSlot runs the task and notes how it went beside its slot.
func (s *Schedule) runSlot(ctx context.Context, t *task, slot string) error {
	result, took, err := s.timed(ctx, t)
	if err != nil {
		result = store.TaskFailed + reason(err)
	}
	s.log.LogAttrs(ctx, slog.LevelDebug, "task ended", slog.String("task", t.name), slog.String("slot", slot),
		slog.Duration("took", took), slog.String("result", result))
	if noteErr := s.store.FinishSlot(context.WithoutCancel(ctx), t.name, slot, result); noteErr != nil {
		return errors.Join(err, fmt.Errorf("note the result of slot %s: %w", slot, noteErr))
	}
	return err
}
