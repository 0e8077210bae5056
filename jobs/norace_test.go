//go:build !race

package jobs

// scale divides the numbers of the tests under load.
const scale = 1
