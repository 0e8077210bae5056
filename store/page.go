package store

import (
	"math"
	"slices"
)

// direction is which way a walk through the ids goes.
type direction struct{ beyond, order string }

var (
	down = direction{"<", "DESC"}
	up   = direction{">", "ASC"}
)

// walk reads at most limit rows of a list beyond an id, the nearest first.
type walk[T any] func(d direction, beyond int64, limit int) ([]T, error)

// page is a part of a list that is walked by its ids, the newest first.
type page[T any] struct {
	rows  []T
	older bool // the list goes on below
	newer bool // the list goes on above
}

// cutPage cuts the page below the id before, or above the id after; of both,
// before counts, and of neither the page is that at the top.
func cutPage[T any](before, after int64, limit int, w walk[T]) (page[T], error) {
	switch {
	case before > 0:
		return olderPage(before, limit, w)
	case after > 0:
		return newerPage(after, limit, w)
	}
	return topPage(limit, w)
}

// topPage asks for one row more than it shows, and so knows whether the list
// goes on; so do the others.
func topPage[T any](limit int, w walk[T]) (page[T], error) {
	rows, err := w(down, math.MaxInt64, limit+1)
	return page[T]{rows: rows[:min(limit, len(rows))], older: len(rows) > limit}, err
}

func olderPage[T any](before int64, limit int, w walk[T]) (page[T], error) {
	rows, err := w(down, before, limit+1)
	if err != nil {
		return page[T]{}, err
	}
	above, err := w(up, before-1, 1)
	return page[T]{rows: rows[:min(limit, len(rows))], older: len(rows) > limit, newer: len(above) > 0}, err
}

func newerPage[T any](after int64, limit int, w walk[T]) (page[T], error) {
	rows, err := w(up, after, limit+1)
	if err != nil {
		return page[T]{}, err
	}
	below, err := w(down, min(after, math.MaxInt64-1)+1, 1)
	p := page[T]{rows: rows[:min(limit, len(rows))], newer: len(rows) > limit, older: len(below) > 0}
	slices.Reverse(p.rows)
	return p, err
}
