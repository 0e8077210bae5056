package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"madang/store"
)

// jobsCmd groups what an operator does with jobs. All of it may run beside
// serve, which notices within a second.
type jobsCmd struct {
	List  jobsListCmd  `cmd:"" help:"List jobs, the newest first."`
	Retry jobsRetryCmd `cmd:"" help:"Set dead jobs to work again. When one of the given jobs is unknown or not dead, nothing is changed and the exit status is not 0."`
	Drop  jobsDropCmd  `cmd:"" help:"Delete dead jobs. When one of the given jobs is unknown or not dead, nothing is changed and the exit status is not 0."`
}

// jobsListCmd prints jobs.
type jobsListCmd struct {
	storage `embed:""`

	State jobState `local:"" placeholder:"STATE" help:"Only jobs in this state: available, scheduled, running, done or dead."`
	JSON  bool     `local:"" help:"Print a JSON list of id, kind, state, attempt, run_at and last_error."`
}

// jobState is a state that a job can be in, empty for all.
type jobState string

// UnmarshalText reads the state.
func (s *jobState) UnmarshalText(text []byte) error {
	if !store.IsJobState(string(text)) {
		return fmt.Errorf("must be available, scheduled, running, done or dead, not %q", text)
	}
	*s = jobState(text)
	return nil
}

// listedJob is a job as it is printed.
type listedJob struct {
	ID        int64     `json:"id"`
	Kind      string    `json:"kind"`
	State     string    `json:"state"`
	Attempt   int       `json:"attempt"`
	RunAt     time.Time `json:"run_at"`
	LastError string    `json:"last_error"`
}

// Run prints the list page by page, however long it is.
func (c *jobsListCmd) Run(ctx context.Context, s streams) error {
	return c.with(ctx, func(db *store.Store) error {
		out := bufio.NewWriter(s.out)
		list := tableList(out)
		if c.JSON {
			list = jsonList(out)
		}
		list.begin()
		if err := eachJob(ctx, db, string(c.State), list.job); err != nil {
			return err
		}
		list.end()
		return out.Flush()
	})
}

// with opens the board's database for one piece of work. In the wrong place it
// makes no board, and does not pretend that nothing is to be done.
func (s storage) with(ctx context.Context, work func(*store.Store) error) error {
	switch version, err := store.ReadSchemaVersion(ctx, s.address()); {
	case err != nil:
		return s.atFault(err)
	case version.There == 0:
		return fmt.Errorf("there is no board in %s; name its place by --data or --database", s.name())
	}
	opened, err := s.open(ctx, store.Options{})
	if err != nil {
		return err
	}
	return errors.Join(work(opened), opened.Close())
}

// jobsAtOnce is how many jobs are read at a time.
const jobsAtOnce = 500

func eachJob(ctx context.Context, db *store.Store, state string, show func(listedJob)) error {
	query := store.JobQuery{State: state, Limit: jobsAtOnce}
	for {
		page, err := db.Jobs(ctx, query)
		if err != nil {
			return err
		}
		for _, j := range page.Jobs {
			show(listedJob{ID: j.ID, Kind: j.Kind, State: j.State, Attempt: j.Attempt, RunAt: j.RunAt, LastError: j.LastError})
		}
		if !page.Older {
			return nil
		}
		query.Before = page.Jobs[len(page.Jobs)-1].ID
	}
}

// printer writes jobs one after the other.
type printer struct {
	begin func()
	job   func(listedJob)
	end   func()
}

// jsonList writes a list with a job on each line.
func jsonList(w io.Writer) printer {
	encoder := json.NewEncoder(w) // ends the line
	encoder.SetEscapeHTML(false)
	comma := ""
	return printer{
		begin: func() { fmt.Fprintln(w, "[") },
		job: func(j listedJob) {
			fmt.Fprint(w, comma)
			_ = encoder.Encode(j) // what cannot be written fails at the flush
			comma = ","
		},
		end: func() { fmt.Fprintln(w, "]") },
	}
}

// tableList writes columns of a width that fits nearly everything, so that a
// list of any length needs no memory.
func tableList(w io.Writer) printer {
	const columns = "%-9v %-13s %-10s %7v  %-20s %s\n"
	return printer{
		begin: func() { fmt.Fprintf(w, columns, "ID", "KIND", "STATE", "ATTEMPT", "RUN AT", "LAST ERROR") },
		job: func(j listedJob) {
			fmt.Fprintf(w, columns, j.ID, onLine(j.Kind), j.State, j.Attempt, j.RunAt.Format(time.RFC3339), onLine(j.LastError))
		},
		end: func() {},
	}
}

// onLine keeps a foreign text from moving the cursor of a terminal.
func onLine(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// deadJobs says which dead jobs are meant.
type deadJobs struct {
	storage `embed:""`

	IDs     []int64 `arg:"" optional:"" name:"id" help:"Numbers of jobs."`
	AllDead bool    `local:"" help:"All that are dead now, instead of numbers."`
}

// Validate wants one of the two.
func (d deadJobs) Validate() error {
	if d.AllDead == (len(d.IDs) > 0) {
		return errors.New("give either the numbers of jobs or --all-dead")
	}
	return nil
}

// work does something with the jobs that are meant and says how many they were.
func (d deadJobs) work(
	ctx context.Context, s streams, done string,
	each func(*store.Store, context.Context, ...int64) error, all func(*store.Store, context.Context) (int64, error),
) error {
	return d.with(ctx, func(db *store.Store) error {
		if !d.AllDead {
			if err := each(db, ctx, d.IDs...); err != nil {
				return fmt.Errorf("nothing was changed: %w", err)
			}
			for _, id := range d.IDs {
				fmt.Fprintf(s.out, "job %d %s\n", id, done)
			}
			return nil
		}
		n, err := all(db, ctx)
		if n == 0 && err == nil {
			fmt.Fprintln(s.out, "No job is dead: nothing to do")
			return nil
		}
		fmt.Fprintf(s.out, "%d jobs: each %s\n", n, done)
		return err
	})
}

// jobsRetryCmd sets dead jobs to work again.
type jobsRetryCmd struct {
	deadJobs `embed:""`
}

// Run sets them to work again.
func (c *jobsRetryCmd) Run(ctx context.Context, s streams) error {
	return c.work(ctx, s, "is set to work again", (*store.Store).RetryDead, (*store.Store).RetryAllDead)
}

// jobsDropCmd deletes dead jobs.
type jobsDropCmd struct {
	deadJobs `embed:""`
}

// Run deletes them.
func (c *jobsDropCmd) Run(ctx context.Context, s streams) error {
	return c.work(ctx, s, "is dropped", (*store.Store).DropDead, (*store.Store).DropAllDead)
}
