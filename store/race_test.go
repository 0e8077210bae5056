//go:build race

package store_test

// slower is how much longer things may take under the race detector.
const slower = 10
