package page

import (
	"fmt"
	"math"
	"strings"
	"time"

	"madang/cmd/loadreport/internal/result"
	"madang/cmd/loadreport/internal/table"
)

// plot is a figure over time, drawn by the template as SVG.
type plot struct {
	Title, Label string // the same in words
	Note         string
	Area, Line   string // the path of what is below the line, and of the line
	Failed       string // a second line
	Levels       []mark
	Times        []mark
	Over         float64 // where the script was over; 0: not shown
}

type mark struct {
	At    float64
	Label string
}

// point is a value at a time.
type point struct {
	at    time.Duration
	value float64
}

// The drawing is 440 by 150 units; this much of it is for the line.
const (
	plotLeft, plotTop     = 44.0, 10.0
	plotWidth, plotHeight = 384.0, 112.0
)

// plots share one axis of time, so that one can be read below the other.
func plots(r result.Result) []plot {
	whole := r.Took
	for _, d := range r.Queue {
		whole = max(whole, d.At)
	}
	return []plot{requests(r, whole), waiting(r, whole)}
}

func requests(r result.Result, whole time.Duration) plot {
	var asked, failed []point
	for i, second := range r.Samples.Seconds {
		at := time.Duration(i) * time.Second
		asked = append(asked, point{at, float64(second.Requests)})
		failed = append(failed, point{at, float64(second.Failed)})
	}
	peak := r.Samples.Peak()
	p := draw("Requests per second", asked, float64(peak), whole)
	p.Note = fmt.Sprintf("at most %s", table.Count(peak))
	p.Label = fmt.Sprintf("Requests per second over %s, at most %s.", clock(whole), table.Count(peak))
	if r.Samples.Failed > 0 {
		p.Failed = line(failed, niceTop(float64(peak)), whole)
		p.Note += fmt.Sprintf(", %s failed in all", table.Count(r.Samples.Failed))
	}
	return p
}

func waiting(r result.Result, whole time.Duration) plot {
	var mails []point
	for _, d := range r.Queue {
		mails = append(mails, point{d.At, float64(d.Mails)})
	}
	p := draw("Mails that wait or are on their way", mails, float64(r.Deepest()), whole)
	p.Note = fmt.Sprintf("at most %s, with %s workers; empty %s after the end of the script (dashed)", table.Count(r.Deepest()),
		table.Count(r.Workers), table.Seconds(r.EmptiedIn))
	p.Label = fmt.Sprintf("Mails that wait or are on their way: %s.", p.Note)
	p.Over = across(r.Took, whole)
	return p
}

func draw(title string, points []point, most float64, whole time.Duration) plot {
	top := niceTop(most)
	p := plot{Title: title, Line: line(points, top, whole), Times: times(whole)}
	if len(points) > 0 {
		p.Area = fmt.Sprintf("%sL%.1f %.1fL%.1f %.1fZ", p.Line, across(points[len(points)-1].at, whole), plotTop+plotHeight,
			across(points[0].at, whole), plotTop+plotHeight)
	}
	for _, share := range []float64{0, .5, 1} {
		p.Levels = append(p.Levels, mark{down(share*top, top), strings.TrimSuffix(fmt.Sprintf("%.1f", share*top), ".0")})
	}
	return p
}

func line(points []point, top float64, whole time.Duration) string {
	var path strings.Builder
	for i, p := range points {
		verb := "L"
		if i == 0 {
			verb = "M"
		}
		fmt.Fprintf(&path, "%s%.1f %.1f", verb, across(p.at, whole), down(p.value, top))
	}
	return path.String()
}

func across(at, whole time.Duration) float64 {
	return plotLeft + plotWidth*min(float64(at)/float64(max(whole, time.Second)), 1)
}

func down(value, top float64) float64 { return plotTop + plotHeight*(1-value/top) }

// niceTop is the next number whose half one likes to read, too.
func niceTop(most float64) float64 {
	for unit := 1.0; ; unit *= 10 {
		for _, step := range []float64{2, 4, 6, 8, 10, 12, 16} {
			if most <= unit*step {
				return unit * step
			}
		}
	}
}

// times are at most seven marks that are whole steps apart.
func times(whole time.Duration) (marks []mark) {
	step := time.Second
	for _, s := range []int{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800} {
		if step = time.Duration(s) * time.Second; whole/step <= 6 {
			break
		}
	}
	if whole/step > 6 {
		step = time.Duration(math.Ceil(whole.Hours()/6)) * time.Hour
	}
	for at := time.Duration(0); at <= whole; at += step {
		marks = append(marks, mark{across(at, whole), clock(at)})
	}
	return marks
}
