// Package report tells what a run measured: as JSON in the two forms of k6, as
// text, and as one page with plots. It imports metric.
package report

import (
	"encoding/json"
	"time"

	"madang/cmd/loadtest/internal/metric"
)

// Run is what there is to tell.
type Run struct {
	Script     string
	BaseURL    string
	Began      time.Time
	Elapsed    time.Duration
	Trend      []string // the figures shown of a trend
	Registry   *metric.Registry
	Root       *metric.Group
	Timeline   *metric.Timeline
	Setup      json.RawMessage
	EndedEarly string // why, if it did
}

// Export is the JSON of k6's --summary-export, where a threshold is true when
// it was broken.
func (r *Run) Export() ([]byte, error) {
	metrics := map[string]map[string]any{}
	for _, m := range r.Registry.All() {
		if m.Empty() && len(m.Thresholds()) == 0 {
			continue
		}
		figures := map[string]any{}
		for name, v := range m.Stats(r.Trend, r.Elapsed) {
			if m.Kind == metric.Rate && name == "rate" {
				name = "value"
			}
			figures[name] = v
		}
		if len(m.Thresholds()) > 0 {
			broken := map[string]bool{}
			for _, t := range m.Thresholds() {
				broken[t.Source] = t.Failed()
			}
			figures["thresholds"] = broken
		}
		metrics[m.Name] = figures
	}
	return json.MarshalIndent(map[string]any{"root_group": exported(r.Root), "metrics": metrics}, "", "  ")
}

func exported(g *metric.Group) map[string]any {
	groups, checks := map[string]any{}, map[string]any{}
	for _, sub := range g.Groups() {
		groups[sub.Name] = exported(sub)
	}
	for _, c := range g.Checks() {
		checks[c.Name] = check(c)
	}
	return map[string]any{"name": g.Name, "path": g.Path, "id": metric.ID(g.Path), "groups": groups, "checks": checks}
}

func check(c metric.Check) map[string]any {
	return map[string]any{"name": c.Name, "path": c.Path, "id": metric.ID(c.Path), "passes": c.Passes, "fails": c.Fails}
}

// Data is the JSON that k6 gives to handleSummary.
func (r *Run) Data() (json.RawMessage, error) {
	metrics := map[string]any{}
	for _, m := range r.Registry.All() {
		if m.Empty() && len(m.Thresholds()) == 0 {
			continue
		}
		entry := map[string]any{"type": m.Kind, "contains": m.Contains, "values": m.Stats(r.Trend, r.Elapsed)}
		if len(m.Thresholds()) > 0 {
			kept := map[string]any{}
			for _, t := range m.Thresholds() {
				kept[t.Source] = map[string]bool{"ok": !t.Failed()}
			}
			entry["thresholds"] = kept
		}
		metrics[m.Name] = entry
	}
	data := map[string]any{
		"options": map[string]any{"summaryTrendStats": r.Trend, "summaryTimeUnit": "", "noColor": true},
		"state": map[string]any{
			"isStdOutTTY": false, "isStdErrTTY": false,
			"testRunDurationMs": float64(r.Elapsed) / float64(time.Millisecond),
		},
		"metrics": metrics, "root_group": listed(r.Root),
	}
	if r.Setup != nil {
		data["setup_data"] = r.Setup
	}
	return json.Marshal(data)
}

func listed(g *metric.Group) map[string]any {
	groups, checks := []any{}, []any{}
	for _, sub := range g.Groups() {
		groups = append(groups, listed(sub))
	}
	for _, c := range g.Checks() {
		checks = append(checks, check(c))
	}
	return map[string]any{"name": g.Name, "path": g.Path, "id": metric.ID(g.Path), "groups": groups, "checks": checks}
}
