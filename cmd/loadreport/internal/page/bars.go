package page

import (
	"time"

	"madang/cmd/loadreport/internal/result"
	"madang/cmd/loadreport/internal/table"
)

// barRow are p95 of a scenario and of the write-up as bars to one scale.
type barRow struct {
	Name         string
	Ours, Theirs bar
	Bad          bool
}

// bar is empty where the write-up had no such scenario.
type bar struct {
	Value string
	Share float64 // of the longest
}

func newBars(results []result.Result) []barRow {
	longest := 1.0
	for _, r := range results {
		longest = max(longest, r.Samples.P95, inMilliseconds(r.Scenario.WriteUp.P95))
	}
	var rows []barRow
	for _, r := range results {
		row := barRow{Name: r.Scenario.Name, Ours: bar{table.Milliseconds(r.Samples.P95), r.Samples.P95 / longest}}
		if theirs := inMilliseconds(r.Scenario.WriteUp.P95); theirs > 0 {
			row.Theirs = bar{table.WriteUp(r), theirs / longest}
			row.Bad = r.Samples.P95 >= theirs
		}
		rows = append(rows, row)
	}
	return rows
}

func inMilliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
