// Package page tells all results as one HTML page that needs nothing else. It
// imports result, scenario and table.
package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"time"

	"madang/cmd/loadreport/internal/result"
	"madang/cmd/loadreport/internal/scenario"
	"madang/cmd/loadreport/internal/table"
)

//go:embed page.html
var pageText string

// Report is what there is to tell.
type Report struct {
	Machine string
	Takes   time.Duration // of the mail server for a mail
	Results []result.Result
	Scale   float64
	Dir     string // where the page and everything beside it lies
	At      time.Time
}

// Write writes the page.
func (all Report) Write(w io.Writer) error {
	page, err := template.New("page").Funcs(template.FuncMap{
		"count": table.Count, "ms": table.Milliseconds,
	}).Parse(pageText)
	if err != nil {
		return fmt.Errorf("read the template of the report: %w", err)
	}
	if err := page.Execute(w, all.view()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// view is what the template shows.
type view struct {
	Machine, At, Scale string
	Faults             int
	WriteUpPeak        int
	Bars               []barRow
	Sections           []section
}

// section is one scenario.
type section struct {
	result.Result
	Name, Success, WriteUp, Emptied      string
	BoardCPU, RunnerCPU, HelperCPU, Took string
	Planned, Busiest, MailTakes          string
	Faults                               []string
	Plots                                []plot
	Links                                []link
}

type link struct{ Href, Text string }

func (all Report) view() view {
	v := view{
		Machine: all.Machine, At: all.At.UTC().Format("2006-01-02 15:04 UTC"), WriteUpPeak: scenario.WriteUpPeak,
		Bars: newBars(all.Results),
	}
	if all.Scale != 1 {
		v.Scale = fmt.Sprintf("A rehearsal: every load lasted %g of its full length.", all.Scale)
	}
	for _, one := range all.Results {
		s := all.section(one)
		v.Faults += len(s.Faults)
		v.Sections = append(v.Sections, s)
	}
	return v
}

func (all Report) section(r result.Result) section {
	return section{
		Result: r, Name: r.Scenario.Name, Faults: r.Faults(), Plots: plots(r),
		Success: table.Success(r), WriteUp: table.WriteUp(r), Emptied: table.Seconds(r.EmptiedIn),
		BoardCPU: table.Percent(r.Share(r.BoardCPU)), RunnerCPU: table.Percent(r.Share(r.RunnerCPU)),
		HelperCPU: table.Percent(r.Share(r.HelperCPU)), Took: lasted(r.Took),
		Planned: fmt.Sprintf("%.2g", r.Scenario.Plan.PerSecond(all.Scale)), Busiest: fmt.Sprintf("%.2g", r.Log.Busiest),
		MailTakes: table.Seconds(all.Takes), Links: all.links(r.Scenario.Name),
	}
}

// links are the files beside the page that begin with the scenario's name. The
// second one is left by the own runner alone.
func (all Report) links(name string) (found []link) {
	for _, l := range []link{
		{name + ".html", "the script's own report"},
		{name + ".seconds.html", "second by second"},
		{name + ".txt", "summary as text"},
		{name + ".csv", "every request"},
		{name + ".board.log", "the board's log"},
	} {
		if _, err := os.Stat(filepath.Join(all.Dir, l.Href)); err == nil {
			found = append(found, l)
		}
	}
	return found
}

// lasted writes a length of time in words.
func lasted(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return clock(d) + " minutes"
}

// clock writes minutes and seconds.
func clock(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}
