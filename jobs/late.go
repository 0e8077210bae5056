package jobs

import "time"

// lateness tells those who come within a tenth of a second when they have
// waited long enough. They share a timer, since one for each event costs as much
// as joining a batch.
type lateness struct {
	since time.Time
	over  chan struct{} // closed when it is so
}

const latenessStep = commitWithin / 20

// of returns the channel of those who come now.
func (l *lateness) of(now time.Time) <-chan struct{} {
	if since := now.Sub(l.since); l.over == nil || since < 0 || since > latenessStep {
		over := make(chan struct{})
		l.since, l.over = now, over
		time.AfterFunc(commitWithin+latenessStep, func() { close(over) })
	}
	return l.over
}
