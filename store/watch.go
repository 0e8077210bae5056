package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Watch is who is told of what the store does; a nil function is not called.
// They are called by many goroutines at once, and whoever calls waits for them.
type Watch struct {
	// Committed is told of each commit: how long it took from its beginning, and
	// how many writes shared it.
	Committed func(took time.Duration, writes int)
	// Busy is told of each write that failed because the database takes none.
	Busy func()
	// Hashing is told of each password for which a slot came free, or none in
	// time: how long it waited.
	Hashing func(waited time.Duration, free bool)
	// Batched is told of each batch of views on disk: how many events it has.
	Batched func(events int)
	// Lost is told of each job whose worker was not heard of until its lease
	// ended, or that a process left which had died.
	Lost func(kind string)
}

// committed tells of a commit that began at a time.
func (w Watch) committed(began time.Time, writes int) {
	if w.Committed != nil {
		w.Committed(time.Since(began), writes)
	}
}

func (w Watch) hashing(waited time.Duration, free bool) {
	if w.Hashing != nil {
		w.Hashing(waited, free)
	}
}

func (w Watch) lost(attempts []Attempt) {
	if w.Lost == nil {
		return
	}
	for _, a := range attempts {
		w.Lost(a.Kind)
	}
}

// HashSlots is how many passwords are hashed at this moment.
type HashSlots struct {
	All     int // how many may be
	InUse   int
	Waiting int // for a slot to come free
}

// HashSlots says how much of the hashing is taken.
func (s *Store) HashSlots() HashSlots {
	h := s.hasher
	return HashSlots{All: cap(h.slots), InUse: len(h.slots), Waiting: int(h.waiting.Load())}
}

// LogSize is the length of the write-ahead log in bytes, false where the
// database keeps none of its own beside it.
func (s *Store) LogSize() (bytes int64, ok bool, err error) {
	if bytes, ok, err = s.db.logSize(); err != nil {
		return 0, false, fmt.Errorf("size of the log: %w", err)
	}
	return bytes, ok, nil
}

// LastGood says of each scheduled task when a run of it last ended well,
// whichever process ran it.
func (s *Store) LastGood(ctx context.Context) (good map[string]time.Time, err error) {
	rows, err := s.readers.QueryContext(ctx, `SELECT task, MAX(finished_at) FROM slots
		WHERE finished_at IS NOT NULL AND result NOT LIKE $1 GROUP BY task`, TaskFailed+"%")
	if err != nil {
		return nil, fmt.Errorf("last good runs: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	good = map[string]time.Time{}
	for rows.Next() {
		var task string
		var ended int64
		if err := rows.Scan(&task, &ended); err != nil {
			return nil, fmt.Errorf("last good runs: %w", err)
		}
		good[task] = fromMillis(ended)
	}
	return good, rows.Err()
}
