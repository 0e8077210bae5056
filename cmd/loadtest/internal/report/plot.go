package report

import (
	"fmt"
	"math"
	"strings"

	"madang/cmd/loadtest/internal/metric"
)

// plot is drawn by the template as SVG of plotWidth by plotHeight.
type plot struct {
	Title  string
	Lines  []line
	Levels []level // of the vertical axis
	Times  []level // of the horizontal axis
}

type line struct{ Label, Color, Points string }

type level struct {
	At    float64
	Label string
}

const (
	plotLeft, plotTop     = 60.0, 10.0
	plotWidth, plotHeight = 820.0, 200.0
)

type series struct {
	label, color string
	asked        bool // has a value only where there was a request
	of           func(metric.Second) float64
}

func (r *Run) plots() []plot {
	seconds := r.Timeline.Seconds()
	if len(seconds) == 0 {
		return nil
	}
	return []plot{
		draw("Users", seconds, series{"users", "#0b6e99", false, func(s metric.Second) float64 { return float64(s.Users) }}),
		draw(
			"Requests a second", seconds,
			series{"requests", "#2f7d32", false, func(s metric.Second) float64 { return float64(s.Requests) }},
			series{"failed", "#c62828", false, func(s metric.Second) float64 { return float64(s.Failed) }},
		),
		draw(
			"Milliseconds until the answer was there", seconds,
			series{"p50", "#2f7d32", true, func(s metric.Second) float64 { return s.Percentile(0.5) }},
			series{"p95", "#b26a00", true, func(s metric.Second) float64 { return s.Percentile(0.95) }},
			series{"p99", "#c62828", true, func(s metric.Second) float64 { return s.Percentile(0.99) }},
		),
	}
}

func draw(title string, seconds []metric.Second, all ...series) plot {
	most := 1.0
	for _, s := range all {
		for _, second := range seconds {
			most = max(most, s.of(second))
		}
	}
	top := round(most)
	p := plot{Title: title, Times: times(len(seconds))}
	for _, s := range all {
		var points strings.Builder
		for i, second := range seconds {
			if s.asked && second.Requests == 0 {
				continue // no request, no duration: 0 ms would be a lie
			}
			fmt.Fprintf(&points, "%.1f,%.1f ", across(i, len(seconds)), plotTop+plotHeight*(1-s.of(second)/top))
		}
		p.Lines = append(p.Lines, line{s.label, s.color, points.String()})
	}
	for i := range 5 {
		share := float64(i) / 4
		p.Levels = append(p.Levels, level{plotTop + plotHeight*(1-share), amount(top*share, "")})
	}
	return p
}

func across(i, of int) float64 {
	return plotLeft + plotWidth*float64(i)/float64(max(of-1, 1))
}

func times(seconds int) []level {
	var marks []level
	every := max(int(math.Ceil(float64(seconds)/8)), 1)
	for i := 0; i < seconds; i += every {
		marks = append(marks, level{across(i, seconds), fmt.Sprintf("%d s", i)})
	}
	return marks
}

// round is the next of 4, 8, 12, 20, 40, 80, 120, …: a quarter of it is a
// number that one likes to read.
func round(most float64) float64 {
	for unit := 4.0; ; unit *= 10 {
		for _, times := range []float64{1, 2, 3, 5} {
			if most <= unit*times {
				return unit * times
			}
		}
	}
}
