//go:build soak

package main

const drainEvents = 1_000_000
