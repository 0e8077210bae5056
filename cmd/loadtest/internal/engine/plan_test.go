package engine

import (
	"testing"
	"time"

	"madang/cmd/loadtest/internal/script"
)

func planOf(executor string, start int, stages ...stage) *plan {
	second, grace, limit := script.Duration(time.Second), script.Duration(time.Second), script.Duration(time.Minute)
	p := &plan{stages: stages, graceful: time.Second, Scenario: script.Scenario{
		Executor: executor, StartVUs: &start, StartRate: start, TimeUnit: &second, GracefulStop: &grace, MaxDuration: &limit, VUs: &start,
	}}
	for _, s := range stages {
		p.length += s.length
	}
	return p
}

func TestUsersComeAndGoWhenAWholeOneIsReached(t *testing.T) {
	p := planOf("ramping-vus", 0, stage{10 * time.Second, 10}, stage{0, 4}, stage{4 * time.Second, 0})
	s := &scene{plan: p}
	for at, want := range map[time.Duration]int{
		0: 0, 999 * time.Millisecond: 0, time.Second: 1, 9999 * time.Millisecond: 9,
		10 * time.Second: 4, 10100 * time.Millisecond: 4, 11 * time.Second: 3, 11500 * time.Millisecond: 3, 14 * time.Second: 0, time.Hour: 0,
	} {
		if got := s.users(at); got != want {
			t.Errorf("after %v %d users, want %d", at, got, want)
		}
	}
}

func TestArrivalsAreTheAreaUnderTheStages(t *testing.T) {
	p := planOf("ramping-arrival-rate", 10, stage{2 * time.Second, 20}, stage{time.Second, 20}, stage{2 * time.Second, 0})
	for at, want := range map[time.Duration]float64{0: 0, time.Second: 12.5, 2 * time.Second: 30, 3 * time.Second: 50, 4 * time.Second: 65, 5 * time.Second: 70} {
		if got := p.arrived(at); got != want {
			t.Errorf("after %v %v arrivals, want %v", at, got, want)
		}
	}
}

func TestThePeakCountsScenariosThatMeet(t *testing.T) {
	a := planOf("ramping-vus", 0, stage{10 * time.Second, 10})
	b := planOf("ramping-vus", 0, stage{10 * time.Second, 7})
	b.start = 10500 * time.Millisecond // within the grace of the first
	if got := peak([]*plan{a, b}); got != 17 {
		t.Errorf("peak %d, want 17", got)
	}
	b.start = 11 * time.Second
	if got := peak([]*plan{a, b}); got != 10 {
		t.Errorf("peak %d, want 10", got)
	}
}
