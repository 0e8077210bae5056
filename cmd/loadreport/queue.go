package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"madang/cmd/loadreport/internal/board"
	"madang/cmd/loadreport/internal/result"
)

// stuckAfter is how long the number of waiting jobs may stay as it is, once no
// new ones come: far longer than a mail takes.
const stuckAfter = 2 * time.Minute

// queue follows how many jobs wait.
type queue struct {
	board    *board.Board
	progress io.Writer
	began    time.Time
	loaded   chan struct{} // closed when the script is over

	depths    []result.Depth
	emptiedIn time.Duration // since the script was over
	left      int           // jobs that do not come to an end
}

// follow looks every second until the script is over and no job is left, or
// until nothing moves any more.
func (q *queue) follow(ctx context.Context) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	var over, moved time.Time
	for last := -1; ; {
		all, mails, err := q.board.Waiting(ctx)
		if err != nil {
			return err
		}
		now := time.Now()
		q.depths = append(q.depths, result.Depth{At: now.Sub(q.began), Mails: mails})
		if all != last {
			last, moved = all, now
		}
		if !over.IsZero() {
			q.emptiedIn = now.Sub(over)
			if all == 0 || now.Sub(moved) > stuckAfter {
				q.left = all
				return nil
			}
			fmt.Fprintf(q.progress, "%4.0fs after the load  %d mails wait\n", q.emptiedIn.Seconds(), mails)
		}
		loaded := q.loaded
		if !over.IsZero() {
			loaded = nil
		}
		select {
		case <-loaded:
			over = time.Now()
			moved = over
			tick.Reset(time.Second)
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
