package main

import (
	"regexp"
	"testing"
	"time"
)

// endedCleanup is how a process tells of a clean-up that it has made.
var endedCleanup = regexp.MustCompile(`msg="task ended".* task=cleanup slot=(\S+)`)

// TestSeveralRunATaskOnce lets three processes ask for the clean-up in the same
// moment, each second for some seconds.
func TestSeveralRunATaskOnce(t *testing.T) {
	v := newSeveral(t, 3, "--cleanup-at", "* * * * * *", "--log-level", "debug")
	t.Parallel() // it waits most of the time
	v.start()
	const enough = 3
	before := v.rows(`SELECT slot FROM slots WHERE task = 'cleanup'`)
	v.each[0].wait(30*time.Second, "no clean-up is made", func() bool {
		return v.rows(`SELECT COUNT(*) >= $1 FROM slots WHERE task = 'cleanup' AND finished_at IS NOT NULL`, len(before)+enough)[0][0] == "true"
	})
	v.stop()
	made, by := map[string]int{}, map[int]bool{}
	for i, s := range v.each {
		for _, line := range s.logged("task=cleanup slot=") {
			made[endedCleanup.FindStringSubmatch(line)[1]]++
			by[i] = true
		}
	}
	slots := v.rows(`SELECT slot, result FROM slots WHERE task = 'cleanup'`)
	for _, slot := range slots {
		if made[slot[0]] != 1 || slot[1] == "" {
			t.Errorf("the clean-up of %s was made %d times: %q", slot[0], made[slot[0]], slot[1])
		}
	}
	if len(made) != len(slots) {
		t.Errorf("%d clean-ups were made for %d slots", len(made), len(slots))
	}
	t.Logf("%d clean-ups, %d of them while all ran, by %d processes", len(slots), len(slots)-len(before), len(by))
}
