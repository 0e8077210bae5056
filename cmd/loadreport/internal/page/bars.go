package page

import (
	"fmt"
	"time"

	"madang/cmd/loadreport/internal/result"
	"madang/cmd/loadreport/internal/table"
)

// bars compare p95 of each scenario with the write-up's.
type bars struct {
	Height float64
	Label  string // the same in words
	Rows   []barRow
}

// barRow are the two bars of a scenario, the upper one ours.
type barRow struct {
	Name, Value, Other string
	Y, Width           float64
	OtherWidth         float64 // 0: the write-up had no such scenario
	Bad                bool
}

const (
	barsHigh  = 46.0  // both bars of a scenario
	barHigh   = 30.0  // the only one of a scenario
	barsWidth = 420.0 // of the longest
)

func newBars(results []result.Result) bars {
	b := bars{Label: "p95 of each scenario."}
	longest := 1.0
	for _, r := range results {
		longest = max(longest, r.Samples.P95, inMilliseconds(r.Scenario.WriteUp.P95))
	}
	for _, r := range results {
		other := inMilliseconds(r.Scenario.WriteUp.P95)
		row := barRow{
			Name: r.Scenario.Name, Value: table.Milliseconds(r.Samples.P95), Y: b.Height,
			Width: barsWidth * r.Samples.P95 / longest, OtherWidth: barsWidth * other / longest,
			Bad: other > 0 && r.Samples.P95 >= other,
		}
		b.Label += fmt.Sprintf(" %s: %s", row.Name, row.Value)
		b.Height += barHigh
		if other > 0 {
			b.Height += barsHigh - barHigh
			row.Other = table.WriteUp(r)
			b.Label += ", in the write-up " + row.Other
		}
		b.Label += "."
		b.Rows = append(b.Rows, row)
	}
	return b
}

func inMilliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
