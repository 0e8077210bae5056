package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sort"
	"time"
)

// Day is the statistics of one day of the site's time zone.
type Day struct {
	Day           int32 // days since 1970-01-01
	Signups       int64
	Verifications int64
	MailsSent     int64 // taken by the mail server
	MailsFailed   int64 // given up
	Posts         int64 // deleted ones included, as are comments
	Comments      int64
	Views         int64
}

const (
	// dayRestBeforeCount is how long after its end a day is counted: whatever
	// was begun in it is committed by then.
	dayRestBeforeCount = time.Minute
	// lateViewDays is for how many days readings that were applied late are
	// still added.
	lateViewDays = 3
)

// CountDays writes the statistics of each day that is over and not counted
// yet, and returns how many those were. Once more changes nothing. A day must
// be counted before Cleanup deletes what it is counted by.
func (s *Store) CountDays(ctx context.Context) (int, error) {
	today := s.day(s.now().Add(-dayRestBeforeCount))
	first, err := s.firstUncounted(ctx, today)
	if err != nil {
		return 0, fmt.Errorf("count days: %w", err)
	}
	for day := first - lateViewDays; day < today; day++ {
		keep := s.keepDay
		if day < first {
			keep = s.keepLateViews
		}
		if err := s.countDay(ctx, day, keep); err != nil {
			return 0, fmt.Errorf("count day %d: %w", day, err)
		}
	}
	return int(today - first), nil
}

// firstUncounted is the day after the last one that was counted, on a new
// board that of the first sign-up or post.
func (s *Store) firstUncounted(ctx context.Context, today int32) (int32, error) {
	var last, oldest sql.NullInt64
	err := s.readers.QueryRowContext(ctx, `SELECT MAX(day) FROM days WHERE day < $1`, today).Scan(&last)
	if err != nil || last.Valid {
		return int32(last.Int64) + 1, err //nolint:gosec // a day
	}
	err = s.readers.QueryRowContext(ctx,
		`SELECT MIN(at) FROM (SELECT MIN(created_at) AS at FROM signups UNION ALL SELECT MIN(created_at) FROM posts) AS firsts`).Scan(&oldest)
	if err != nil || !oldest.Valid {
		return today, err
	}
	return min(s.day(fromMillis(oldest.Int64)), today), nil
}

// countDay counts what happened on a day that is over, and keeps it. A sign-up
// that was verified notes when it ends, which tells when it was.
func (s *Store) countDay(ctx context.Context, day int32, keep func(context.Context, Day) error) error {
	begin, end := millis(s.dayBegin(day)), millis(s.dayBegin(day+1))
	d := Day{Day: day}
	err := s.readers.QueryRowContext(ctx, `SELECT
		(SELECT COUNT(*) FROM signups WHERE created_at >= $1 AND created_at < $2),
		(SELECT COUNT(*) FROM signups WHERE state = 'verified' AND ends_at >= $1 + $3 AND ends_at < $2 + $3),
		(SELECT COUNT(*) FROM jobs WHERE state = 'done' AND finished_at >= $1 AND finished_at < $2
			AND kind <> $4 AND last_error = ''),
		(SELECT COUNT(*) FROM jobs WHERE state = 'dead' AND finished_at >= $1 AND finished_at < $2 AND kind <> $4),
		(SELECT COUNT(*) FROM posts WHERE created_at >= $1 AND created_at < $2),
		(SELECT COUNT(*) FROM comments WHERE created_at >= $1 AND created_at < $2),
		(SELECT CAST(COALESCE(SUM(views), 0) AS BIGINT) FROM post_days WHERE day = $5)`,
		begin, end, verifiedLife.Milliseconds(), KindViews, day).Scan(
		&d.Signups, &d.Verifications, &d.MailsSent, &d.MailsFailed, &d.Posts, &d.Comments, &d.Views)
	if err != nil {
		return err
	}
	return keep(ctx, d)
}

// keepDay writes a day that was not counted yet.
func (s *Store) keepDay(ctx context.Context, d Day) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx,
			`INSERT INTO days (day, signups, verifications, mails_sent, mails_failed, posts, comments, views)
			 VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (day) DO NOTHING`,
			d.Day, d.Signups, d.Verifications, d.MailsSent, d.MailsFailed, d.Posts, d.Comments, d.Views)
		return err
	})
}

// keepLateViews adds the readings that were applied after their day had been
// counted. What else it was counted by may be gone by now.
func (s *Store) keepLateViews(ctx context.Context, d Day) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `UPDATE days SET views = $1 WHERE day = $2 AND views < $1`, d.Views, d.Day)
		return err
	})
}

// dayBegin is the first moment of a day. It is searched for, because clocks
// are put forward at midnight in some places.
func (s *Store) dayBegin(day int32) time.Time {
	const around = 26 * 3600 // seconds; no zone is further from UTC, nor shifts by parts of one
	first := time.Unix(int64(day)*86400-around, 0)
	seconds := sort.Search(2*around, func(i int) bool { return s.day(first.Add(time.Duration(i)*time.Second)) >= day })
	return first.Add(time.Duration(seconds) * time.Second)
}

// Days returns the statistics of at most so many days, the latest first.
func (s *Store) Days(ctx context.Context, limit int) (days []Day, err error) {
	rows, err := s.readers.QueryContext(ctx,
		`SELECT day, signups, verifications, mails_sent, mails_failed, posts, comments, views
		 FROM days ORDER BY day DESC LIMIT $1`, limit)
	if err != nil {
		return nil, fmt.Errorf("days: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var d Day
		err := rows.Scan(&d.Day, &d.Signups, &d.Verifications, &d.MailsSent, &d.MailsFailed, &d.Posts, &d.Comments, &d.Views)
		if err != nil {
			return nil, fmt.Errorf("days: %w", err)
		}
		days = append(days, d)
	}
	return days, rows.Err()
}
