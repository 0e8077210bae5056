package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// tx is what a write function works in: a transaction, or one savepoint of a
// transaction shared with others.
type tx struct {
	*sql.Tx
	rung     map[string]bool
	enqueued []string // the kinds of the jobs it recorded
}

// ring wakes the pool of a kind once the transaction is committed.
func (t *tx) ring(kind string) { t.rung[kind] = true }

// errClosed is what a write gets after Close.
var errClosed = errors.New("store is closed")

// groupSize bounds how many functions share one commit, and so how long the
// first of them waits for the last.
const groupSize = 256

// writer is the one writing connection. Functions that wait while a commit
// runs share the next one, each within a savepoint of its own: one fsync
// answers them all, and one that fails harms no other.
type writer struct {
	db     *sql.DB
	bells  *bells
	watch  Watch
	queue  chan *call
	closed chan struct{}
	once   sync.Once
	ended  chan struct{}
}

// call is one function on its way through the writer.
type call struct {
	ctx     context.Context
	fn      func(context.Context, *tx) error
	started atomic.Bool // by whoever decides first: the writer, or the caller who gives up
	done    chan error
}

func newWriter(db *sql.DB, b *bells, watch Watch) *writer {
	w := &writer{
		db: db, bells: b, watch: watch, queue: make(chan *call, groupSize),
		closed: make(chan struct{}), ended: make(chan struct{}),
	}
	go w.run()
	return w
}

// do runs fn and returns once its commit is on disk or it failed. A caller
// that gives up before its turn takes its function back; after that its fate
// is decided by the commit, and the caller hears of it.
func (w *writer) do(ctx context.Context, fn func(context.Context, *tx) error) error {
	if err := ctx.Err(); err != nil {
		return err // with two ways open, select below would take either
	}
	c := &call{ctx: ctx, fn: fn, done: make(chan error, 1)}
	select {
	case w.queue <- c:
	case <-w.closed:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-c.done:
		return err
	case <-ctx.Done():
		if c.started.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		return <-c.done
	case <-w.ended:
		// The writer ended between our place in the queue and its last look at it.
		select {
		case err := <-c.done:
			return err
		default:
			return errClosed
		}
	}
}

func (w *writer) close() error {
	w.once.Do(func() { close(w.closed) })
	<-w.ended
	return w.db.Close()
}

func (w *writer) run() {
	defer close(w.ended)
	for {
		select {
		case first := <-w.queue:
			w.commit(first)
		case <-w.closed:
			w.drain()
			return
		}
	}
}

// drain commits what was in the queue when the store was closed.
func (w *writer) drain() {
	for {
		select {
		case first := <-w.queue:
			w.commit(first)
		default:
			return
		}
	}
}

// commit runs a group in one transaction and tells each its result.
func (w *writer) commit(first *call) {
	// The connection must not learn of a cancelled request: an interrupt would
	// throw it away together with the work of the others.
	ctx, began := context.Background(), time.Now()
	t, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		w.refuse(first, fmt.Errorf("begin: %w", err))
		return
	}
	g := &group{tx: &tx{Tx: t, rung: map[string]bool{}}}
	for c := first; c != nil; c = w.next(g) {
		if g.add(ctx, c); g.broken != nil {
			break
		}
	}
	g.finish()
	if g.broken == nil {
		w.watch.committed(began, len(g.calls))
	}
	for kind := range g.tx.rung {
		w.bells.ring(kind)
	}
	g.answer()
}

// next is the function that joins the group, nil when nobody waits.
func (w *writer) next(g *group) *call {
	if len(g.calls) >= groupSize {
		return nil
	}
	select {
	case c := <-w.queue:
		return c
	default:
		return nil
	}
}

// refuse answers all that wait: whatever kept the first from beginning a
// transaction has already cost each of them the whole time-out.
func (w *writer) refuse(first *call, err error) {
	for c := first; c != nil; {
		if c.started.CompareAndSwap(false, true) {
			c.done <- err
		}
		select {
		case c = <-w.queue:
		default:
			c = nil
		}
	}
}

// group is the functions that share one transaction.
type group struct {
	tx      *tx
	calls   []*call
	results []error
	broken  error // the transaction itself is lost
}

// add runs one function in a savepoint. A function that was taken back
// meanwhile is passed over.
func (g *group) add(ctx context.Context, c *call) {
	if !c.started.CompareAndSwap(false, true) {
		return
	}
	result, broken := g.try(context.WithoutCancel(c.ctx), ctx, c.fn)
	g.calls = append(g.calls, c)
	g.results = append(g.results, result)
	g.broken = broken
}

func (g *group) try(callCtx, ctx context.Context, fn func(context.Context, *tx) error) (result, broken error) {
	if _, err := g.tx.ExecContext(ctx, "SAVEPOINT one"); err != nil {
		return nil, fmt.Errorf("savepoint: %w", err)
	}
	own := &tx{Tx: g.tx.Tx, rung: map[string]bool{}}
	if result = guard(callCtx, own, fn); result != nil {
		_, broken = g.tx.ExecContext(ctx, "ROLLBACK TO one")
	}
	if broken == nil {
		_, broken = g.tx.ExecContext(ctx, "RELEASE one")
	}
	if broken != nil {
		// The database rolled the whole transaction back (disk full, I/O error).
		return result, errors.Join(result, fmt.Errorf("savepoint: %w", broken))
	}
	if result == nil {
		for kind := range own.rung {
			g.tx.ring(kind)
		}
	}
	return result, nil
}

// guard turns a panic of fn into an error, so that its neighbours are answered.
func guard(ctx context.Context, t *tx, fn func(context.Context, *tx) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic in a write: %v\n%s", r, debug.Stack())
		}
	}()
	return fn(ctx, t)
}

// finish commits, or gives the whole group the error that lost it.
func (g *group) finish() {
	if g.broken == nil {
		if err := g.tx.Commit(); err != nil {
			g.broken = fmt.Errorf("commit: %w", err)
		}
	}
	if g.broken != nil {
		clear(g.tx.rung)
		_ = g.tx.Rollback() // it may be gone already
	}
}

func (g *group) answer() {
	for i, c := range g.calls {
		if g.broken != nil {
			c.done <- g.broken
			continue
		}
		c.done <- g.results[i]
	}
}

// bells wake the pools: one bell a kind, which rings at most once until heard.
type bells struct {
	mu    sync.Mutex
	kinds map[string]chan struct{}
}

func newBells() *bells { return &bells{kinds: map[string]chan struct{}{}} }

func (b *bells) of(kind string) chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	c, ok := b.kinds[kind]
	if !ok {
		c = make(chan struct{}, 1)
		b.kinds[kind] = c
	}
	return c
}

func (b *bells) ring(kind string) {
	select {
	case b.of(kind) <- struct{}{}:
	default:
	}
}

// ringAll rings every bell that somebody listens to.
func (b *bells) ringAll() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.kinds {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// writeTimeout bounds how long a write waits behind another process that
// holds the database.
const writeTimeout = 5 * time.Second
