package main

import (
	"fmt"
	"sync"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
)

// faults collects what the browser finds wrong with the pages of a tab.
type faults struct {
	mu    sync.Mutex
	heard []string
}

// hear notes an event of the tab when it tells of a fault: an error in a
// script or on the console, a broken policy, a request that failed.
func (f *faults) hear(event any) {
	if fault := faultIn(event); fault != "" {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.heard = append(f.heard, fault)
	}
}

// take returns the faults since it was last called.
func (f *faults) take() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	heard := f.heard
	f.heard = nil
	return heard
}

func faultIn(event any) string {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		return "a script failed: " + e.ExceptionDetails.Text
	case *runtime.EventConsoleAPICalled:
		return fmt.Sprintf("the console has an entry %q", e.Type)
	case *log.EventEntryAdded:
		return logFault(e.Entry)
	case *network.EventResponseReceived:
		return answerFault(e)
	case *network.EventLoadingFailed:
		if !e.Canceled { // as a page does that is left while it asks
			return fmt.Sprintf("a request failed: %s %s", e.ErrorText, e.BlockedReason)
		}
	case *audits.EventIssueAdded:
		return issueFault(e.Issue)
	}
	return ""
}

// logFault leaves out the entries about answers, which are heard as such, and
// what only informs.
func logFault(entry *log.Entry) string {
	if entry.Source == log.EntrySourceNetwork || entry.Level == log.EntryLevelInfo || entry.Level == log.EntryLevelVerbose {
		return ""
	}
	return fmt.Sprintf("the log says %q", entry.Text)
}

// answerFault leaves out the pages themselves, whose status each step checks.
func answerFault(e *network.EventResponseReceived) string {
	if e.Type == network.ResourceTypeDocument || e.Response.Status < 400 {
		return ""
	}
	return fmt.Sprintf("%s answers %d", e.Response.URL, e.Response.Status)
}

// issueFault leaves out a guess: that an address field should fill itself in
// with an address, where it is the name to log in with.
func issueFault(issue *audits.InspectorIssue) string {
	fault := "the browser found an issue: " + string(issue.Code)
	if details := issue.Details.GenericIssueDetails; details != nil {
		if details.ErrorType == audits.GenericIssueErrorTypeFormInputHasWrongButWellIntendedAutocompleteValueError {
			return ""
		}
		fault += fmt.Sprintf(" (%s, %s)", details.ErrorType, details.ViolatingNodeAttribute)
	}
	return fault
}
