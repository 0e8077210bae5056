// Package scenario is the table of what is measured: the scripts in k6/, what
// they ask of the mail pool, and what they must reach. It imports views for the
// formula of the page of pools.
package scenario

import (
	"slices"
	"strconv"
	"time"

	"madang/views"
)

// Scenario is a script and what is expected of it.
type Scenario struct {
	Name    string
	Users   int // at most at once
	Plan    Plan
	WriteUp WriteUp
	// PageWithin is what p95 of every page must stay under; 0: not asked for.
	PageWithin time.Duration
	// Readers each reload one post Reloads times, and the count of its views must
	// rise by exactly their number; 0: nobody counts.
	Readers, Reloads int
	// Extra scenarios are measured only when they are asked for.
	Extra bool
}

// WriteUp is what the first write-up measured with the same shape of load.
type WriteUp struct {
	P95 time.Duration // 0: it had no such scenario
}

// WriteUpPeak is the most requests in a second that the write-up saw. No request
// of its failed.
const WriteUpPeak = 64

// Plan is how many sign-ups, and so mails, the script asks for at its busiest.
type Plan struct {
	SignUps int
	Within  time.Duration
	// Ramp is true when Within is a length of the load and not of people's
	// pauses, so that a scaled run is busier.
	Ramp bool
	Why  string
}

// PerSecond is the rate of arrivals in a run whose load is scaled.
func (p Plan) PerSecond(scale float64) float64 {
	within := p.Within.Seconds()
	if p.Ramp {
		within *= scale
	}
	return float64(p.SignUps) / within
}

// mostWorkers is what the board allows.
const mostWorkers = 1000

// Workers is the number of mail workers that the page of pools would name for
// the plan when a mail takes so long.
func (p Plan) Workers(scale float64, each time.Duration) int {
	const mails = 1 << 20 // so many that no rate is rounded
	load := views.Load{
		Arrived: mails, Lasted: time.Duration(mails / p.PerSecond(scale) * float64(time.Second)),
		Done: mails, Spent: mails * each,
	}
	return min(load.Needed(), mostWorkers)
}

// All are the scenarios in the order in which they are measured.
func All() []Scenario {
	pauses := func(users int, within time.Duration, why string) Plan {
		return Plan{SignUps: users, Within: within, Why: why}
	}
	const newcomers = " users look at the list, fill in the form and rest, 1 s each, then begin anew"
	return []Scenario{
		{
			Name: "functional", Users: 5, WriteUp: WriteUp{P95: 371 * time.Millisecond},
			Plan: pauses(5, 6500*time.Millisecond, "5 users wait 3.5 s for their mail and think for 3 s, then begin anew"),
		},
		{
			Name: "load", Users: 50, WriteUp: WriteUp{P95: 221 * time.Millisecond},
			Plan: pauses(50, 3*time.Second, "50"+newcomers),
		},
		{
			Name: "stress", Users: 100, WriteUp: WriteUp{P95: 721 * time.Millisecond},
			Plan: pauses(100, 3*time.Second, "100"+newcomers),
		},
		{
			Name: "spike", Users: 100, WriteUp: WriteUp{P95: 909 * time.Millisecond},
			Plan: pauses(100, 3*time.Second, "100"+newcomers),
		},
		{
			Name: "journey", Users: 100, PageWithin: 200 * time.Millisecond,
			Plan: Plan{SignUps: 100, Within: 30 * time.Second, Ramp: true, Why: "100 users come within 30 s and sign up first"},
		},
		{
			Name: "views", Users: 50, Readers: 1000, Reloads: 100,
			Plan: pauses(1, time.Minute, "one author signs up"),
		},
		{
			Name: "big", Users: 1000, Extra: true,
			Plan: pauses(1000, 10*time.Second, "1000 users think for 10 s in each turn and sign up once in it"),
		},
	}
}

// Names are those of the scenarios.
func Names() []string {
	var names []string
	for _, s := range All() {
		names = append(names, s.Name)
	}
	return names
}

// Choose returns the scenarios of those names, in the order of the table, or
// without names all that are no extra ones.
func Choose(names []string) []Scenario {
	return slices.DeleteFunc(All(), func(s Scenario) bool {
		if len(names) == 0 {
			return s.Extra
		}
		return !slices.Contains(names, s.Name)
	})
}

// Scaled returns the scenario with fewer readers, since the number of them is
// the length of their script.
func (s Scenario) Scaled(scale float64) Scenario {
	if s.Readers > 0 {
		s.Readers = max(int(float64(s.Readers)*scale), 1)
	}
	return s
}

// Environment is what the script is told.
func (s Scenario) Environment() []string {
	if s.Readers == 0 {
		return nil
	}
	return []string{"READERS=" + strconv.Itoa(s.Readers), "RELOADS=" + strconv.Itoa(s.Reloads)}
}
