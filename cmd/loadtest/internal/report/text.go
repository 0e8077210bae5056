package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"madang/cmd/loadtest/internal/metric"
)

// Text is the summary for a terminal.
func (r *Run) Text() string {
	var b strings.Builder
	r.texts(&b, r.Root, "")
	for _, m := range r.Registry.All() {
		if m.Empty() && len(m.Thresholds()) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%-42s %s\n", m.Name, r.figures(m))
		for _, t := range m.Thresholds() {
			fmt.Fprintf(&b, "  %s %s\n", mark(!t.Failed()), t.Source)
		}
	}
	return b.String()
}

func (r *Run) texts(b *strings.Builder, g *metric.Group, indent string) {
	for _, c := range g.Checks() {
		fmt.Fprintf(b, "%s%s %s", indent, mark(c.Fails == 0), c.Name)
		if c.Fails > 0 {
			fmt.Fprintf(b, " (%d of %d failed)", c.Fails, c.Passes+c.Fails)
		}
		b.WriteString("\n")
	}
	for _, sub := range g.Groups() {
		fmt.Fprintf(b, "%s█ %s\n", indent, sub.Name)
		r.texts(b, sub, indent+"  ")
	}
}

func mark(ok bool) string {
	if ok {
		return "✓"
	}
	return "✗"
}

func (r *Run) figures(m *metric.Metric) string {
	stats := m.Stats(r.Trend, r.Elapsed)
	switch m.Kind {
	case metric.Counter:
		return fmt.Sprintf("%s  %.2f/s", amount(stats["count"], m.Contains), stats["rate"])
	case metric.Gauge:
		return fmt.Sprintf("%s  min=%s max=%s", amount(stats["value"], m.Contains), amount(stats["min"], m.Contains), amount(stats["max"], m.Contains))
	case metric.Rate:
		return fmt.Sprintf("%.2f%%  %.0f of %.0f", 100*stats["rate"], stats["passes"], stats["passes"]+stats["fails"])
	}
	var parts []string
	for _, name := range r.Trend {
		v, ok := stats[name]
		switch {
		case ok && name == "count": // of values, whatever they are of
			parts = append(parts, name+"="+amount(v, "default"))
		case ok:
			parts = append(parts, name+"="+amount(v, m.Contains))
		}
	}
	return strings.Join(slices.Compact(parts), " ")
}

func amount(v float64, contains string) string {
	switch contains {
	case "time":
		return time.Duration(v * float64(time.Millisecond)).Round(10 * time.Microsecond).String()
	case "data":
		return fmt.Sprintf("%.0f kB", v/1000)
	}
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.3f", v), "0"), ".")
}
