package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/maphash"
)

// Errors of a copy. But for the last, nothing of it was kept.
var (
	// ErrNoBoard: there is no board in the file.
	ErrNoBoard = errors.New("not a database of madang")
	// ErrOlderSchema: the source has to be brought up to date first.
	ErrOlderSchema = errors.New("the schema of the file is older than this program: start madang serve on it once, or run madang migrate on it, then copy")
	// ErrTargetUsed: the target holds data already.
	ErrTargetUsed = errors.New("the database already holds data; a board is copied into an empty or new database alone")
	// ErrSourceChanged: somebody wrote to the source meanwhile.
	ErrSourceChanged = errors.New("the file was written to while it was copied")
	// ErrCopyDiffers: what arrived is not what was sent.
	ErrCopyDiffers = errors.New("the copy is not the same as the file")
	// ErrCopyUnsure: it was neither confirmed nor refused.
	ErrCopyUnsure = errors.New("the connection was lost during the commit; look whether the board is there before you copy again")
)

// CopyReport is what a copy compared before it was kept.
type CopyReport struct {
	Lines []CopyLine
	// Jobs were left running by a process that was killed, and wait again.
	Jobs int64
}

// CopyLine compares the rows of a table, or a sum over many rows.
type CopyLine struct {
	Name        string
	There, Here int64
	// Same is true when the numbers are and, of a table, every value of every row.
	Same bool
}

// ok reports whether nothing differs.
func (r CopyReport) ok() bool {
	for _, line := range r.Lines {
		if !line.Same {
			return false
		}
	}
	return true
}

// CopyProgress hears how many rows of a table have been sent so far.
type CopyProgress func(table string, rows, of int64)

// Copy takes all that the source holds over into the target in one transaction:
// everything arrives or nothing. Ids stay, and new ones go on after the highest
// that was ever given. Before the transaction is committed the rows of both
// sides are compared; when they differ, ErrCopyDiffers comes with the report.
// Nobody may serve the source meanwhile; that is for the caller to see to.
func Copy(ctx context.Context, from *CopySource, to *CopyTarget, tell CopyProgress) (CopyReport, error) {
	report, err := copyBoard(ctx, from, to, tell)
	if err != nil {
		return report, fmt.Errorf("copy: %w", err)
	}
	return report, nil
}

func copyBoard(ctx context.Context, from *CopySource, to *CopyTarget, tell CopyProgress) (CopyReport, error) {
	if err := postgresMigrator(to.db).run(ctx); err != nil {
		return CopyReport{}, err
	}
	snapshot, err := from.snapshot(ctx)
	if err != nil {
		return CopyReport{}, err
	}
	defer snapshot.close()
	begun, err := to.begin(ctx)
	if err != nil {
		return CopyReport{}, err
	}
	defer begun.close()
	c := &copying{from: snapshot, to: begun, tell: tell}
	if err := c.run(ctx); err != nil {
		return c.report, err
	}
	if err := snapshot.unchanged(ctx); err != nil {
		return c.report, err
	}
	return c.report, begun.commit(ctx)
}

// copying is a copy under way, within a transaction on each side.
type copying struct {
	from   *sourceSnapshot
	to     *targetTx
	tell   CopyProgress
	hash   maphash.Hash // of rows on both sides
	report CopyReport
}

func (c *copying) run(ctx context.Context) error {
	if err := c.compareSchemas(ctx); err != nil {
		return err
	}
	for _, table := range c.to.tables {
		if err := c.table(ctx, table); err != nil {
			return err
		}
	}
	if err := c.sums(ctx); err != nil {
		return err
	}
	if !c.report.ok() {
		return ErrCopyDiffers
	}
	return c.finish(ctx)
}

// compareSchemas refuses to leave out what only one side knows. The steps of
// the schema are the same on both, so that this never happens.
func (c *copying) compareSchemas(ctx context.Context) error {
	there, err := c.from.columns(ctx)
	if err != nil {
		return err
	}
	here := map[string]bool{}
	for _, table := range c.to.tables {
		for _, column := range table.columns {
			here[table.name+"."+column] = true
		}
	}
	for column := range there {
		if !here[column] {
			return fmt.Errorf("%s is in the file alone", column) //nolint:err113 // a fault of the program
		}
	}
	if len(there) != len(here) {
		return errors.New("the target has columns that the file lacks")
	}
	return nil
}

// table sends the rows of a table, reads them back and compares.
func (c *copying) table(ctx context.Context, table copyTable) error {
	count, err := c.from.count(ctx, table)
	if err != nil {
		return err
	}
	sent, err := c.send(ctx, table, count)
	if err != nil {
		return err
	}
	arrived, err := c.to.read(ctx, table, &c.hash)
	if err != nil {
		return err
	}
	c.report.Lines = append(c.report.Lines, CopyLine{
		Name: table.name, There: count, Here: arrived.rows, Same: sent.rows == count && sent == arrived,
	})
	return nil
}

func (c *copying) send(ctx context.Context, table copyTable, count int64) (content, error) {
	rows, err := c.from.rows(ctx, table)
	if err != nil {
		return content{}, err
	}
	defer func() { _ = rows.Close() }()
	stream := &copyStream{table: table, rows: newRowReader(rows, table), of: count, tell: c.tell, hash: &c.hash}
	err = c.to.write(ctx, table, stream)
	switch {
	case stream.err != nil: // what the server says of it is an echo
		return content{}, stream.err
	case err != nil:
		return content{}, fmt.Errorf("table %s: %w", table.name, err)
	}
	stream.report()
	return stream.sent, nil
}

// copySums are numbers that a person knows from the board itself.
func copySums() []rule {
	return []rule{
		{words: "views of posts", count: `SELECT CAST(COALESCE(SUM(views), 0) AS BIGINT) FROM posts`},
		{words: "views of their days", count: `SELECT CAST(COALESCE(SUM(views), 0) AS BIGINT) FROM post_days`},
		{words: "likes of posts", count: `SELECT CAST(COALESCE(SUM(likes), 0) AS BIGINT) FROM posts`},
		{words: "comments of posts", count: `SELECT CAST(COALESCE(SUM(comments), 0) AS BIGINT) FROM posts`},
		{words: "jobs that wait", count: `SELECT COUNT(*) FROM jobs WHERE state NOT IN ('done', 'dead')`},
	}
}

func (c *copying) sums(ctx context.Context) error {
	for _, sum := range copySums() {
		line := CopyLine{Name: sum.words}
		err := errors.Join(scanCount(ctx, c.from.tx, sum.count, &line.There), scanCount(ctx, c.to.tx, sum.count, &line.Here))
		if err != nil {
			return fmt.Errorf("%s: %w", sum.words, err)
		}
		line.Same = line.There == line.Here
		c.report.Lines = append(c.report.Lines, line)
	}
	return nil
}

func scanCount(ctx context.Context, q querier, query string, n *int64) error {
	return q.QueryRowContext(ctx, query).Scan(n)
}

// finish does what makes a board of the rows.
func (c *copying) finish(ctx context.Context) (err error) {
	for _, table := range c.to.tables {
		if table.id == "" {
			continue
		}
		highest, err := c.from.highestID(ctx, table)
		if err != nil {
			return err
		}
		if err := c.to.goOnAfter(ctx, table, highest); err != nil {
			return err
		}
	}
	if c.report.Jobs, err = c.to.giveBack(ctx); err != nil {
		return err
	}
	if err := c.to.fillSearch(ctx); err != nil {
		return err
	}
	return c.to.analyze(ctx)
}

// rollback ends a transaction that may have ended already.
func rollback(t *sql.Tx) { _ = t.Rollback() }
