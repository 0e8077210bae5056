package jobs

import "errors"

// ErrObsolete is what a handler wraps when nothing is left to do for a job,
// e.g. because a newer one replaced it. The job is done, and nothing that
// follows from its success happens.
var ErrObsolete = errors.New("nothing is left to do")
