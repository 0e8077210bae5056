package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// This file keeps SQLite's statements prepared. It sits below database/sql, so
// that what is kept belongs to its connection and goes with it: a broken one is
// replaced together with its statements, and nothing is prepared twice for a
// transaction.

// preparing opens connections that keep the statements they have run.
type preparing struct{ driver.Connector }

// Connect opens a connection.
func (p preparing) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	whole, ok := opened.(fullConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("a connection of type %T cannot keep statements", opened), opened.Close())
	}
	return &conn{fullConn: whole, kept: map[string]*statement{}}, nil
}

// fullConn is a connection with all that database/sql would miss if this file
// did not pass it on.
type fullConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// statementsKept bounds the statements of a connection. The package has about
// half as many texts; what is built for a number of values comes on top.
const statementsKept = 256

// conn is a connection and what it has prepared. Like every driver.Conn it is
// used by one goroutine at a time.
type conn struct {
	fullConn
	kept map[string]*statement
}

// statement is a prepared statement. It holds one result at a time.
type statement struct {
	preparedStmt
	reading bool
}

type preparedStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// ExecContext runs a statement that returns no rows.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	s, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return c.fullConn.ExecContext(ctx, query, args)
	}
	return s.ExecContext(ctx, args)
}

// QueryContext runs a statement that returns rows.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s, err := c.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return c.fullConn.QueryContext(ctx, query, args)
	}
	rows, err := s.QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	s.reading = true
	return &result{Rows: rows, of: s}, nil
}

// Close closes the connection with all it has prepared.
func (c *conn) Close() error {
	var errs []error
	for _, s := range c.kept {
		errs = append(errs, s.Close())
	}
	clear(c.kept)
	return errors.Join(append(errs, c.fullConn.Close())...)
}

// statement returns the statement of a text, nil when the text has to be run
// directly: it is no kind that is kept, or its rows are being read just now and
// running it again would take them away.
func (c *conn) statement(ctx context.Context, query string) (*statement, error) {
	if s, ok := c.kept[query]; ok {
		if s.reading {
			return nil, nil //nolint:nilnil // says that there is none
		}
		return s, nil
	}
	if !keepable(query) {
		return nil, nil //nolint:nilnil // says that there is none
	}
	made, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	whole, ok := made.(preparedStmt)
	if !ok {
		return nil, errors.Join(fmt.Errorf("a statement of type %T cannot be kept", made), made.Close())
	}
	if err := c.makeRoom(); err != nil {
		return nil, errors.Join(err, made.Close())
	}
	s := &statement{preparedStmt: whole}
	c.kept[strings.Clone(query)] = s
	return s, nil
}

// makeRoom closes any one statement that is not in use when there are too many.
func (c *conn) makeRoom() error {
	if len(c.kept) < statementsKept {
		return nil
	}
	for query, s := range c.kept {
		if !s.reading {
			delete(c.kept, query)
			return s.Close()
		}
	}
	return nil
}

// keepable is true for the statements of daily work. Others are rare, and a
// PRAGMA takes effect when it is prepared, not when it is run.
func keepable(query string) bool {
	word, _, _ := strings.Cut(strings.TrimLeft(query, " \t\r\n"), " ")
	return slices.Contains(
		[]string{"SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "SAVEPOINT", "RELEASE", "ROLLBACK"}, strings.TrimSpace(word))
}

// result frees its statement when it is closed.
type result struct {
	driver.Rows
	of *statement
}

// Close ends the reading.
func (r *result) Close() error {
	r.of.reading = false
	return r.Rows.Close()
}
