package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Cleaned counts what the night work deleted, by table.
type Cleaned map[string]int64

// How long things stay that nobody asks for any more.
const (
	doneJobLife = 7 * 24 * time.Hour // the mail log
	mailboxLife = 7 * 24 * time.Hour
	turnLife    = 25 * time.Hour // the longest limit looks back a day
	slotLife    = 90 * 24 * time.Hour
	// sessionRest outlasts every request that knew the session: none of them
	// finds the row gone and makes it anew.
	sessionRest = time.Hour
	// viewerDays is how many days after its own a viewer is forgotten.
	viewerDays = 2
	// dayRest lets the readings of a day's last moment find the key of the day.
	dayRest = time.Hour
)

// cleanBatch bounds the rows of one transaction, so that nobody waits long
// behind it.
const cleanBatch = 500

// expired is a statement that deletes at most $2 rows that ended before $1.
type expired struct {
	table  string
	before int64
	delete string
}

// Cleanup deletes what has expired and returns how many rows of each table it
// was. A table that fails does not keep the others from being cleaned. Members
// and sign-ups that still can be proven are never touched.
func (s *Store) Cleanup(ctx context.Context) (Cleaned, error) {
	cleaned := Cleaned{}
	var failed error
	for _, e := range s.expired() {
		n, err := s.deleteExpired(ctx, e)
		cleaned[e.table] += n
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("clean %s: %w", e.table, err))
		}
	}
	if _, err := s.deleteExpired(ctx, s.overChanges()); err != nil { // no row goes, so none is counted
		failed = errors.Join(failed, fmt.Errorf("clean passwords of changes: %w", err))
	}
	return cleaned, failed
}

// deleteExpired goes on until a batch is not full.
func (s *Store) deleteExpired(ctx context.Context, e expired) (total int64, err error) {
	for {
		var n int64
		err := s.write(ctx, func(ctx context.Context, t *tx) (err error) {
			n, err = rowsChanged(t.ExecContext(ctx, e.delete, e.before, cleanBatch))
			return err
		})
		if err != nil {
			return total, err
		}
		if total += n; n < cleanBatch {
			return total, nil
		}
	}
}

func (s *Store) expired() []expired {
	now := s.now()
	return []expired{
		// What makes a row expired is asked twice where it can change: somebody
		// may change it between the choice and the deletion.
		{"signups", millis(now), `DELETE FROM signups WHERE id IN
			(SELECT id FROM signups WHERE ends_at <= $1 ORDER BY ends_at LIMIT $2) AND ends_at <= $1`},
		// A sign-up without an end lives as long as its mail and a day more. A new
		// mail is a new generation.
		{"signups", millis(now.Add(-signupLife)), `DELETE FROM signups WHERE (id, generation) IN
			(SELECT s.id, s.generation FROM signups AS s LEFT JOIN jobs AS j ON j.id = s.job_id
			 WHERE s.ends_at IS NULL AND s.created_at < $1
			 AND (j.id IS NULL OR j.state IN ('done', 'dead') AND j.finished_at < $1) ORDER BY s.id LIMIT $2)
			AND ends_at IS NULL`},
		{"resets", millis(now.Add(-resetRest)), `DELETE FROM resets WHERE id IN
			(SELECT id FROM resets WHERE created_at < $1 ORDER BY created_at LIMIT $2)`},
		{"sessions", millis(now.Add(-sessionRest)), `DELETE FROM sessions WHERE token IN
			(SELECT token FROM sessions WHERE expires_at < $1 ORDER BY expires_at LIMIT $2) AND expires_at < $1`},
		{"jobs", millis(now.Add(-doneJobLife)), `DELETE FROM jobs WHERE id IN
			(SELECT id FROM jobs WHERE state = 'done' AND finished_at < $1 ORDER BY finished_at LIMIT $2)
			AND state = 'done' AND finished_at < $1`},
		{"job_attempts", millis(now.Add(-attemptLife)), `DELETE FROM job_attempts WHERE (job_id, attempt) IN
			(SELECT a.job_id, a.attempt FROM job_attempts AS a LEFT JOIN jobs AS j ON j.id = a.job_id
			 WHERE a.ended_at < $1 AND j.id IS NULL ORDER BY a.ended_at LIMIT $2)`},
		{"mailbox", millis(now.Add(-mailboxLife)), `DELETE FROM mailbox WHERE id IN
			(SELECT id FROM mailbox WHERE at < $1 ORDER BY at LIMIT $2)`},
		{"turns", millis(now.Add(-turnLife)), `DELETE FROM turns WHERE id IN
			(SELECT id FROM turns WHERE at < $1 ORDER BY at LIMIT $2)`},
		{"email_changes", millis(now.Add(-emailChangeRest)), `DELETE FROM email_changes WHERE id IN
			(SELECT id FROM email_changes WHERE created_at < $1 ORDER BY created_at LIMIT $2)`},
		s.overNotices(),
		{"corrected_addresses", millis(now), `DELETE FROM corrected_addresses WHERE who IN
			(SELECT who FROM corrected_addresses WHERE ends_at <= $1 ORDER BY ends_at LIMIT $2) AND ends_at <= $1`},
		{"kept_texts", millis(now), `DELETE FROM kept_texts WHERE owner IN
			(SELECT owner FROM kept_texts WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2) AND expires_at <= $1`},
		{"drafts", millis(now.Add(-draftLife)), `DELETE FROM drafts WHERE id IN
			(SELECT id FROM drafts WHERE saved_at <= $1 ORDER BY saved_at LIMIT $2) AND saved_at <= $1`},
		{"read_marks", int64(s.day(now)) - readMarkDays, `DELETE FROM read_marks WHERE (user_id, post_id) IN
			(SELECT user_id, post_id FROM read_marks WHERE day < $1 ORDER BY day LIMIT $2) AND day < $1`},
		{"slots", millis(now.Add(-slotLife)), `DELETE FROM slots WHERE (task, slot) IN
			(SELECT task, slot FROM slots WHERE started_at < $1 ORDER BY task, slot LIMIT $2)`},
		// Whoever is forgotten would count again: not before every reading is counted.
		{"viewers", int64(s.firstDay(now)), `DELETE FROM viewers WHERE (day, post_id, viewer) IN
			(SELECT day, post_id, viewer FROM viewers WHERE day < $1` + noOpenViews + `
			 ORDER BY day, post_id, viewer LIMIT $2)`},
		{"view_keys", int64(s.day(now.Add(-dayRest))), `DELETE FROM view_keys WHERE day IN
			(SELECT day FROM view_keys WHERE day < $1` + noOpenViews + ` ORDER BY day LIMIT $2)`},
	}
}

// noOpenViews holds when every batch of readings has been counted. A question
// for each state, because each state has its own index, and for its first row:
// where PostgreSQL is asked whether there is any, it may hope to meet one soon
// in the table itself and walk through all of it.
const noOpenViews = ` AND (SELECT MIN(id) FROM jobs WHERE kind = 'views' AND state = 'available') IS NULL
	AND (SELECT MIN(run_at) FROM jobs WHERE kind = 'views' AND state = 'scheduled') IS NULL
	AND (SELECT MIN(lease_until) FROM jobs WHERE kind = 'views' AND state = 'running') IS NULL`
