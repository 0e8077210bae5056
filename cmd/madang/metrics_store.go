package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"madang/jobs"
	"madang/store"
	"madang/views"
)

const (
	// lookFor is how long what was read from the database is good enough: those
	// who ask often must not load it.
	lookFor = 5 * time.Second
	// lookWithin bounds the reading; after that the figures are left out.
	lookWithin = 2 * time.Second
)

// storeCollector looks up what nobody has to count.
type storeCollector struct {
	db      *store.Store
	figures *jobs.Figures
	log     *slog.Logger

	mu     sync.Mutex // held by the one who looks
	last   reading
	looked time.Time
}

// reading is what was read at one time.
type reading struct {
	err    error
	jobs   map[kindState]int64
	oldest map[string]float64 // age in seconds by kind, 0 when nothing is due
	good   map[string]time.Time
	pools  []views.PoolFigures
}

type kindState struct{ kind, state string }

func newStoreCollector(db *store.Store, figures *jobs.Figures, log *slog.Logger) *storeCollector {
	return &storeCollector{db: db, figures: figures, log: log.With(slog.String("component", "metrics"))}
}

// storeDescs are the figures of a storeCollector.
type storeDescs struct {
	hashSlots, hashInUse, hashWaiting *prometheus.Desc
	up, walBytes                      *prometheus.Desc
	jobs, oldest, lastGood            *prometheus.Desc
	workers, busyWorkers              *prometheus.Desc
}

func newStoreDescs() storeDescs {
	return storeDescs{
		hashSlots:   desc("hash_slots", "Passwords that may be hashed at once."),
		hashInUse:   desc("hash_slots_in_use", "Passwords that are being hashed."),
		hashWaiting: desc("hash_slots_waiting", "Passwords that wait for a slot."),
		up:          desc("database_up", "1 when the figures that are read from the database could be read, else 0 and they are missing."),
		walBytes:    desc("database_wal_bytes", "Length of the write-ahead log beside a SQLite file."),
		jobs:        desc("jobs", "Jobs of the whole site.", "kind", "state"),
		oldest:      desc("jobs_oldest_due_age_seconds", "How long the oldest job has been due that no worker has taken; 0: there is none.", "kind"),
		lastGood:    desc("schedule_last_success_timestamp_seconds", "When a task last ended well, in whichever process.", "task"),
		workers:     desc("pool_workers", "Workers of a pool in this process.", "pool"),
		busyWorkers: desc("pool_workers_busy", "Workers of a pool that have a job.", "pool"),
	}
}

// Describe implements prometheus.Collector.
func (s *storeCollector) Describe(to chan<- *prometheus.Desc) {
	d := newStoreDescs()
	for _, one := range []*prometheus.Desc{
		d.hashSlots, d.hashInUse, d.hashWaiting, d.up, d.walBytes, d.jobs, d.oldest, d.lastGood, d.workers, d.busyWorkers,
	} {
		to <- one
	}
}

// Collect implements prometheus.Collector.
func (s *storeCollector) Collect(to chan<- prometheus.Metric) {
	d, l := newStoreDescs(), s.look()
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	slots := s.db.HashSlots()
	gauge(d.hashSlots, float64(slots.All))
	gauge(d.hashInUse, float64(slots.InUse))
	gauge(d.hashWaiting, float64(slots.Waiting))
	if bytes, ok, err := s.db.LogSize(); ok && err == nil {
		gauge(d.walBytes, float64(bytes))
	}
	for _, p := range l.pools {
		gauge(d.workers, float64(p.Workers), p.Name)
		gauge(d.busyWorkers, float64(p.Busy), p.Name)
	}
	if l.err != nil {
		gauge(d.up, 0)
		return
	}
	gauge(d.up, 1)
	for of, n := range l.jobs {
		gauge(d.jobs, float64(n), of.kind, of.state)
	}
	for kind, age := range l.oldest {
		gauge(d.oldest, age, kind)
	}
	for task, at := range l.good {
		gauge(d.lastGood, float64(at.UnixMilli())/1000, task)
	}
}

// look returns what was read last, or reads anew when that is too old. What
// failed is remembered as long: a database that does not answer is not asked
// by everybody.
func (s *storeCollector) look() reading {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.looked.IsZero() && time.Since(s.looked) < lookFor {
		return s.last
	}
	ctx, cancel := context.WithTimeout(context.Background(), lookWithin)
	defer cancel()
	s.last = s.read(ctx)
	s.looked = time.Now()
	if s.last.err != nil {
		s.log.LogAttrs(ctx, slog.LevelWarn, "figures are missing", slog.Any("err", s.last.err))
	}
	return s.last
}

func (s *storeCollector) read(ctx context.Context) reading {
	l := reading{pools: s.figures.Pools(), jobs: map[kindState]int64{}, oldest: map[string]float64{}}
	l.err = errors.Join(l.readJobs(ctx, s.db), l.readOldest(ctx, s.db), l.readRuns(ctx, s.db))
	return l
}

// readJobs also says of which known kinds there are no jobs.
func (l *reading) readJobs(ctx context.Context, db *store.Store) error {
	found, err := db.JobCounts(ctx)
	if err != nil {
		return err
	}
	for _, kind := range jobKinds() {
		for _, state := range store.JobStates() {
			l.jobs[kindState{kind, state}] = 0
		}
	}
	for _, c := range found {
		l.jobs[kindState{c.Kind, c.State}] = c.Count
	}
	return nil
}

func (l *reading) readOldest(ctx context.Context, db *store.Store) error {
	for _, kind := range jobKinds() {
		due, err := db.OldestDue(ctx, kind)
		if err != nil {
			return err
		}
		l.oldest[kind] = 0
		if !due.IsZero() {
			l.oldest[kind] = max(0, db.Now().Sub(due).Seconds())
		}
	}
	return nil
}

func (l *reading) readRuns(ctx context.Context, db *store.Store) (err error) {
	if l.good, err = db.LastGood(ctx); err != nil {
		return fmt.Errorf("read the schedule: %w", err)
	}
	return nil
}
