package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"time"
)

// driftCheck is how often the distance of the clocks is measured.
const driftCheck = time.Minute

// drift is how far the clock of the database is ahead of this process's.
// Leases, limits and due times of several processes must mean the same moment.
type drift struct {
	ahead atomic.Int64 // nanoseconds
}

// now is the time by the database's clock.
func (d *drift) now() time.Time { return time.Now().Add(time.Duration(d.ahead.Load())) }

// measure asks the database for the time; it was half the way there and half
// the way back. Of a few answers the quickest is the truest, and what may be
// the way's fault alone moves nothing.
func (d *drift) measure(ctx context.Context, db *sql.DB) error {
	best, way := time.Duration(0), time.Duration(-1)
	for range 3 {
		ahead, took, err := askTime(ctx, db)
		if err != nil {
			return fmt.Errorf("ask the database for the time: %w", err)
		}
		if way < 0 || took < way {
			best, way = ahead, took
		}
	}
	if known := time.Duration(d.ahead.Load()); (best - known).Abs() > way/2 {
		d.ahead.Store(int64(best))
	}
	return nil
}

func askTime(ctx context.Context, db *sql.DB) (ahead, took time.Duration, err error) {
	var micros int64
	begun := time.Now()
	err = db.QueryRowContext(ctx, `SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)`).Scan(&micros)
	took = time.Since(begun)
	return time.UnixMicro(micros).Sub(begun.Add(took / 2)), took, err
}

// watch measures again from time to time. While the database does not answer,
// the last distance holds.
func (d *drift) watch(ctx context.Context, db *sql.DB) {
	tick := time.NewTicker(driftCheck)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			_ = d.measure(ctx, db)
		case <-ctx.Done():
			return
		}
	}
}
