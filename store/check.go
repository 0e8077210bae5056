package store

import (
	"context"
	"fmt"
	"time"
)

// heldTooLong is how long after the end of its lease a job is no longer about
// to be taken back: whoever should do that is not at work.
const heldTooLong = time.Minute

// rule is something that holds in every committed state of the database. Its
// statement counts the rows that break it.
type rule struct {
	words string
	count string
	args  []any
}

// Check looks for contradictions between the rows of the database and returns
// a line for each kind that it finds, none when all is well. It reads the whole
// database in one transaction and keeps nobody from writing. Every committed
// state passes, however the last process ended; only jobs of a process that was
// killed are named after a minute, until the next start takes them back.
func (s *Store) Check(ctx context.Context) ([]string, error) {
	t, err := s.db.snapshot(ctx)
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	defer func() { _ = t.Rollback() }()
	broken, err := s.db.check(ctx, t)
	if err != nil {
		return nil, fmt.Errorf("check the database: %w", err)
	}
	for _, r := range append(s.rules(), s.searchRules()...) {
		var n int64
		if err := t.QueryRowContext(ctx, r.count, r.args...).Scan(&n); err != nil {
			return nil, fmt.Errorf("check for %s: %w", r.words, err)
		}
		if n > 0 {
			broken = append(broken, fmt.Sprintf("%s: %d", r.words, n))
		}
	}
	return broken, nil
}

func (s *Store) rules() []rule {
	now := s.now()
	return append(s.countRules(now),
		rule{words: "members with the address of another", count: `SELECT COUNT(*) - COUNT(DISTINCT lower(email_key)) FROM users`},
		rule{words: "members who have left, and something of theirs has not", count: `SELECT COUNT(*) FROM users AS u
			WHERE u.deleted_at IS NOT NULL AND (u.disabled_at IS NULL OR u.role <> 'member'
			OR u.email <> '' OR u.nickname <> '' OR u.name <> '' OR u.password_hash <> ''
			OR EXISTS (SELECT 1 FROM email_changes AS c WHERE c.user_id = u.id))`},
		rule{words: "changes of an address that are over, and keep a password", count: `SELECT COUNT(*) FROM email_changes AS c
			JOIN users AS u ON u.id = c.user_id WHERE c.password_hash <> '' AND (c.state <> 'pending' OR c.credentials <> u.credentials)`},
		rule{words: "sign-ups whose mail is lost", count: `SELECT COUNT(*) FROM signups AS s
			WHERE s.state = 'pending' AND s.ends_at IS NULL AND NOT EXISTS (SELECT 1 FROM jobs WHERE id = s.job_id)`},
		rule{words: "sign-ups without a link", count: `SELECT COUNT(*) FROM signups AS s
			WHERE s.state = 'pending' AND NOT EXISTS
			(SELECT 1 FROM signup_links AS l WHERE l.signup_id = s.id AND l.generation = s.generation)`},
		rule{words: "mails handed over without a note of when", count: `SELECT COUNT(*) FROM signups AS s
			JOIN jobs AS j ON j.id = s.job_id AND j.state = 'done' AND j.last_error = ''
			JOIN signup_links AS l ON l.signup_id = s.id AND l.generation = s.generation
			WHERE s.state = 'pending' AND l.sent_at IS NULL`},
		rule{
			words: "jobs held long after their lease", args: []any{millis(now.Add(-heldTooLong))},
			count: `SELECT COUNT(*) FROM jobs WHERE state = 'running' AND lease_until < $1`,
		})
}

// countRules compare each counter with the rows it counts. The viewers of a day
// are compared until they may be forgotten.
func (s *Store) countRules(now time.Time) []rule {
	kept := []any{int64(s.firstDay(now))}
	return []rule{
		{words: "posts whose views are not those of their days", count: `SELECT COUNT(*) FROM posts AS p
			WHERE p.views <> (SELECT COALESCE(SUM(d.views), 0) FROM post_days AS d WHERE d.post_id = p.id)`},
		{words: "days whose views are not their viewers", args: kept, count: `SELECT COUNT(*) FROM post_days AS d
			WHERE d.day >= $1 AND d.views <>
			(SELECT COUNT(*) FROM viewers AS v WHERE v.day = d.day AND v.post_id = d.post_id)`},
		{words: "viewers who count nowhere", args: kept, count: `SELECT COUNT(*) FROM viewers AS v
			JOIN posts AS p ON p.id = v.post_id WHERE v.day >= $1 AND NOT EXISTS
			(SELECT 1 FROM post_days AS d WHERE d.post_id = v.post_id AND d.day = v.day)`},
		{words: "posts whose likes are counted wrong", count: `SELECT COUNT(*) FROM posts AS p
			WHERE p.likes <> (SELECT COUNT(*) FROM likes AS l WHERE l.post_id = p.id)`},
		{words: "days whose likes are counted wrong", count: `SELECT COUNT(*) FROM post_days AS d
			WHERE d.likes <> (SELECT COUNT(*) FROM likes AS l WHERE l.post_id = d.post_id AND l.day = d.day)`},
		{words: "posts whose comments are counted wrong", count: `SELECT COUNT(*) FROM posts AS p
			WHERE p.comments <> (SELECT COUNT(*) FROM comments AS c WHERE c.post_id = p.id AND c.deleted_at IS NULL)`},
	}
}
