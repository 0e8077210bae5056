package jobs

import (
	"math"
	"time"
)

// A histogram counts times in classes that grow by the same factor. What is
// read from it lies in the middle of its class, so it is at most half a class
// off: 4.5 per cent.
const (
	classesAnOctave = 8
	shortestTime    = 16 * time.Microsecond
	octaves         = 25 // up to nine minutes
	classes         = octaves*classesAnOctave + 1
)

type histogram [classes]uint32

func (h *histogram) add(d time.Duration) { h[classOf(d)]++ }

// classOf is the class of a time: its logarithm, rounded.
func classOf(d time.Duration) int {
	if d <= shortestTime {
		return 0
	}
	class := math.Round(classesAnOctave * math.Log2(float64(d)/float64(shortestTime)))
	return min(int(class), classes-1)
}

// middle is the time that stands for a class.
func middle(class int) time.Duration {
	return time.Duration(float64(shortestTime) * math.Exp2(float64(class)/classesAnOctave))
}

func (h *histogram) merge(other *histogram) {
	for i, n := range other {
		h[i] += n
	}
}

// quantile is the time within which a share of the attempts ended, 0 when
// there were none.
func (h *histogram) quantile(share float64) time.Duration {
	var all, seen uint64
	for _, n := range h {
		all += uint64(n)
	}
	if all == 0 {
		return 0
	}
	rank := uint64(math.Ceil(share * float64(all)))
	for class, n := range h {
		if seen += uint64(n); n > 0 && seen >= rank {
			return middle(class)
		}
	}
	return middle(classes - 1)
}
