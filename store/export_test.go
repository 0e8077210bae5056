package store

import (
	"context"
	"database/sql"
	"regexp"
	"time"
)

// OlderPostsSQL and those after it are statements of lists, for a look at how
// they are answered.
func OlderPostsSQL() string   { return nextPostsSQL(down) }
func NewerPostsSQL() string   { return nextPostsSQL(up) }
func RankedPostsSQL() string  { return rankedPostsSQL() }
func OlderPostsBySQL() string { return postsBySQL(down) }
func OlderSaidSQL() string    { return saidSQL(down) }

// Other statements.
const (
	CommentsFromSQL   = commentsFromSQL
	CommentsBeforeSQL = commentsBeforeSQL

	FeedSQL      = feedSQL
	PostSetSQL   = postSetSQL
	NextPostSQL  = nextPostSQL
	PostTimesSQL = postTimesSQL

	OwnSignupsSQL  = `SELECT id FROM signups WHERE ` + ownSignups
	NoOpenViewsSQL = `SELECT day FROM view_keys WHERE day < $1` + noOpenViews
)

// OnPostgres tells the one database from the other.
func (s *Store) OnPostgres() bool { return !s.db.alone() }

// Readers lets tests look at the rows themselves.
func (s *Store) Readers() *sql.DB { return s.readers }

// Query is the statement of a part of the download.
func (p AccountPart) Query() string { return p.query }

// FindPopular looks for the ranking of a day, whatever is remembered of it.
func (s *Store) FindPopular(ctx context.Context, day int32) ([]int64, error) {
	return s.findPopular(ctx, day)
}

// bytesLiteral is how SQLite writes bytes.
var bytesLiteral = regexp.MustCompile(`\bx'([0-9a-f]*)'`)

// Exec lets tests make rows that no method makes.
func (s *Store) Exec(ctx context.Context, query string, args ...any) error {
	if s.OnPostgres() {
		query = bytesLiteral.ReplaceAllString(query, `'\x$1'`)
	}
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, query, args...)
		return err
	})
}

// ExecFunc runs a statement within a write.
type ExecFunc func(ctx context.Context, query string, args ...any) error

// Write lets tests make a transaction of their own.
func (s *Store) Write(ctx context.Context, fn func(context.Context, ExecFunc) error) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		return fn(ctx, func(ctx context.Context, query string, args ...any) error {
			_, err := t.ExecContext(ctx, query, args...)
			return err
		})
	})
}

// AddMailJob records a mail job about nobody.
func (s *Store) AddMailJob(ctx context.Context) error {
	return s.write(ctx, func(ctx context.Context, t *tx) error {
		_, err := s.enqueue(ctx, t, KindVerifyMail, s.now(), mailPayload{})
		return err
	})
}

// MeasureClock looks at the clock of a PostgreSQL database anew.
func (s *Store) MeasureClock(ctx context.Context) error {
	p, ok := s.db.(*postgres)
	if !ok {
		return nil
	}
	return p.drift.measure(ctx, p.read)
}

// Ahead is how far the clock of the database is taken to be ahead.
func (s *Store) Ahead() time.Duration { return time.Until(s.now()) }

// BoundTransactions lets a transaction on PostgreSQL last no longer than that.
func (s *Store) BoundTransactions(within time.Duration) {
	if p, ok := s.db.(*postgres); ok {
		p.within = within
	}
}

// ClaimSQL is the statement of a claim, for a look at how it is answered.
func (s *Store) ClaimSQL(kinds int) string { return s.db.claimSQL(kinds) }

// TakeBack makes every running job available, as a process does that finds
// itself alone.
func (s *Store) TakeBack(ctx context.Context) (int64, error) { return s.giveBackRunning(ctx, ``) }

// Hashes counts the passwords that were hashed.
func (s *Store) Hashes() int64 { return s.hasher.made.Load() }

// HoldHashSlots lets nobody hash a password until release is called.
func (s *Store) HoldHashSlots() (release func()) {
	for range cap(s.hasher.slots) {
		s.hasher.slots <- struct{}{}
	}
	return func() {
		for range cap(s.hasher.slots) {
			s.hasher.leave()
		}
	}
}

// JobSQL are the statements that count and list jobs, for a look at how they
// are answered.
func JobSQL() map[string]string {
	picks := map[string][]jobPick{"all": {{}}, "dead": {{"a", Dead}, {"b", Dead}}}
	for _, state := range JobStates() {
		picks["kind"] = append(picks["kind"], jobPick{"a", state})
	}
	all := map[string]string{"counts": jobCountsSQL}
	for name, p := range picks {
		all[name], _ = walkSQL(p, down, 5, 5)
	}
	return all
}

// MembersSQL is the statement of a page of the list of members, for a look at
// how it is answered.
func MembersSQL(q MemberQuery) (string, []any) { return membersSQL(q, down, 5, 5) }

// UnreadSQL is what is new of a list of so many posts, for a look at how it is
// answered.
func UnreadSQL(n int) string {
	list, _ := inList(3, make([]int64, n))
	return unreadSQL + list
}
