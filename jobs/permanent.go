package jobs

// PermanentError is a failure that trying again cannot mend, e.g. a mail
// server that refuses the recipient. A job that ends with it is dead at once.
type PermanentError struct {
	// Err says what failed.
	Err error
}

// Permanent marks err as one that trying again cannot mend.
func Permanent(err error) error { return &PermanentError{Err: err} }

func (e *PermanentError) Error() string { return e.Err.Error() }

// Unwrap returns the failure itself.
func (e *PermanentError) Unwrap() error { return e.Err }
