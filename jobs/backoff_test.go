package jobs

import (
	"testing"
	"time"
)

func TestRetriesGetRarerAndEndAfterTwoDaysOfTrying(t *testing.T) {
	wants := []time.Duration{
		30 * time.Second, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 4 * time.Hour,
	}
	attempt, total := 1, time.Duration(0)
	for ; ; attempt++ {
		rest, ok := retryAfter(attempt)
		if !ok {
			break
		}
		want := min(wants[min(attempt, len(wants))-1], retryFor-total)
		if rest > want*12/10 || rest < want*8/10 {
			t.Errorf("attempt %d waits %s, want about %s", attempt, rest, want)
		}
		total += want
	}
	if total != retryFor {
		t.Errorf("given up after %s", total)
	}
	if attempt < 15 || attempt >= maxStarts {
		t.Errorf("%d attempts", attempt)
	}
}

func TestJobsThatFailTogetherComeBackSpreadEvenly(t *testing.T) {
	const jobs = 5000
	var tenths [10]int
	for range jobs {
		rest, ok := retryAfter(3) // 5 min: 4 to 6
		if !ok {
			t.Fatal("given up")
		}
		tenths[int((rest-4*time.Minute)*10/(2*time.Minute+1))]++
	}
	for i, n := range tenths {
		if n < jobs/10*8/10 || n > jobs/10*12/10 {
			t.Errorf("%d of %d come back in tenth %d: %v", n, jobs, i, tenths)
		}
	}
}
