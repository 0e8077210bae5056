// Package metric counts what a load test measures: counters, gauges, rates and
// trends, the groups and checks, the thresholds and a line of seconds for the
// plots. It imports nothing of ours.
package metric

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is what a metric does with its values.
type Kind string

// The kinds of k6.
const (
	Counter Kind = "counter"
	Gauge   Kind = "gauge"
	Rate    Kind = "rate"
	Trend   Kind = "trend"
)

// sink holds the values of one metric or of one of its parts.
type sink struct {
	kind              Kind
	count, sum        float64
	passes, fails     float64
	last, least, most float64
	values            []float64
	sorted            int // so many values, from the first on, are in order
}

func (s *sink) add(v float64) {
	if s.count == 0 || v < s.least {
		s.least = v
	}
	if s.count == 0 || v > s.most {
		s.most = v
	}
	s.count++
	s.sum += v
	s.last = v
	switch s.kind {
	case Rate:
		if v != 0 {
			s.passes++
		} else {
			s.fails++
		}
	case Trend:
		s.values = append(s.values, v)
	}
}

// stat is one figure by its name in thresholds; false when this kind has none
// of that name.
func (s *sink) stat(name string, elapsed time.Duration) (float64, bool) {
	switch s.kind {
	case Counter:
		return s.counterStat(name, elapsed)
	case Gauge:
		return pick(name, map[string]float64{"value": s.last, "min": s.least, "max": s.most})
	case Rate:
		return pick(name, map[string]float64{"rate": s.share(), "passes": s.passes, "fails": s.fails})
	default:
		return s.trendStat(name)
	}
}

func pick(name string, from map[string]float64) (float64, bool) {
	v, ok := from[name]
	return v, ok
}

func (s *sink) counterStat(name string, elapsed time.Duration) (float64, bool) {
	switch name {
	case "count":
		return s.sum, true
	case "rate":
		if elapsed <= 0 {
			return 0, true
		}
		return s.sum / elapsed.Seconds(), true
	}
	return 0, false
}

func (s *sink) share() float64 {
	if s.count == 0 {
		return 0
	}
	return s.passes / s.count
}

func (s *sink) trendStat(name string) (float64, bool) {
	switch name {
	case "avg":
		if s.count == 0 {
			return 0, true
		}
		return s.sum / s.count, true
	case "min":
		return s.least, true
	case "max":
		return s.most, true
	case "med":
		return s.percentile(0.5), true
	case "count":
		return s.count, true
	}
	p, ok := percent(name)
	if !ok {
		return 0, false
	}
	return s.percentile(p / 100), true
}

func (s *sink) percentile(p float64) float64 {
	s.sort()
	return Percentile(s.values, p)
}

// sort merges what was added since the last time into what is sorted: the
// thresholds of a long run are looked at every second.
func (s *sink) sort() {
	if s.sorted == len(s.values) {
		return
	}
	old, added := s.values[:s.sorted], slices.Sorted(slices.Values(s.values[s.sorted:]))
	at := len(s.values) - 1
	for i, j := len(old)-1, len(added)-1; j >= 0; at-- {
		if i >= 0 && old[i] > added[j] {
			s.values[at] = old[i]
			i--
		} else {
			s.values[at] = added[j]
			j--
		}
	}
	s.sorted = len(s.values)
}

// percent reads the number of "p(95)".
func percent(name string) (float64, bool) {
	inner, ok := strings.CutPrefix(name, "p(")
	if !ok {
		return 0, false
	}
	inner, ok = strings.CutSuffix(inner, ")")
	if !ok {
		return 0, false
	}
	p, err := strconv.ParseFloat(strings.TrimSpace(inner), 64)
	return p, err == nil && p >= 0 && p <= 100
}

// Percentile is the value below which the share p of the sorted values lies,
// by linear interpolation between the two nearest ranks, as k6 counts it.
func Percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	rank := p * float64(len(sorted)-1)
	below, above := sorted[int(math.Floor(rank))], sorted[int(math.Ceil(rank))]
	return below + (above-below)*(rank-math.Floor(rank))
}
