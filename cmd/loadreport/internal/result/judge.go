package result

import (
	"fmt"
	"strings"
	"time"
)

// mostRunner is the share of the machine that running the script may cost where
// its users are a hundred: what is measured is to be the board.
const (
	mostRunner   = .3
	runnersUsers = 100
)

// Faults are what is not as it must be, each in a line; none when all is well.
func (r Result) Faults() []string {
	var all []string
	say := func(wrong bool, format string, args ...any) {
		if wrong {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	p95 := r.Scenario.WriteUp.P95
	say(r.Samples.Requests == 0, "the script sent no request")
	say(r.FailedRequests() > 0, "%d of %d requests failed", r.FailedRequests(), r.Samples.Requests)
	say(p95 > 0 && milliseconds(r.Samples.P95) >= p95, "p95 is %.0f ms, the write-up's was %d ms", r.Samples.P95, p95.Milliseconds())
	say(r.Lost() > 0, "%d mails are lost", r.Lost())
	say(r.Left > 0, "%d jobs do not come to an end", r.Left)
	say(r.Twice > 0, "%d mails went out twice", r.Twice)
	say(r.Scenario.Readers > 0 && r.Counted != r.Scenario.Readers, "%d views were counted, not %d", r.Counted, r.Scenario.Readers)
	all = append(all, r.slowPages()...)
	say(r.Scenario.Users == runnersUsers && r.Share(r.RunnerCPU) >= mostRunner,
		"running the script took %.0f %% of the machine, which must be less than %.0f %%", 100*r.Share(r.RunnerCPU), 100*mostRunner)
	say(len(r.WrongChecks) > 0, "checks failed: %s", strings.Join(r.WrongChecks, ", "))
	say(len(r.Broken) > 0, "thresholds of the script are broken: %s", strings.Join(r.Broken, ", "))
	for _, contradiction := range r.Books.Contradictions {
		say(true, "the database contradicts itself: %s", contradiction)
	}
	return all
}

func (r Result) slowPages() (all []string) {
	limit := r.Scenario.PageWithin
	for _, p := range r.Samples.Pages {
		if limit > 0 && milliseconds(p.P95) >= limit {
			all = append(all, fmt.Sprintf("p95 of the page %q is %.0f ms, which must be less than %d ms", p.Name, p.P95, limit.Milliseconds()))
		}
	}
	return all
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
