package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"madang/store"
)

// migrateCopyCmd moves a board from one machine to a server that many share.
type migrateCopyCmd struct {
	From boardFile      `required:"" local:"" placeholder:"FILE" help:"SQLite file of the board. It is read and never changed."`
	To   serverDatabase `required:"" secret:"" placeholder:"URL" help:"Empty PostgreSQL database, postgres://USER:PASSWORD@HOST:5432/NAME; better given as MADANG_TO_FILE when it holds a password."`
}

// boardFile is the path of a SQLite file.
type boardFile string

// UnmarshalText reads the path.
func (f *boardFile) UnmarshalText(text []byte) error {
	if len(text) == 0 || strings.Contains(string(text), "://") {
		return errors.New("must be the path of a SQLite file")
	}
	*f = boardFile(text)
	return nil
}

// serverDatabase is the URL of a PostgreSQL database. It may hold a password.
type serverDatabase string

// UnmarshalText reads the URL.
func (d *serverDatabase) UnmarshalText(text []byte) error {
	if !store.OnServer(string(text)) {
		return errors.New("must be postgres://USER:PASSWORD@HOST:5432/NAME")
	}
	if err := store.CheckDatabase(string(text)); err != nil {
		return err
	}
	*d = serverDatabase(text)
	return nil
}

// Run copies, shows how far it is, what it compared, and what to do next.
// Both sides are looked at before either is touched.
func (c *migrateCopyCmd) Run(ctx context.Context, s streams) (err error) {
	source, err := store.OpenCopySource(ctx, string(c.From))
	if err != nil {
		return fmt.Errorf("--from: %w", err)
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	lock, err := c.lock()
	if err != nil {
		return fmt.Errorf("--from: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	target, err := store.OpenCopyTarget(ctx, string(c.To))
	if err != nil {
		return fmt.Errorf("--to (%s): %w", variable("to"), err)
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	report, err := store.Copy(ctx, source, target, progress(s.err))
	printReport(s.out, report)
	if err != nil {
		return nothingKept(ctx, err)
	}
	return c.printNext(s.out, report)
}

// lock keeps serve away from the file.
func (c *migrateCopyCmd) lock() (io.Closer, error) {
	file := storage{Data: directory(filepath.Dir(string(c.From))), Database: database(c.From)}
	lock, err := file.lock()
	if errors.Is(err, errServed) {
		return nil, fmt.Errorf("a madang serve runs on %s; stop it first", c.From)
	}
	return lock, err
}

func progress(w io.Writer) store.CopyProgress {
	return func(table string, rows, of int64) {
		fmt.Fprintf(w, "%s: %d of %d rows\n", table, rows, of)
	}
}

func nothingKept(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, store.ErrCopyUnsure): // also when it was interrupted at that moment
		return err
	case ctx.Err() != nil:
		return errors.New("interrupted; nothing was kept")
	}
	return fmt.Errorf("nothing was kept: %w", err)
}

func printReport(w io.Writer, report store.CopyReport) {
	if len(report.Lines) == 0 {
		return
	}
	fmt.Fprintf(w, "%-20s %12s %12s\n", "table", "rows there", "rows here")
	for _, line := range report.Lines {
		word := "ok"
		if !line.Same {
			word = "NOT THE SAME"
		}
		fmt.Fprintf(w, "%-20s %12d %12d  %s\n", line.Name, line.There, line.Here, word)
	}
}

// nextSteps is what the copy cannot do.
const nextSteps = `Next:
1. Never serve %[1]s again: what it took in would be missing here. Keep it, with its key, as a backup.
2. Give every machine the key of this board, which was not copied: the same MADANG_SECRET (or
   MADANG_SECRET_FILE), or secret.key of the old data directory in its own. A start with another key is refused.
3. Start madang serve on every machine with this --database (better as MADANG_DATABASE_FILE), and the same
   --base-url, --smtp-url, --mail-from, --timezone, --cleanup-at and --rate-limits. Limits are counted in the
   database and hold for all machines together.
4. --mail-workers and --view-workers are those of one process and add up; --hash-slots too.
5. Let --addr be reached by the proxy in front, name that proxy in --trusted-proxies, or all readers are taken
   for one, and give --drain-delay more than the time between two of its looks at /readyz.
`

func (c *migrateCopyCmd) printNext(w io.Writer, report store.CopyReport) error {
	fmt.Fprintf(w, "The board is in %s now.\n", store.DatabaseName(string(c.To)))
	if report.Jobs > 0 {
		fmt.Fprintf(w, "Jobs that a killed process had left under way and that wait again: %d\n", report.Jobs)
	}
	_, err := fmt.Fprintf(w, nextSteps, c.From)
	return err
}
