package jobs

import (
	"math/rand/v2"
	"time"
)

// retryFor is how long a job's own retries go on, rests of the pool not counted;
// then it is dead and waits for the operator.
const retryFor = 48 * time.Hour

// maxStarts ends a job that takes its process down with it: such a run never
// reaches the retry curve, but its start was counted at the claim. The curve
// itself needs fewer than twenty.
const maxStarts = 30

// retryDelay is how long to wait after the failed attempt, counted from 1: a
// short cough of the mail server is over in seconds, an outage in hours.
func retryDelay(attempt int) time.Duration {
	delays := [...]time.Duration{
		30 * time.Second, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 2 * time.Hour,
	}
	if i := max(attempt, 1) - 1; i < len(delays) {
		return delays[i]
	}
	return 4 * time.Hour
}

// retryAfter returns how long a job rests after its failed attempt; false when
// it has been tried for long enough. What counts is the time given to its own
// attempts and not its age, so that an outage of days costs it nothing.
func retryAfter(attempt int) (time.Duration, bool) {
	left := retryFor
	for before := 1; before < attempt && left > 0; before++ {
		left -= retryDelay(before)
	}
	if left <= 0 {
		return 0, false
	}
	return jitter(min(retryDelay(attempt), left)), true
}

// jitter spreads a delay by 20 % to either side, so that jobs which failed
// together do not come back together.
func jitter(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.8 + 0.4*rand.Float64())) //nolint:gosec // nothing secret hangs on it
}

// pause is how long a loop rests after so many failures in a row.
func pause(failures int) time.Duration {
	return jitter(min(time.Second<<min(failures-1, 4), 10*time.Second))
}
