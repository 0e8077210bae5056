// Package store keeps the site's data: members, posts, the outbox of jobs,
// sessions. It holds the SQL and the rules that need a transaction, and is the
// only package that knows the database. It imports nothing else of ours.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"time"
)

// Options says how to open the store. Database and Key are needed.
type Options struct {
	// Database is the path of a SQLite file, which is made when it does not
	// exist, or the URL of a PostgreSQL database, postgres://….
	Database string
	// Key is the secret of the site, see LoadKey.
	Key Key
	// HashSlots is how many passwords are hashed at once; 0: number of cores.
	HashSlots int
	// NoLimits lifts every limit in time.
	NoLimits bool
	// Zone is where days begin and end; nil: UTC.
	Zone *time.Location
	// Now is the clock; nil: that of the process, on PostgreSQL corrected by its
	// distance from the clock of the database.
	Now func() time.Time
	// Durability is what a commit survives; the zero value is all a board uses.
	Durability Durability
	// Log is for what no caller can be told; nil: nothing is logged.
	Log *slog.Logger
	// Enqueued is told of each job that this process recorded, once its commit
	// is there; nil: nobody is.
	Enqueued func(kind string)
	// Watch is told of commits, hashes and what else is worth counting.
	Watch Watch
}

// Durability is what a commit survives.
type Durability int

const (
	// OnDisk survives a loss of power: a commit returns when it is on disk.
	OnDisk Durability = iota
	// UntilPowerFails survives the end of the process only. It is there to
	// measure what the difference costs.
	UntilPowerFails
)

// Store is the database of one site. Its methods may be called by many
// goroutines at once. An exported method that writes is one transaction.
type Store struct {
	db       database
	readers  *sql.DB
	key      Key
	hasher   *hasher
	noLimits bool
	zone     *time.Location
	now      func() time.Time
	log      *slog.Logger
	wake     *bells
	enqueued func(kind string)
	watch    Watch
	viewKeys viewKeys
	threads  sharedReads[Thread]
	feed     sharedReads[[]Post]
	popular  popular
	gates    *gates
}

// Open opens the database, brings its schema up to date and checks that the
// key is the one the database was made with. It returns ErrKeyMismatch when it
// is not, ErrNewerSchema when a newer version of the program wrote it.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Database == "" {
		return nil, errors.New("open store: no database")
	}
	o = o.withDefaults()
	wake := newBells()
	db, err := openDatabase(ctx, o, wake)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", DatabaseName(o.Database), err)
	}
	s := &Store{
		db: db, readers: db.reads(), key: o.Key, hasher: newHasher(o.HashSlots, o.Watch), noLimits: o.NoLimits,
		zone: o.Zone, now: o.Now, log: o.Log, wake: wake, enqueued: o.Enqueued,
		watch: o.Watch, gates: newGates(),
	}
	if s.now == nil {
		s.now = db.clock()
	}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (o Options) withDefaults() Options {
	if o.HashSlots <= 0 {
		o.HashSlots = runtime.GOMAXPROCS(0)
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

func (s *Store) prepare(ctx context.Context) error {
	if err := s.db.migrate(ctx); err != nil {
		return err
	}
	return s.checkKey(ctx)
}

// Close waits for the work under way and closes the database.
func (s *Store) Close() error {
	s.popular.wait()
	return s.db.close()
}

// Now is the time by which everything in the database happens.
func (s *Store) Now() time.Time { return s.now() }

// Zone is where the days of the site begin and end.
func (s *Store) Zone() *time.Location { return s.zone }

// Ready reports whether the database takes writes.
func (s *Store) Ready(ctx context.Context) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx,
			`INSERT INTO settings (name, value) VALUES ('probe', $1)
			 ON CONFLICT (name) DO UPDATE SET value = excluded.value`, fmt.Sprint(millis(s.now())))
		return err
	})
	if err != nil {
		return fmt.Errorf("write probe: %w", err)
	}
	return nil
}

// write runs fn in a transaction, which other functions that wait at the same
// moment may share. fn may run more than once and must have no effect outside
// the transaction but to set what its caller reads after write returned nil. It
// returns *BusyError when the database takes no writes for now.
func (s *Store) write(ctx context.Context, fn func(context.Context, *tx) error) error {
	err := s.tellEnqueued(ctx, fn)
	if err != nil && s.db.unavailable(err) {
		if s.watch.Busy != nil {
			s.watch.Busy()
		}
		return fmt.Errorf("%w: %w", &BusyError{Wait: writeTimeout}, err)
	}
	return err
}

// millis is how times stand in the database: integer milliseconds UTC.
func millis(t time.Time) int64 { return t.UnixMilli() }

func fromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// fromNullMillis returns the zero time for NULL.
func fromNullMillis(ms sql.NullInt64) time.Time {
	if !ms.Valid {
		return time.Time{}
	}
	return fromMillis(ms.Int64)
}

// rowsChanged is the number of rows of an Exec.
func rowsChanged(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func scanStrings(rows *sql.Rows) (all []string, err error) {
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}
