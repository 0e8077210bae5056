package scenario

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTheWorkersAreArrivalsTimesTimeRoundedUp(t *testing.T) {
	got := map[string]int{}
	for _, s := range All() {
		got[s.Name] = s.Plan.Workers(1, 3500*time.Millisecond)
	}
	want := map[string]int{
		"functional": 3,   // 5 / 6.5 s × 3.5 s = 2.7
		"load":       59,  // 16.7/s × 3.5 s = 58.3
		"stress":     117, // 33.3/s × 3.5 s = 116.7
		"spike":      117,
		"journey":    12, // 3.33/s × 3.5 s = 11.7
		"views":      1,
		"big":        350, // 100/s × 3.5 s
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestAShorterRampIsBusierAndAPauseIsNot(t *testing.T) {
	ramp := Plan{SignUps: 100, Within: 30 * time.Second, Ramp: true}
	if got := ramp.Workers(.1, 3500*time.Millisecond); got != 117 { // 33.3/s × 3.5 s = 116.7
		t.Errorf("%d workers for a tenth of the ramp", got)
	}
	pauses := Plan{SignUps: 5, Within: 5 * time.Second}
	if got := pauses.Workers(.1, 3500*time.Millisecond); got != 4 { // 1/s × 3.5 s
		t.Errorf("%d workers for a tenth of the load", got)
	}
}

func TestExtraScenariosAreAskedFor(t *testing.T) {
	name := func(all []Scenario) (names []string) {
		for _, s := range all {
			names = append(names, s.Name)
		}
		return names
	}
	if diff := cmp.Diff([]string{"functional", "load", "stress", "spike", "journey", "views"}, name(Choose(nil))); diff != "" {
		t.Errorf("without names: %s", diff)
	}
	if diff := cmp.Diff([]string{"load", "big"}, name(Choose([]string{"big", "load"}))); diff != "" {
		t.Errorf("by name: %s", diff)
	}
}

func TestScaledReadersAreFewer(t *testing.T) {
	for _, s := range All() {
		env := s.Scaled(.02).Environment()
		if s.Name == "views" && (len(env) != 2 || env[0] != "READERS=20" || env[1] != "RELOADS=100") || s.Name != "views" && env != nil {
			t.Errorf("%s: %v", s.Name, env)
		}
	}
}
