package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
)

// task is something that runs at its times, once for each.
type task struct {
	name string
	at   string // a cron expression, see ParseCron
	run  func(ctx context.Context) (result string, err error)

	cron    Cron
	mu      sync.Mutex
	settled string // the slot known to be taken, by us or by another process
}

// table is everything that runs at its time.
func (s *Schedule) table(cleanup string) []*task {
	return []*task{
		{name: "cleanup", at: cleanup, run: s.cleanup},
		// A day is counted as soon as all that was begun in it has ended.
		{name: "statistics", at: "0 1 0 * * *", run: s.statistics},
		{name: "checkpoint", at: "0 */10 * * * *", run: s.checkpoint},
		{name: "search", at: "0 */10 * * * *", run: s.fillSearch},
		// Whatever search cannot find all the same, such as what another version
		// wrote while the two ran side by side.
		{name: "search_check", at: "0 0 5 * * *", run: s.checkSearch},
		{name: "optimize", at: "0 30 4 * * *", run: s.optimize},
	}
}

// cleanup deletes what has expired and says how much of what, once it has been
// counted. A table that fails does not hide what was deleted from the others.
func (s *Schedule) cleanup(ctx context.Context) (string, error) {
	if _, err := s.statistics(ctx); err != nil {
		return "", err
	}
	cleaned, err := s.store.Cleanup(ctx)
	var attrs []slog.Attr
	for _, table := range slices.Sorted(maps.Keys(cleaned)) {
		if n := cleaned[table]; n > 0 {
			attrs = append(attrs, slog.Int64(table, n))
		}
	}
	if len(attrs) > 0 {
		s.log.LogAttrs(ctx, slog.LevelInfo, "cleaned up", attrs...)
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("clean up: %w", err)
	case len(attrs) == 0:
		s.log.LogAttrs(ctx, slog.LevelDebug, "nothing to clean up")
		return "nothing to clean up", nil
	}
	return fmt.Sprint(attrs), nil
}

// statistics counts the days that are over.
func (s *Schedule) statistics(ctx context.Context) (string, error) {
	n, err := s.store.CountDays(ctx)
	if err != nil {
		return "", fmt.Errorf("count days: %w", err)
	}
	return fmt.Sprintf("days: %d", n), nil
}

// checkpoint keeps the write-ahead log of the database small.
func (s *Schedule) checkpoint(ctx context.Context) (string, error) {
	left, err := s.store.Checkpoint(ctx)
	if err != nil {
		return "", fmt.Errorf("empty the log of the database: %w", err)
	}
	return fmt.Sprintf("pages left: %d", left), nil
}

// optimize lets the database choose its indexes by what is in the tables now.
func (s *Schedule) optimize(ctx context.Context) (string, error) {
	if err := s.store.Optimize(ctx); err != nil {
		return "", fmt.Errorf("optimize the database: %w", err)
	}
	return "done", nil
}

// fillSearch takes texts into the index of the search, as long as there are some
// from before there was one.
func (s *Schedule) fillSearch(ctx context.Context) (string, error) {
	filling, err := s.store.SearchFilling(ctx)
	if err != nil {
		return "", fmt.Errorf("look at the index of the search: %w", err)
	}
	if !filling {
		return "nothing to do", nil
	}
	return s.checkSearch(ctx)
}

// checkSearch takes in what the index lacks.
func (s *Schedule) checkSearch(ctx context.Context) (string, error) {
	n, err := s.store.FillSearch(ctx)
	if err != nil {
		return "", fmt.Errorf("fill the index of the search: %w", err)
	}
	if n > 0 {
		s.log.LogAttrs(ctx, slog.LevelInfo, "filled the index of the search", slog.Int64("texts", n))
	}
	return fmt.Sprintf("texts: %d", n), nil
}
