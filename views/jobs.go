package views

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"madang/store"
)

// JobsPage shows what is to be done behind the answers, and what became of it.
type JobsPage struct {
	Page
	Kinds []KindSummary
	// Kind and State are what the list is narrowed to, "" for all.
	Kind, State string
	List        store.JobList
}

// KindSummary is how the jobs of one kind stand.
type KindSummary struct {
	Kind   string
	Counts map[string]int64 // by state
	// OldestDue is since when the oldest has been due that no worker has taken,
	// the zero time when none waits.
	OldestDue time.Time
	// Lost are the attempts of the last week whose worker was not heard of again.
	Lost int64
}

// JobPage is one job with its history.
type JobPage struct {
	Page
	Job      store.JobRow
	Attempts []store.Attempt
}

// states are the columns of the summary, in the order of a job's life.
func states() []string {
	return []string{store.Available, store.Scheduled, store.Running, store.Done, store.Dead}
}

// kind is the name of a kind of jobs in words; one without words has its own.
func (l Lang) kind(kind string) string {
	if text, ok := l.lookup("kind." + kind); ok {
		return text
	}
	return kind
}

// jobsPath is a page of the list of jobs; key is "before" or "after", "" for
// the first page.
func jobsPath(kind, state, key string, id int64) string {
	query := url.Values{}
	for name, value := range map[string]string{"kind": kind, "state": state} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if key != "" {
		query.Set(key, strconv.FormatInt(id, 10))
	}
	if len(query) == 0 {
		return "/admin/jobs"
	}
	return "/admin/jobs?" + query.Encode()
}

func jobPath(id int64) string { return "/admin/jobs/" + strconv.FormatInt(id, 10) }

func (p JobsPage) olderHref() string {
	return p.Href(jobsPath(p.Kind, p.State, "before", p.List.Jobs[len(p.List.Jobs)-1].ID))
}

func (p JobsPage) newerHref() string {
	return p.Href(jobsPath(p.Kind, p.State, "after", p.List.Jobs[0].ID))
}

// dead is how many jobs of all kinds wait for the administrator.
func (p JobsPage) dead() (n int64) {
	for _, k := range p.Kinds {
		n += k.Counts[store.Dead]
	}
	return n
}

// number names a job for people.
func number(id int64) string { return "#" + strconv.FormatInt(id, 10) }

// took writes how long something lasted, with three digits at most. By a clock
// that was put back it is less than nothing.
func (l Lang) took(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Second:
		return l.Word("unit.ms", digits(float64(d)/float64(time.Millisecond)))
	case d < 2*time.Minute:
		return l.Word("unit.s", digits(d.Seconds()))
	case d < 2*time.Hour:
		return l.Word("unit.min", digits(d.Minutes()))
	}
	return l.Word("unit.h", digits(d.Hours()))
}

// digits writes a number that is not negative with three digits, or as many as
// stand before its point.
func digits(x float64) string {
	decimals := 0
	switch {
	case x == 0:
		return "0"
	case x >= 999.5:
		return grouped(int64(x + .5))
	case x < 9.995:
		decimals = 2
	case x < 99.95:
		decimals = 1
	}
	text := strconv.FormatFloat(x, 'f', decimals, 64)
	if decimals > 0 {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	if text == "0" {
		return "<0.01"
	}
	return text
}
