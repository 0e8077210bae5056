package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// JobRow is a job as the operator sees it, without its payload.
type JobRow struct {
	ID       int64
	Kind     string
	State    string
	Attempt  int
	Forgiven int // attempts before an administrator set it to work again
	// RunAt is from when on it may be run.
	RunAt      time.Time
	CreatedAt  time.Time
	StartedAt  time.Time // of the last attempt; zero before the first
	FinishedAt time.Time // zero while it is neither done nor dead
	LastError  string
	// To is the canonical address a mail is for, "" when the job is no mail or
	// nobody waits for it any more.
	To string
}

// JobQuery asks for one page of the list of jobs. At most one of Before and
// After is set; of both, Before counts.
type JobQuery struct {
	Kind   string // "" for all
	State  string // "" for all
	Before int64  // jobs further down the list than this id; 0: from the top
	After  int64  // jobs further up the list than this id
	Limit  int
}

// JobList is one page of the list of jobs, the newest first.
type JobList struct {
	Jobs  []JobRow
	Older bool // the list goes on below
	Newer bool // the list goes on above
}

// jobListMax bounds a page, whatever was asked for.
const jobListMax = 500

// Jobs returns a page of the list of jobs. Its cost is that of the page,
// however many jobs there are.
func (s *Store) Jobs(ctx context.Context, q JobQuery) (JobList, error) {
	q.Limit = min(max(q.Limit, 1), jobListMax)
	picks, err := s.jobPicks(ctx, q)
	if err != nil {
		return JobList{}, fmt.Errorf("list jobs: %w", err)
	}
	page, err := cutPage(q.Before, q.After, q.Limit, func(d direction, beyond int64, limit int) ([]JobRow, error) {
		return s.walkJobs(ctx, picks, d, beyond, limit)
	})
	if err != nil {
		return JobList{}, fmt.Errorf("list jobs: %w", err)
	}
	return JobList{Jobs: page.rows, Older: page.older, Newer: page.newer}, nil
}

// JobByID returns one job. It returns ErrNotFound when there is none.
func (s *Store) JobByID(ctx context.Context, id int64) (JobRow, error) {
	jobs, err := s.readJobs(ctx, `SELECT `+jobColumns+` FROM jobs WHERE id = $1`, id)
	switch {
	case err != nil:
		return JobRow{}, fmt.Errorf("job %d: %w", id, err)
	case len(jobs) == 0:
		return JobRow{}, fmt.Errorf("job %d: %w", id, ErrNotFound)
	}
	return jobs[0], nil
}

// jobPick is a part of the table that an index gives in the order of ids.
type jobPick struct{ kind, state string }

// jobPicks returns the parts that make up what was asked for: a kind in a state
// has an index of its own, the whole table its key.
func (s *Store) jobPicks(ctx context.Context, q JobQuery) ([]jobPick, error) {
	var picks []jobPick
	switch {
	case q.State != "" && !IsJobState(q.State):
		return nil, nil
	case q.State != "" && q.Kind != "":
		picks = []jobPick{{q.Kind, q.State}}
	case q.Kind != "":
		for _, state := range JobStates() {
			picks = append(picks, jobPick{q.Kind, state})
		}
	case q.State != "":
		kinds, err := s.kindsIn(ctx, q.State)
		for _, kind := range kinds {
			picks = append(picks, jobPick{kind, q.State})
		}
		return picks, err
	default:
		picks = []jobPick{{}}
	}
	return picks, nil
}

// where is the condition of a pick; the name of a state must stand in the text,
// because only then its index is used.
func (p jobPick) where(kind int) string {
	if p == (jobPick{}) {
		return ""
	}
	return fmt.Sprintf(`kind = $%d AND state = '%s' AND `, kind, p.state)
}

// walkJobs reads the next jobs of all picks beyond an id, in one statement, so
// that a job which changes its state meanwhile is neither missed nor met twice.
func (s *Store) walkJobs(ctx context.Context, picks []jobPick, d direction, edge int64, limit int) ([]JobRow, error) {
	if len(picks) == 0 {
		return nil, nil
	}
	query, args := walkSQL(picks, d, edge, limit)
	return s.readJobs(ctx, query, args...)
}

func walkSQL(picks []jobPick, d direction, edge int64, limit int) (query string, args []any) {
	args = []any{edge, limit}
	parts := make([]string, len(picks))
	for i, p := range picks {
		if p.kind != "" {
			args = append(args, p.kind)
		}
		parts[i] = fmt.Sprintf(`SELECT * FROM (SELECT %s FROM jobs WHERE %sid %s $1 ORDER BY id %s LIMIT $2) AS part`,
			jobColumns, p.where(len(args)), d.beyond, d.order)
	}
	return fmt.Sprintf(`SELECT * FROM (%s) AS jobs ORDER BY id %s LIMIT $2`, strings.Join(parts, " UNION ALL "), d.order), args
}

// jobColumns are what readJobs reads; a batch of views is not worth its bytes.
const jobColumns = `id, kind, state, attempt, forgiven, run_at, created_at, started_at, finished_at, last_error,
	CASE WHEN kind = 'views' THEN NULL ELSE payload END AS payload`

// readJobs reads jobs and whom their mails are for.
func (s *Store) readJobs(ctx context.Context, query string, args ...any) ([]JobRow, error) {
	jobs, payloads, err := s.scanJobs(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return jobs, s.addressJobs(ctx, jobs, payloads)
}

func (s *Store) scanJobs(ctx context.Context, query string, args ...any) (jobs []JobRow, payloads [][]byte, err error) {
	rows, err := s.readers.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var j JobRow
		var payload []byte
		var run, created int64
		var started, finished sql.NullInt64
		err := rows.Scan(&j.ID, &j.Kind, &j.State, &j.Attempt, &j.Forgiven, &run, &created, &started, &finished, &j.LastError, &payload)
		if err != nil {
			return nil, nil, err
		}
		j.RunAt, j.CreatedAt = fromMillis(run), fromMillis(created)
		j.StartedAt, j.FinishedAt = fromNullMillis(started), fromNullMillis(finished)
		jobs, payloads = append(jobs, j), append(payloads, payload)
	}
	return jobs, payloads, rows.Err()
}
