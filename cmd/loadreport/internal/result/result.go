// Package result holds what was measured of a scenario and judges it. It
// imports board and scenario.
package result

import (
	"runtime"
	"time"

	"madang/cmd/loadreport/internal/board"
	"madang/cmd/loadreport/internal/scenario"
)

// Result is what was measured of one scenario.
type Result struct {
	Scenario scenario.Scenario
	Began    time.Time
	Took     time.Duration // of the script, from its start to its end
	Summary
	Samples Samples

	Workers   int     // of the mail pool
	Planned   float64 // mails a second they are reckoned for
	Mails     int     // accepted by the mail server
	Twice     int     // of these, with a Message-ID accepted before
	Queue     []Depth
	EmptiedIn time.Duration // from the end of the script until no job was left
	Left      int           // jobs that did not come to an end

	Books board.Books
	Log   board.Log

	// Processor time while the script ran, 0 where it is not known. Helper is
	// this program with mail server and mailbox.
	RunnerCPU, BoardCPU, HelperCPU time.Duration
}

// Depth is how many mails waited at a time since the start of the script.
type Depth struct {
	At    time.Duration
	Mails int
}

// Deepest is the most mails that waited.
func (r Result) Deepest() int {
	deepest := 0
	for _, d := range r.Queue {
		deepest = max(deepest, d.Mails)
	}
	return deepest
}

// FailedRequests counts every failure that anybody saw once.
func (r Result) FailedRequests() int {
	return max(r.Samples.Failed, r.Failed, r.Log.Errors)
}

// Success is the share of requests that were answered as expected.
func (r Result) Success() float64 {
	if r.Samples.Requests == 0 {
		return 0
	}
	return 1 - float64(min(r.FailedRequests(), r.Samples.Requests))/float64(r.Samples.Requests)
}

// Lost counts sign-ups that were acknowledged and are not there, sign-ups whose
// mail is neither done nor dead, and mails that are done and never reached the
// mail server.
func (r Result) Lost() int {
	m := r.Books.Mails
	unrecorded := max(r.Samples.SignUps, r.Log.SignUps) - int(m.Signups)
	unsettled := int(m.Signups - m.Done - m.Dead)
	unsent := int(m.Done) - (r.Mails - r.Twice)
	return max(unrecorded, 0) + max(unsettled, 0) + max(unsent, 0)
}

// Share is which part of the machine so much processor time was while the
// script ran.
func (r Result) Share(used time.Duration) float64 {
	if r.Took <= 0 {
		return 0
	}
	return used.Seconds() / r.Took.Seconds() / float64(runtime.NumCPU())
}
