//go:build race

package jobs

// scale divides the numbers of the tests under load: the race detector makes
// the database ten times slower and needs no thousands to see a race.
const scale = 10
