package jobs

// OutageError is a failure of what a handler works with, e.g. a mail server
// that refuses everybody: no fault of the job, which any other would share.
// A pool with a [Breaker] gives the job back as if it had not been claimed;
// any other retries it as after any failure.
type OutageError struct {
	// Err says what is out of order.
	Err error
}

// Outage marks err as no fault of the job.
func Outage(err error) error { return &OutageError{Err: err} }

func (e *OutageError) Error() string { return e.Err.Error() }

// Unwrap returns the failure itself.
func (e *OutageError) Unwrap() error { return e.Err }
