package jobs

import (
	"math/rand/v2"
	"time"

	"madang/store"
)

// retries end when a job is this old; then it is dead and waits for the operator.
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

// retryAt returns when a job that failed now is due again; false when it has
// been tried for long enough. The last try comes when the job's time ends.
func retryAt(job store.Job, now time.Time) (time.Time, bool) {
	end := job.CreatedAt.Add(retryFor)
	if !now.Before(end) {
		return time.Time{}, false
	}
	next := now.Add(jitter(retryDelay(job.Attempt)))
	if next.After(end) {
		next = end
	}
	return next, true
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
