// Package table writes results as Markdown and puts them into README.md. It
// imports result and scenario.
package table

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"time"

	"madang/cmd/loadreport/internal/result"
	"madang/cmd/loadreport/internal/scenario"
)

// Machine says in a sentence where and how it was measured.
func Machine(runner string, takes time.Duration) string {
	return fmt.Sprintf("%s, %d cores, %s; the scripts were run by %s beside the board, with a mail server that takes %s for each mail.",
		system(), runtime.NumCPU(), runtime.Version(), runner, Seconds(takes))
}

func system() string { return strings.ToUpper(runtime.GOOS[:1]) + runtime.GOOS[1:] }

// Markdown is a table of the answers and one of the mails.
func Markdown(machine string, results []result.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", machine)
	answers := grid{head: []string{
		"scenario", "users", "requests", "success", "p50, ms", "p95, ms", "write-up's p95", "p99, ms", "peak requests/s",
	}}
	mails := grid{head: []string{
		"scenario", "mails sent", "twice", "lost", "mail workers", "queue empty after", "CPU of the board", "CPU of the runner",
	}}
	for _, r := range results {
		answers.add(r.Scenario.Name, Count(r.Users), Count(r.Samples.Requests), Success(r), bare(r.Samples.P50),
			bare(r.Samples.P95), strings.TrimSuffix(WriteUp(r), unit), bare(r.Samples.P99), Count(r.Samples.Peak()))
		mails.add(r.Scenario.Name, Count(r.Mails), Count(r.Twice), Count(r.Lost()), Count(r.Workers),
			Seconds(r.EmptiedIn), Percent(r.Share(r.BoardCPU)), Percent(r.Share(r.RunnerCPU)))
	}
	fmt.Fprintf(&b, "%s\nThe write-up's peak was %d requests/s, and none of its requests failed.\n\n%s",
		answers.text(), scenario.WriteUpPeak, mails.text())
	for _, r := range results {
		if r.Scenario.Readers > 0 {
			fmt.Fprintf(&b, "\n%s readers reloaded one post %d times each: %s views were counted.\n",
				Count(r.Scenario.Readers), r.Scenario.Reloads, Count(r.Counted))
		}
		if r.Log.Refused > 0 {
			fmt.Fprintf(&b, "\n%s requests of %s were politely refused.\n", Count(r.Log.Refused), r.Scenario.Name)
		}
	}
	return b.String()
}

// grid is a table whose columns have the width of their widest cell, so that
// it can be read as it is.
type grid struct {
	head []string
	rows [][]string
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

func (g *grid) text() string {
	widths := make([]int, len(g.head))
	for _, row := range append([][]string{g.head}, g.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)), 3)
		}
	}
	var b strings.Builder
	g.line(&b, g.head, widths)
	for i, width := range widths {
		if i == 0 {
			fmt.Fprintf(&b, "|%s|", strings.Repeat("-", width+2))
			continue
		}
		fmt.Fprintf(&b, "%s:|", strings.Repeat("-", width+1))
	}
	b.WriteString("\n")
	for _, row := range g.rows {
		g.line(&b, row, widths)
	}
	return b.String()
}

func (g *grid) line(b *strings.Builder, cells []string, widths []int) {
	for i, cell := range cells {
		gap := strings.Repeat(" ", widths[i]-len([]rune(cell)))
		if i == 0 {
			fmt.Fprintf(b, "| %s%s |", cell, gap)
			continue
		}
		fmt.Fprintf(b, " %s%s |", gap, cell)
	}
	b.WriteString("\n")
}

// Count writes a number with commas between its thousands.
func Count(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

const unit = " ms"

// Milliseconds writes a duration, to a tenth where that says more.
func Milliseconds(ms float64) string { return bare(ms) + unit }

// bare leaves the unit to the head of the column, where it cannot be torn off.
func bare(ms float64) string {
	if ms < 10 {
		return fmt.Sprintf("%.1f", ms)
	}
	return Count(int(math.Round(ms)))
}

// Seconds writes a time that people wait.
func Seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// Success is the share of requests that were answered as expected, which is
// rounded to all of them only when it is.
func Success(r result.Result) string {
	if r.FailedRequests() > 0 {
		return fmt.Sprintf("%.2f %%", min(100*r.Success(), 99.99))
	}
	return "100 %"
}

// WriteUp is what the write-up measured, or a dash.
func WriteUp(r result.Result) string {
	if r.Scenario.WriteUp.P95 == 0 {
		return "–"
	}
	return fmt.Sprint(r.Scenario.WriteUp.P95.Milliseconds()) + unit
}

// Percent writes a share of the machine, or a dash where it is not known.
func Percent(share float64) string {
	switch {
	case share == 0:
		return "–"
	case share < .01:
		return "< 1 %"
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}
