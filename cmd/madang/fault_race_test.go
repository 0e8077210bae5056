//go:build race

package main

// slower is how much longer things may take under the race detector.
const slower = 6
