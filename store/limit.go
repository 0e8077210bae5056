package store

import (
	"context"
	"fmt"
	"net/netip"
	"strconv"
	"time"
)

// rate allows so many turns in a window that moves with the clock.
type rate struct {
	count int
	per   time.Duration
}

// limit is a named set of rates, all of which must hold.
type limit struct {
	bucket string
	gap    time.Duration // between two turns
	rates  []rate
}

// The limits of mail-sending forms. Those of an address and those of a client
// are counted apart: one person cannot lock out an office, nor many addresses
// one person.
func mailLimit() limit {
	return limit{bucket: "mail", gap: time.Minute, rates: []rate{{5, time.Hour}, {10, 24 * time.Hour}}}
}

func signupLimit() limit {
	return limit{bucket: "signup", rates: []rate{{20, time.Hour}}}
}

// echoLimit is for sign-up forms that are sent twice.
func echoLimit() limit {
	return limit{bucket: "sign-up again", rates: []rate{{20, time.Hour}}}
}

func resendLimit() limit {
	return limit{bucket: "resend", rates: []rate{{6, time.Minute}, {30, time.Hour}}}
}

func keptLimit() limit {
	return limit{bucket: "kept", rates: []rate{{20, time.Hour}}}
}

// turn is one use of a limit.
type turn struct {
	id int64     // 0 when limits are off
	at time.Time // when it counts: now, or when the gap after the last has passed
}

// takeTurn records a turn of who, no sooner than the limit's gap after the one
// before. It returns *TooSoonError, and records nothing, when a rate is used up.
func (s *Store) takeTurn(ctx context.Context, t *tx, l limit, who []byte) (turn, error) {
	if s.noLimits {
		return turn{at: s.now()}, nil
	}
	if err := s.holdTurns(ctx, t, l.bucket, who); err != nil {
		return turn{}, err
	}
	at, err := s.freeTurn(ctx, t, l, who)
	if err != nil {
		return turn{}, err
	}
	return s.recordTurn(ctx, t, l.bucket, who, at)
}

// holdTurns lets each of many who ask at once see the turns of those before.
func (s *Store) holdTurns(ctx context.Context, t *tx, bucket string, who []byte) error {
	return s.db.hold(ctx, t, []byte("turns"), []byte(bucket), who)
}

func (s *Store) recordTurn(ctx context.Context, t *tx, bucket string, who []byte, at time.Time) (turn, error) {
	taken := turn{at: at}
	err := t.QueryRowContext(ctx, `INSERT INTO turns (bucket, who, at) VALUES ($1, $2, $3) RETURNING id`,
		bucket, who, millis(at)).Scan(&taken.id)
	if err != nil {
		return turn{}, fmt.Errorf("take turn: %w", err)
	}
	return taken, nil
}

// freeTurn is when the next turn of who would count. It returns *TooSoonError
// when a rate is used up.
func (s *Store) freeTurn(ctx context.Context, q querier, l limit, who []byte) (time.Time, error) {
	now := s.now()
	if s.noLimits {
		return now, nil
	}
	at, err := nextTurn(ctx, q, l, who, now)
	if err != nil {
		return time.Time{}, err
	}
	for _, r := range l.rates {
		if err := s.checkRate(ctx, q, l.bucket, who, r, at); err != nil {
			return time.Time{}, err
		}
	}
	return at, nil
}

func nextTurn(ctx context.Context, q querier, l limit, who []byte, now time.Time) (time.Time, error) {
	var last int64
	err := q.QueryRowContext(ctx, `SELECT COALESCE(MAX(at), 0) FROM turns WHERE bucket = $1 AND who = $2`,
		l.bucket, who).Scan(&last)
	if err != nil {
		return time.Time{}, fmt.Errorf("last turn: %w", err)
	}
	if next := fromMillis(last).Add(l.gap); last > 0 && next.After(now) {
		return next, nil
	}
	return now, nil
}

// checkRate looks back from the moment at which the new turn would count.
func (s *Store) checkRate(ctx context.Context, q querier, bucket string, who []byte, r rate, at time.Time) error {
	var used int
	var oldest int64
	err := q.QueryRowContext(ctx,
		`SELECT COUNT(*), COALESCE(MIN(at), 0) FROM
		 (SELECT at FROM turns WHERE bucket = $1 AND who = $2 AND at > $3 ORDER BY at DESC LIMIT $4) AS used`,
		bucket, who, millis(at.Add(-r.per)), r.count).Scan(&used, &oldest)
	if err != nil {
		return fmt.Errorf("count turns: %w", err)
	}
	if used >= r.count {
		return &TooSoonError{Wait: fromMillis(oldest).Add(r.per).Sub(s.now())}
	}
	return nil
}

// outsideTurn takes an address's turn of a mail that somebody asks for who shows
// no right to it. Within the gap after the mail before they get neither an error,
// which would tell of that mail, nor another mail: it reports false.
func (s *Store) outsideTurn(ctx context.Context, t *tx, emailKey string) (mail turn, ok bool, err error) {
	mail, err = s.takeTurn(ctx, t, mailLimit(), s.whoAddress(emailKey))
	if err == nil && mail.at.After(s.now()) {
		return turn{}, false, giveBack(ctx, t, mail.id)
	}
	return mail, err == nil, err
}

// giveBack forgets a turn, so that it counts no more.
func giveBack(ctx context.Context, t *tx, turnID int64) error {
	if turnID == 0 {
		return nil
	}
	if _, err := t.ExecContext(ctx, `DELETE FROM turns WHERE id = $1`, turnID); err != nil {
		return fmt.Errorf("give turn back: %w", err)
	}
	return nil
}

// whoAddress is the name under which turns of an address are counted.
func (s *Store) whoAddress(emailKey string) []byte {
	return s.key.mac("who address", []byte(emailKey))[:16]
}

// whoMember is the name under which turns of a member are counted.
func (s *Store) whoMember(id int64) []byte {
	return s.key.mac("who member", strconv.AppendInt(nil, id, 10))[:16]
}

// whoClient is the name under which turns of a client are counted: its
// address, or the /64 network that IPv6 gives to one customer.
func (s *Store) whoClient(client netip.Addr) []byte {
	return s.key.mac("who client", []byte(network(client)))[:16]
}

func network(client netip.Addr) string {
	client = client.Unmap().WithZone("")
	if client.Is6() {
		if prefix, err := client.Prefix(64); err == nil {
			return prefix.String()
		}
	}
	return client.String()
}
