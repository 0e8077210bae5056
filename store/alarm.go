package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// AlarmMail is the kind of the alarm about the mail server.
const AlarmMail = "mail"

// alarmLife is how long an alarm stands without being seen again. Whoever
// raised it looks again within two minutes while anything waits for it, so an
// older one was left by a process that is gone.
const alarmLife = 5 * time.Minute

// Alarm is a fault outside of the board that the operator should mend.
type Alarm struct {
	Kind   string // e.g. AlarmMail
	Since  time.Time
	Reason string // in the words of whoever reported it
}

// RaiseAlarm records that a fault stands, since when and why. Raised again, it
// keeps the time at which the fault was first seen.
func (s *Store) RaiseAlarm(ctx context.Context, a Alarm) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		now := s.now()
		_, err := t.ExecContext(ctx,
			`INSERT INTO alarms (kind, since, seen_at, reason) VALUES ($1, $2, $3, $4)
			 ON CONFLICT (kind) DO UPDATE SET seen_at = excluded.seen_at, reason = excluded.reason, since = CASE
			 WHEN alarms.seen_at > $5 AND alarms.since < excluded.since THEN alarms.since ELSE excluded.since END`,
			a.Kind, millis(a.Since), millis(now), cut(a.Reason), millis(now.Add(-alarmLife)))
		return err
	})
	if err != nil {
		return fmt.Errorf("raise alarm %s: %w", a.Kind, err)
	}
	return nil
}

// ClearAlarm records that a fault is over, whether or not there was one.
func (s *Store) ClearAlarm(ctx context.Context, kind string) error {
	err := s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM alarms WHERE kind = $1`, kind)
		return err
	})
	if err != nil {
		return fmt.Errorf("clear alarm %s: %w", kind, err)
	}
	return nil
}

// Alarms returns the faults that stand now, the oldest first.
func (s *Store) Alarms(ctx context.Context) (alarms []Alarm, err error) {
	rows, err := s.readers.QueryContext(ctx,
		`SELECT kind, since, reason FROM alarms WHERE seen_at > $1 ORDER BY since, kind`, millis(s.now().Add(-alarmLife)))
	if err != nil {
		return nil, fmt.Errorf("alarms: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var a Alarm
		var since int64
		if err := rows.Scan(&a.Kind, &since, &a.Reason); err != nil {
			return nil, fmt.Errorf("alarms: %w", err)
		}
		a.Since = fromMillis(since)
		alarms = append(alarms, a)
	}
	return alarms, rows.Err()
}
