package views

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// plot is the last hour of a pool, minute by minute, as one or two lines.
type plot struct {
	name string // catalogue key of its title, and its id
	// top is the value at the upper edge, bottom line 0.
	top   float64
	write func(x float64) string
	lines []plotLine
}

// plotLine is one line of a plot, the first one drawn through, the second dashed.
type plotLine struct {
	name  string // catalogue key
	class string
	path  string
	now   float64
	most  float64
}

// The drawing has no size of its own and is stretched to what the page gives.
const (
	plotWidth  = 600
	plotHeight = 100
	plotRoom   = 3 // above and below, so that no line is cut
)

// plots are what is drawn of a pool.
func (p PoolsPage) plots(f PoolFigures) []plot {
	perSecond := func(x float64) string { return p.Word("unit.per_second", digits(x)) }
	plain := func(x float64) string { return digits(x) }
	seconds := func(x float64) string { return p.Lang.took(time.Duration(x * float64(time.Second))) }
	workers := func(Load) float64 { return float64(f.Workers) }
	return []plot{
		f.plot("pools.flow", perSecond, named{"pools.throughput", Load.Throughput}, named{"pools.arrivals", Load.Arrivals}),
		f.plot("pools.busy", plain, named{"pools.busy", Load.Busy}, named{"pools.workers", workers}),
		f.plot("pools.time", seconds,
			named{"pools.p50", func(l Load) float64 { return l.P50.Seconds() }},
			named{"pools.p95", func(l Load) float64 { return l.P95.Seconds() }}),
	}
}

// named is what a line shows of each minute.
type named struct {
	name  string
	value func(Load) float64
}

func (f PoolFigures) plot(name string, write func(float64) string, of ...named) plot {
	p := plot{name: name, write: write}
	for _, n := range of {
		for _, m := range f.Minutes {
			p.top = max(p.top, n.value(m))
		}
	}
	p.top = niceTop(p.top)
	for i, n := range of {
		line := plotLine{name: n.name, class: []string{"first", "second"}[i], path: f.path(n.value, p.top)}
		for _, m := range f.Minutes {
			line.now, line.most = n.value(m), max(line.most, n.value(m))
		}
		p.lines = append(p.lines, line)
	}
	return p
}

// niceTop is the least round number that is not below a value.
func niceTop(most float64) float64 {
	if most <= 0 {
		return 1
	}
	power := math.Pow10(int(math.Floor(math.Log10(most))))
	for _, step := range []float64{1, 1.5, 2, 3, 4, 5, 6, 8} {
		if most <= step*power*(1+1e-9) {
			return step * power
		}
	}
	return 10 * power
}

// leastDrawn is how many minutes a plot is wide at least.
const leastDrawn = 10

// drawn are the minutes of a plot: the hour, or what is known of it.
func (f PoolFigures) drawn() []Load {
	known := len(f.newestFirst())
	return f.Minutes[max(len(f.Minutes)-max(known, leastDrawn), 0):]
}

// path draws the minutes of which something is known.
func (f PoolFigures) path(value func(Load) float64, top float64) string {
	var d strings.Builder
	minutes := f.drawn()
	step := plotWidth / float64(max(len(minutes)-1, 1))
	for i, m := range minutes {
		if m.Lasted <= 0 {
			continue
		}
		x, y := float64(i)*step, plotHeight-plotRoom-value(m)/top*(plotHeight-2*plotRoom)
		if d.Len() == 0 { // a minute that stands alone is to be seen as well
			d.WriteString("M" + place(max(x-step/2, 0), y))
		}
		d.WriteString("L" + place(x, y))
	}
	return d.String()
}

// place writes a point of a path.
func place(x, y float64) string {
	return strconv.FormatFloat(x, 'f', 1, 64) + " " + strconv.FormatFloat(y, 'f', 1, 64)
}

// label says in words what a plot shows.
func (p plot) label(l Lang) string {
	words := []string{l.Word(p.name) + "."}
	for _, line := range p.lines {
		words = append(words, l.Word("pools.plot", l.Word(line.name), p.write(line.now), p.write(line.most)))
	}
	return strings.Join(words, " ")
}
