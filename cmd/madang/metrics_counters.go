package main

import (
	"runtime"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"madang/store"
	"madang/web"
)

// metricsSpace begins the name of each figure of ours.
const metricsSpace = "madang"

// counters are what is counted while it happens.
type counters struct {
	requests     *prometheus.CounterVec
	requestTimes *prometheus.HistogramVec

	hashWaits   prometheus.Histogram
	hashRefused prometheus.Counter

	commitTimes  prometheus.Histogram
	commitWrites prometheus.Histogram
	busy         prometheus.Counter

	batchEvents prometheus.Histogram
	uncounted   prometheus.Counter

	enqueued *prometheus.CounterVec
	attempts *prometheus.CounterVec
	jobTimes *prometheus.HistogramVec
	lost     *prometheus.CounterVec

	runs     *prometheus.CounterVec
	runTimes *prometheus.GaugeVec
}

func newCounters() *counters {
	c := &counters{
		requests:     counterVec("http_requests_total", "Requests answered, by the pattern of their address.", "method", "route", "code"),
		requestTimes: histogramVec("http_request_duration_seconds", "How long answers took.", requestBuckets(), "method", "route"),

		hashWaits:   histogram("hash_wait_seconds", "How long a password waited for its turn to be hashed.", prometheus.ExponentialBuckets(.001, 4, 7)),
		hashRefused: counter("hash_refused_total", "Passwords not hashed, because no slot came free in time."),

		commitTimes:  histogram("database_commit_duration_seconds", "How long commits took, from the beginning of the transaction.", prometheus.ExponentialBuckets(.0005, 2.5, 10)),
		commitWrites: histogram("database_commit_writes", "How many writes shared a commit.", prometheus.ExponentialBuckets(1, 2, 9)),
		busy:         counter("database_busy_total", "Writes that failed because the database took none."),

		batchEvents: histogram("views_batch_events", "How many readings of posts reached the disk together.", prometheus.ExponentialBuckets(1, 4, 7)),
		uncounted:   counter("views_uncounted_total", "Readings of posts that could not be counted."),

		enqueued: counterVec("jobs_enqueued_total", "Jobs that this process recorded.", "kind"),
		attempts: counterVec("job_attempts_total", "Attempts of jobs that ended in this process; lost is one whose result could not be written.", "kind", "outcome"),
		jobTimes: histogramVec("job_duration_seconds", "How long the work of an attempt took.", prometheus.ExponentialBuckets(.001, 4, 9), "kind"),
		lost:     counterVec("job_leases_lost_total", "Jobs taken back because their worker was not heard of.", "kind"),

		runs:     counterVec("schedule_runs_total", "Runs of scheduled tasks in this process.", "task", "result"),
		runTimes: gaugeVec("schedule_last_duration_seconds", "How long the last run of a task in this process took.", "task"),
	}
	c.beginAtZero()
	return c
}

// requestBuckets are finer where answers should be.
func requestBuckets() []float64 {
	return []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
}

// jobKinds are all that this program handles.
func jobKinds() []string { return append(store.MailKinds(), store.KindViews) }

// beginAtZero makes the series of all kinds of jobs: what first appears with a
// count of one has not grown, as Prometheus sees it.
func (c *counters) beginAtZero() {
	for _, kind := range jobKinds() {
		c.enqueued.WithLabelValues(kind)
		c.lost.WithLabelValues(kind)
		for _, outcome := range []store.Outcome{
			store.OutcomeDone, store.OutcomeObsolete, store.OutcomeRetry, store.OutcomeDead, store.OutcomeReleased, store.OutcomeLost,
		} {
			c.attempts.WithLabelValues(kind, string(outcome))
		}
	}
}

func (c *counters) all() []prometheus.Collector {
	return []prometheus.Collector{
		c.requests, c.requestTimes, c.hashWaits, c.hashRefused, c.commitTimes, c.commitWrites, c.busy,
		c.batchEvents, c.uncounted, c.enqueued, c.attempts, c.jobTimes, c.lost, c.runs, c.runTimes,
	}
}

// Describe implements prometheus.Collector.
func (c *counters) Describe(to chan<- *prometheus.Desc) {
	for _, one := range c.all() {
		one.Describe(to)
	}
}

// Collect implements prometheus.Collector.
func (c *counters) Collect(to chan<- prometheus.Metric) {
	for _, one := range c.all() {
		one.Collect(to)
	}
}

// watchStore adds what is counted to the options of the store.
func (m *metrics) watchStore(o store.Options) store.Options {
	if m == nil {
		return o
	}
	c, told := m.counts, o.Enqueued
	o.Enqueued = func(kind string) {
		told(kind)
		c.enqueued.WithLabelValues(kind).Inc()
	}
	o.Watch = store.Watch{
		Committed: func(took time.Duration, writes int) {
			c.commitTimes.Observe(took.Seconds())
			c.commitWrites.Observe(float64(writes))
		},
		Busy:    c.busy.Inc,
		Hashing: c.hashing,
		Batched: func(events int) { c.batchEvents.Observe(float64(events)) },
		Lost:    func(kind string) { c.lost.WithLabelValues(kind).Inc() },
	}
	return o
}

func (c *counters) hashing(waited time.Duration, free bool) {
	c.hashWaits.Observe(waited.Seconds())
	if !free {
		c.hashRefused.Inc()
	}
}

// watchWeb is what the web server tells.
func (m *metrics) watchWeb() web.Watch {
	if m == nil {
		return web.Watch{}
	}
	return web.Watch{Answered: m.counts.answered, Uncounted: m.counts.uncounted.Inc}
}

func (c *counters) answered(method, route string, status int, took time.Duration) {
	c.requests.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	c.requestTimes.WithLabelValues(method, route).Observe(took.Seconds())
}

// watchPool is what a pool tells, nil for nothing.
func (m *metrics) watchPool() func(kind string, outcome store.Outcome, took time.Duration) {
	if m == nil {
		return nil
	}
	return func(kind string, outcome store.Outcome, took time.Duration) {
		m.counts.attempts.WithLabelValues(kind, string(outcome)).Inc()
		m.counts.jobTimes.WithLabelValues(kind).Observe(took.Seconds())
	}
}

// watchSchedule is what the schedule tells, nil for nothing.
func (m *metrics) watchSchedule() func(task string, good bool, took time.Duration) {
	if m == nil {
		return nil
	}
	return func(task string, good bool, took time.Duration) {
		result := "failed"
		if good {
			result = "good"
		}
		m.counts.runs.WithLabelValues(task, result).Inc()
		m.counts.runTimes.WithLabelValues(task).Set(took.Seconds())
	}
}

// buildInfo is always 1; what it says is in its labels.
func buildInfo() prometheus.Collector {
	labels := prometheus.Labels{"version": "", "revision": "", "goversion": runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		labels["version"] = info.Main.Version
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				labels["revision"] = setting.Value
			}
		}
	}
	g := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: metricsSpace, Name: "build_info", Help: "Which build this is; always 1.", ConstLabels: labels,
	})
	g.Set(1)
	return g
}
