package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"sync"
	"time"
)

// pgWriter runs write functions as transactions of their own, many at once.
type pgWriter struct {
	write *sql.DB
	bells *bells
	watch Watch
	lost  *lostLine
	post  post
	// within bounds a transaction whose line has died; the server's own limits
	// come before it.
	within time.Duration

	mu     sync.RWMutex // held for reading by each write under way
	closed bool
}

var (
	errNoConnection = errors.New("no connection to the database came free")
	// errOutcomeUnknown is for a commit that was neither confirmed nor refused.
	// It is never tried again: that could do the same thing twice.
	errOutcomeUnknown = errors.New("the connection was lost during the commit")
)

// triesMax bounds how often a function is run, and so does writeTimeout but for
// a second try: a process that stood still deserves that.
const triesMax = 10

func newPgWriter(write *sql.DB, b *bells, watch Watch, lost *lostLine) *pgWriter {
	return &pgWriter{
		write: write, bells: b, watch: watch, lost: lost, post: post{name: rand.Text()},
		within: statementTimeout + 10*time.Second,
	}
}

// do runs fn in a transaction and returns once it is committed or failed. What
// collided with another, or lost its connection before the commit, is run
// again. A caller that gives up before its turn takes its function back; after
// that its fate is decided by the commit, and the caller hears of it.
func (w *pgWriter) do(ctx context.Context, fn func(context.Context, *tx) error) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.closed {
		return errClosed
	}
	begun := time.Now()
	for try := 1; ; try++ {
		err := w.try(ctx, fn)
		if lostConnection(err) {
			w.lost.note()
		}
		if !worthATry(err) || try == triesMax || try > 1 && time.Since(begun) > writeTimeout {
			return err
		}
		if err := pause(ctx, try); err != nil {
			return err
		}
	}
}

// worthATry reports whether a function may run again and is likely to succeed.
func worthATry(err error) bool {
	return !errors.Is(err, errOutcomeUnknown) && (collided(err) || lostConnection(err))
}

// pause waits longer after each try, and not as long as the neighbour.
func pause(ctx context.Context, try int) error {
	timer := time.NewTimer(mathrand.N(time.Millisecond << min(try, 7))) //nolint:gosec // chance, no secret
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// try runs fn once.
func (w *pgWriter) try(ctx context.Context, fn func(context.Context, *tx) error) error {
	conn, err := w.connection(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }() // gives it back
	// From here on a cancelled request changes nothing any more.
	own, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.within)
	defer cancel()
	start := time.Now()
	began, err := conn.BeginTx(own, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	t := &tx{Tx: began, rung: map[string]bool{}}
	if err := guard(own, t, fn); err != nil {
		_ = began.Rollback() // it may be gone already
		return err
	}
	if err := w.tell(own, t); err != nil {
		_ = began.Rollback()
		return err
	}
	if err := w.commit(t); err != nil {
		return err
	}
	w.watch.committed(start, 1)
	return nil
}

// connection waits for a free one as long as a write may wait for anything.
func (w *pgWriter) connection(ctx context.Context) (*sql.Conn, error) {
	waiting, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	conn, err := w.write.Conn(waiting)
	if err != nil && ctx.Err() == nil && waiting.Err() != nil {
		return nil, errNoConnection
	}
	return conn, err
}

// commit rings the bells of this process. Whether a commit whose connection was
// lost took place is not known, so it rings then too.
func (w *pgWriter) commit(t *tx) error {
	err := t.Commit()
	if err == nil || lostConnection(err) {
		for kind := range t.rung {
			w.bells.ring(kind)
		}
	}
	switch {
	case err == nil:
		return nil
	case lostConnection(err):
		return fmt.Errorf("%w: %w", errOutcomeUnknown, err)
	}
	return fmt.Errorf("commit: %w", err)
}

// tell lets the commit wake the other processes, once for each kind.
func (w *pgWriter) tell(ctx context.Context, t *tx) error {
	if len(t.rung) == 0 {
		return nil
	}
	kinds := slices.Sorted(maps.Keys(t.rung))
	if _, err := t.ExecContext(ctx, tellSQL, w.post.channel, w.post.name, kinds); err != nil {
		return fmt.Errorf("wake the other processes: %w", err)
	}
	return nil
}

// close waits for the writes under way.
func (w *pgWriter) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	return w.write.Close()
}
