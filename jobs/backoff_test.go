package jobs

import (
	"testing"
	"time"

	"madang/store"
)

func TestRetriesGetRarerAndEndAfterTwoDays(t *testing.T) {
	created := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	wants := []time.Duration{
		30 * time.Second, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 4 * time.Hour,
	}
	now, attempt := created, 0
	for {
		attempt++
		at, ok := retryAt(store.Job{CreatedAt: created, Attempt: attempt}, now)
		if !ok {
			break
		}
		want := wants[min(attempt, len(wants))-1]
		last := at.Equal(created.Add(retryFor))
		if d := at.Sub(now); d > want*12/10 || d < want*8/10 && !last {
			t.Errorf("attempt %d waits %s, want about %s", attempt, d, want)
		}
		now = at
	}
	if now != created.Add(retryFor) {
		t.Errorf("given up at the age of %s", now.Sub(created))
	}
	if attempt < 15 || attempt >= maxStarts {
		t.Errorf("%d attempts", attempt)
	}
}

func TestJobsThatFailTogetherComeBackApart(t *testing.T) {
	var first, last time.Duration = time.Hour, 0
	for range 500 {
		d := jitter(100 * time.Second)
		first, last = min(first, d), max(last, d)
	}
	if first < 80*time.Second || last > 120*time.Second || last-first < 20*time.Second {
		t.Errorf("between %s and %s", first, last)
	}
}
