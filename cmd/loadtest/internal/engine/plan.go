package engine

import (
	"maps"
	"slices"
	"time"

	"madang/cmd/loadtest/internal/script"
)

// plan is a scenario with its lengths multiplied by the scale. Limits
// (gracefulStop, gracefulRampDown, maxDuration) and the script's own sleeps
// stay as written, so that the load of each second is that of the whole run.
type plan struct {
	script.Scenario
	name     string
	start    time.Duration
	length   time.Duration // 0: as long as its iterations take
	stages   []stage
	graceful time.Duration
}

type stage struct {
	length time.Duration
	target int
}

func plans(scenarios map[string]script.Scenario, scale float64) []*plan {
	var all []*plan
	scaled := func(d script.Duration) time.Duration { return time.Duration(float64(d) * scale) }
	for _, name := range slices.Sorted(maps.Keys(scenarios)) {
		s := scenarios[name]
		p := &plan{Scenario: s, name: name, start: scaled(s.StartTime), length: scaled(s.Duration), graceful: time.Duration(*s.GracefulStop)}
		for _, st := range s.Stages {
			p.stages = append(p.stages, stage{scaled(st.Duration), st.Target})
		}
		switch s.Executor {
		case "ramping-vus", "ramping-arrival-rate":
			p.length = 0
			for _, st := range p.stages {
				p.length += st.length
			}
		}
		all = append(all, p)
	}
	return all
}

// at is where the stages stand after that long, on straight lines from one
// target to the next.
func (p *plan) at(from int, elapsed time.Duration) float64 {
	value := float64(from)
	for _, s := range p.stages {
		if elapsed < s.length {
			return value + (float64(s.target)-value)*float64(elapsed)/float64(s.length)
		}
		elapsed -= s.length
		value = float64(s.target)
	}
	return value
}

// most is how many users the scenario has at the same time; of an arrival rate
// those that it starts with.
func (p *plan) most() int {
	switch p.Executor {
	case "ramping-vus":
		n := *p.StartVUs
		for _, s := range p.stages {
			n = max(n, s.target)
		}
		return n
	case "constant-arrival-rate", "ramping-arrival-rate":
		return p.PreAllocatedVUs
	case "shared-iterations":
		return min(*p.VUs, *p.Iterations)
	default:
		return *p.VUs
	}
}

// end is when the scenario is over at the latest.
func (p *plan) end() time.Duration {
	if p.length == 0 {
		return p.start + time.Duration(*p.MaxDuration) + p.graceful
	}
	return p.start + p.length + p.graceful
}

// peak is the largest number of users that scenarios need at the same time.
func peak(all []*plan) int {
	most := 0
	for _, p := range all {
		n := 0
		for _, other := range all {
			if other.start <= p.start && p.start < other.end() {
				n += other.most()
			}
		}
		most = max(most, n)
	}
	return most
}

func length(all []*plan) time.Duration {
	var longest time.Duration
	for _, p := range all {
		longest = max(longest, p.start+p.length)
	}
	return longest
}
