//go:build !soak

package main

const drainEvents = 50_000
