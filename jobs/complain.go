package jobs

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"
)

// complaints logs the failures of loops, one line a second at most: a
// database that refuses every write would fill the log within minutes.
type complaints struct {
	log *slog.Logger

	mu    sync.Mutex
	last  time.Time
	muted int
}

func (c *complaints) add(ctx context.Context, doing string, err error) {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return // the stop cut it off
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.last) < time.Second {
		c.muted++
		return
	}
	c.log.LogAttrs(ctx, slog.LevelError, doing+" failed", slog.Any("err", err), slog.Int("unlogged_before", c.muted))
	c.last, c.muted = time.Now(), 0
}
