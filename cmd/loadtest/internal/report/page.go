package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"time"

	"madang/cmd/loadtest/internal/metric"
)

//go:embed page.html
var pageText string

// Page writes one HTML page that holds everything it needs.
func (r *Run) Page(w io.Writer) error {
	page, err := template.New("page").Parse(pageText)
	if err != nil {
		return fmt.Errorf("read the template of the report: %w", err)
	}
	if err := page.Execute(w, r.page()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

type page struct {
	Script, BaseURL, Began, Elapsed, EndedEarly string
	Passed                                      bool
	Cards                                       []card
	Plots                                       []plot
	Thresholds                                  []promise
	Checks                                      []checkRow
	Addresses                                   []addressRow
	Metrics                                     []metricRow
}

type (
	card    struct{ Label, Value string }
	promise struct {
		Metric, Source, Figures string
		OK                      bool
	}
	checkRow struct {
		Name          string
		Passes, Fails int
	}
	metricRow  struct{ Name, Figures string }
	addressRow struct {
		Name             string
		Requests, Failed int
		P50, P95, P99    string
	}
)

func (r *Run) page() page {
	p := page{
		Script: r.Script, BaseURL: r.BaseURL, Began: r.Began.UTC().Format("2006-01-02 15:04 UTC"),
		Elapsed: r.Elapsed.Round(time.Second / 10).String(), EndedEarly: r.EndedEarly, Passed: r.EndedEarly == "",
		Cards: r.cards(), Plots: r.plots(),
	}
	for _, m := range r.Registry.All() {
		if m.Empty() && len(m.Thresholds()) == 0 {
			continue
		}
		p.Metrics = append(p.Metrics, metricRow{m.Name, r.figures(m)})
		for _, t := range m.Thresholds() {
			p.Thresholds = append(p.Thresholds, promise{m.Name, t.Source, r.figures(m), !t.Failed()})
			p.Passed = p.Passed && !t.Failed()
		}
	}
	p.Checks = checkRows(r.Root)
	for _, a := range r.Timeline.Addresses() {
		p.Addresses = append(p.Addresses, addressRow{
			a.Name, a.Requests, a.Failed,
			ms(a.Percentile(0.5)), ms(a.Percentile(0.95)), ms(a.Percentile(0.99)),
		})
	}
	return p
}

func ms(v float64) string { return fmt.Sprintf("%.0f ms", v) }

func (r *Run) cards() []card {
	stat := func(name, figure string) float64 {
		v, _ := r.Registry.Metric(name).Stat(figure, r.Elapsed)
		return v
	}
	busiest, users := 0, 0
	for _, s := range r.Timeline.Seconds() {
		busiest, users = max(busiest, s.Requests), max(users, s.Users)
	}
	return []card{
		{"users at most", fmt.Sprint(users)},
		{"requests", fmt.Sprintf("%.0f", stat("http_reqs", "count"))},
		{"answered as expected", fmt.Sprintf("%.2f %%", 100*(1-stat("http_req_failed", "rate")))},
		{"p50", ms(stat("http_req_duration", "p(50)"))},
		{"p95", ms(stat("http_req_duration", "p(95)"))},
		{"p99", ms(stat("http_req_duration", "p(99)"))},
		{"busiest second", fmt.Sprintf("%d requests", busiest)},
		{"iterations", fmt.Sprintf("%.0f", stat("iterations", "count"))},
	}
}

func checkRows(g *metric.Group) []checkRow {
	var rows []checkRow
	for _, c := range g.Checks() {
		name := c.Name
		if g.Path != "" {
			name = g.Path[2:] + " · " + c.Name
		}
		rows = append(rows, checkRow{name, c.Passes, c.Fails})
	}
	for _, sub := range g.Groups() {
		rows = append(rows, checkRows(sub)...)
	}
	return rows
}
