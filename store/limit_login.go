package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"time"
)

// throttle slows down whoever fails too often: after so many failures within
// its time each further one doubles the wait for the next, and the waits are
// forgotten with the failures, after an hour.
type throttle struct {
	bucket   string
	failures int
}

const (
	throttleTime = 15 * time.Minute
	throttleLook = time.Hour
	throttleStep = time.Minute // the first wait
	throttleMax  = 15 * time.Minute
)

// The throttles of logins: of an account, known or not, and apart from that of
// a client. A good login gives its own turns back and clears no others.
func loginThrottle() throttle       { return throttle{bucket: "login", failures: 10} }
func loginClientThrottle() throttle { return throttle{bucket: "login client", failures: 100} }

// The throttles of those whom no stranger may lock out, and who get no more
// tries than strangers: a member who is logged in and types the password once
// more, and whoever has just set it by the link of a mail.
func currentThrottle() throttle    { return throttle{bucket: "current", failures: 10} }
func resetLoginThrottle() throttle { return throttle{bucket: "login after reset", failures: 10} }

// wait is how long the next try has to wait, given when the failures of the
// last hour were, the oldest first. Whoever keeps to it gets well below a
// hundred tries an hour on one account: ten at once, and some 15 minutes apart.
func (h throttle) wait(failures []time.Time, now time.Time) time.Duration {
	level := h.level(failures)
	if level == 0 {
		return 0
	}
	pause := throttleStep
	for ; level > 1 && pause < throttleMax; level-- {
		pause *= 2
	}
	return failures[len(failures)-1].Add(min(pause, throttleMax)).Sub(now)
}

// level counts the failures from the one on that was too many.
func (h throttle) level(failures []time.Time) int {
	for last := h.failures - 1; last < len(failures); last++ {
		if failures[last].Sub(failures[last-h.failures+1]) < throttleTime {
			return len(failures) - last
		}
	}
	return 0
}

// takeTry records a try of who as failed. It returns *TooSoonError, and records
// nothing, while who has to wait: such a try makes the wait no longer.
func (s *Store) takeTry(ctx context.Context, t *tx, h throttle, who []byte) (turn, error) {
	if err := s.holdTurns(ctx, t, h.bucket, who); err != nil {
		return turn{}, err
	}
	failures, err := failuresOf(ctx, t, h, who, s.now().Add(-throttleLook))
	if err != nil {
		return turn{}, err
	}
	if wait := h.wait(failures, s.now()); wait > 0 {
		return turn{}, &TooSoonError{Wait: wait}
	}
	return s.recordTurn(ctx, t, h.bucket, who, s.now())
}

// takeTries counts a try of a password as failed, for the account and for the
// client, before it is made: so many at once get no more than the limit.
func (s *Store) takeTries(ctx context.Context, h throttle, who []byte, client netip.Addr) (turns []turn, err error) {
	if s.noLimits {
		return nil, nil
	}
	err = s.write(ctx, func(ctx context.Context, t *tx) error {
		account, err := s.takeTry(ctx, t, h, who)
		if err != nil {
			return err
		}
		of, err := s.takeTry(ctx, t, loginClientThrottle(), s.whoClient(client))
		turns = []turn{account, of}
		return err
	})
	return turns, err
}

// giveTriesBack is for a try that was no failure. It happened even when its
// caller has gone.
func (s *Store) giveTriesBack(ctx context.Context, turns []turn) {
	if len(turns) == 0 {
		return
	}
	err := s.write(context.WithoutCancel(ctx), func(ctx context.Context, t *tx) error {
		for _, one := range turns {
			if err := giveBack(ctx, t, one.id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		s.log.WarnContext(ctx, "tries of a password not given back", slog.Any("err", err))
	}
}

// failuresOf reads no more of them than decide how long to wait.
func failuresOf(ctx context.Context, q querier, h throttle, who []byte, since time.Time) (at []time.Time, err error) {
	const most = 20 // beyond them the wait has long been the longest
	rows, err := q.QueryContext(ctx,
		`SELECT at FROM (SELECT at FROM turns WHERE bucket = $1 AND who = $2 AND at > $3 ORDER BY at DESC LIMIT $4) AS newest
		 ORDER BY at`, h.bucket, who, millis(since), h.failures+most)
	if err != nil {
		return nil, fmt.Errorf("read failures: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var one int64
		if err := rows.Scan(&one); err != nil {
			return nil, fmt.Errorf("read failures: %w", err)
		}
		at = append(at, fromMillis(one))
	}
	return at, rows.Err()
}
