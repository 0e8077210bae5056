//go:build !race

package store_test

const slower = 1
