package jobs

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// Cron is a time of day or week at which something is due, read by [ParseCron].
//
// It is evaluated on the wall clock, as if the clocks never changed: a time
// that the spring skips comes at the first moment after the gap, and one that
// the autumn shows twice is the same time twice.
type Cron struct {
	text  string
	times cron.Schedule
}

// ParseCron reads a cron expression of six fields, seconds first. Its errors
// are one line that says what is allowed.
func ParseCron(text string) (Cron, error) {
	const form = `six fields are needed (second minute hour day month weekday), e.g. "0 0 3 * * *" for 03:00:00 each day`
	if len(strings.Fields(text)) != 6 || strings.Contains(text, "TZ=") {
		return Cron{}, errors.New(form)
	}
	parser := cron.NewParser(cron.Second | cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)
	times, err := parser.Parse(text)
	if err != nil {
		return Cron{}, fmt.Errorf("%w: %s", err, form)
	}
	if times.Next(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)).IsZero() {
		return Cron{}, errors.New("there is no such day: " + form)
	}
	return Cron{text: text, times: times}, nil
}

// String returns the expression as it was written.
func (c Cron) String() string { return c.text }

// wallClock is what the clock on the wall shows at t, as a time in UTC, where
// no hour is missing and none comes twice.
func wallClock(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// last returns the latest wall-clock time at or before now that is due, zero
// if there was none for over four years.
func (c Cron) last(now time.Time) time.Time {
	const day = 24 * time.Hour
	for _, back := range []time.Duration{time.Minute, time.Hour, day, 32 * day, 366 * day, 5 * 366 * day} {
		var found time.Time
		for t := c.times.Next(now.Add(-back)); !t.IsZero() && !t.After(now); t = c.times.Next(t) {
			found = t
		}
		if !found.IsZero() {
			return found
		}
	}
	return time.Time{}
}

// next returns the wall-clock time that is due after now.
func (c Cron) next(now time.Time) time.Time { return c.times.Next(now) }

// slot names the run that is due at a wall-clock time: by its date when it is
// the only one of that day, so that moving the time within a day does not
// make a second one.
func (c Cron) slot(due time.Time) string {
	midnight := due.Truncate(24 * time.Hour)
	first := c.times.Next(midnight.Add(-time.Second))
	if first.Equal(due) && !c.times.Next(due).Before(midnight.Add(24*time.Hour)) {
		return due.Format(time.DateOnly)
	}
	return due.Format("2006-01-02T15:04:05")
}
