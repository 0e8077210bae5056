package result

import "math"

// Percentile of sorted values, by linear interpolation between ranks as k6 does;
// 0 without values.
func Percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := p * float64(len(sorted)-1)
	below := math.Floor(at)
	low, high := sorted[int(below)], sorted[int(math.Ceil(at))]
	return low + (high-low)*(at-below)
}
