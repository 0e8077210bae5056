package jobs

import (
	"context"
	"errors"
	"log/slog"
	"net/textproto"
	"sync"
	"time"

	"madang/store"
)

const (
	// settleFor is how soon a fault that comes back is no news: a server that
	// takes three connections and refuses the fourth would fill the log.
	settleFor = 10 * time.Second
	// alarmWithin is how long the words of a fault wait to be written down.
	alarmWithin = 5 * time.Second
)

// BreakerOptions says what a breaker watches. All but Now are needed.
type BreakerOptions struct {
	Alarm string // the kind of the alarm it raises, e.g. [store.AlarmMail]
	Store *store.Store
	Log   *slog.Logger
	Now   func() time.Time // time.Now when nil
}

// Breaker slows a pool down as a whole while what its handlers work with is out
// of order: one job at a time finds out, at growing pauses, whether it works
// again, and the first success sets all workers free at once. Meanwhile an
// alarm stands.
type Breaker struct {
	opts   BreakerOptions
	errors complaints
	closed chan struct{} // it works again

	mu      sync.Mutex
	open    bool
	since   time.Time // the fault's beginning, also of the last one
	probing bool      // the job that finds out is under way
	probes  int       // how many found it out of order
	probeAt time.Time // not before
	told    bool      // log and alarm say so
	unsure  bool      // an alarm may stand that should not
}

// NewBreaker checks the options and returns a breaker for one pool and the
// sender that its handlers use, see [Breaker.Guard].
func NewBreaker(o BreakerOptions) (*Breaker, error) {
	if o.Alarm == "" || o.Store == nil || o.Log == nil {
		return nil, errors.New("breaker: alarm, store and log are needed")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Log = o.Log.With(slog.String("component", "breaker"), slog.String("alarm", o.Alarm))
	// The last process may have left its alarm.
	return &Breaker{opts: o, errors: complaints{log: o.Log}, closed: make(chan struct{}, 1), unsure: true}, nil
}

// Guard returns a sender that tells the breaker how each hand-over went.
func (b *Breaker) Guard(next Sender) Sender { return guarded{next, b} }

type guarded struct {
	next    Sender
	breaker *Breaker
}

// Send hands the mail to the guarded sender. What is cut off without an answer
// while the server is out of order is part of the outage.
func (g guarded) Send(ctx context.Context, m Mail) error {
	err := g.next.Send(ctx, m)
	outage, ok := errors.AsType[*OutageError](err)
	switch {
	case ok:
		g.breaker.fail(ctx, outage)
	case err == nil || answered(err):
		g.breaker.work(ctx)
	case ctx.Err() == nil && g.breaker.isOpen():
		return Outage(err)
	}
	return err
}

// answered reports whether the server spoke about this mail.
func answered(err error) bool {
	_, ok := errors.AsType[*textproto.Error](err)
	return ok
}

func (b *Breaker) isOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open
}

// allow says how many jobs a pool with so many free workers may claim, and how
// long to rest when it is none. A job that is claimed in an outage is its probe.
func (b *Breaker) allow(free, holding int) (limit int, rest time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	left := b.probeAt.Sub(b.opts.Now())
	switch {
	case !b.open:
		return free, 0
	case holding > 0: // until the last one is back
		return 0, maxPause
	case left > 0:
		return 0, left
	}
	b.probing = true
	return min(free, 1), 0
}

// fail notes that it is out of order. What was under way when it began is not
// counted as a probe.
func (b *Breaker) fail(ctx context.Context, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.opts.Now()
	news := true
	switch {
	case !b.open:
		news = now.Sub(b.since) >= settleFor
		b.open, b.since, b.probes = true, now, 0
	case !b.probing:
		return
	default:
		b.probes++
	}
	b.probing, b.probeAt = false, now.Add(probePause(b.probes))
	if news {
		b.tell(ctx, reason(err))
	}
}

// tell makes the fault known: a line in the log when it is new, and the alarm,
// which fades away unless it is raised again.
func (b *Breaker) tell(ctx context.Context, why string) {
	if !b.told {
		b.opts.Log.LogAttrs(ctx, slog.LevelError, "out of order: jobs wait, one at a time tries", slog.String("reason", why))
	}
	b.told = true
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), alarmWithin)
	defer cancel()
	err := b.opts.Store.RaiseAlarm(ctx, store.Alarm{Kind: b.opts.Alarm, Since: b.since, Reason: why})
	if err != nil {
		b.errors.add(ctx, "raising an alarm", err)
	}
}

// work notes that it is in order, and sets the pool free if it was not.
func (b *Breaker) work(ctx context.Context) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open {
		b.open, b.probing = false, false
		signal(b.closed)
	}
	if b.told {
		b.opts.Log.LogAttrs(ctx, slog.LevelInfo, "in order again",
			slog.Duration("after", b.opts.Now().Sub(b.since)), slog.Int("probes", b.probes))
	}
	if b.told || b.unsure {
		b.clear(ctx)
	}
	b.told = false
}

// clear takes the alarm back; what cannot be written now is at the next success.
func (b *Breaker) clear(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), alarmWithin)
	defer cancel()
	err := b.opts.Store.ClearAlarm(ctx, b.opts.Alarm)
	b.unsure = err != nil
	if err != nil {
		b.errors.add(ctx, "clearing an alarm", err)
	}
}

// maxPause is how long the longest rest between two probes is.
const maxPause = time.Minute

// probePause is how long to rest after so many failed probes. The spread only
// shortens it, so that nobody waits longer than said.
func probePause(failed int) time.Duration {
	pauses := [...]time.Duration{
		time.Second, 2 * time.Second, 5 * time.Second, 15 * time.Second, 30 * time.Second, maxPause,
	}
	return jitter(pauses[min(failed, len(pauses)-1)] * 5 / 6)
}
