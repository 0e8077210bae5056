package store

import (
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// The codes of PostgreSQL's errors that mean something to us. See "PostgreSQL
// Error Codes" in its manual.
const (
	codeUnique        = "23505"
	codeSerialization = "40001"
	codeDeadlock      = "40P01"
	codeLockTimeout   = "55P03"
	codeCancelled     = "57014" // by statement_timeout
	codeReadOnly      = "25006"
	codeIdleTooLong   = "25P03"
	codeIO            = "58030"
)

// collided reports that the server undid a transaction because of another one.
// It can simply be run again.
func collided(err error) bool {
	code := pgCode(err)
	return code == codeSerialization || code == codeDeadlock
}

// lostConnection reports that the connection is gone, whatever had become of
// the last thing said on it.
func lostConnection(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Severity == "FATAL" || e.Severity == "PANIC" || strings.HasPrefix(e.Code, "08")
	}
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, pgconn.ErrConnClosed) ||
		pgconn.SafeToRetry(err)
}

func pgCode(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

func (p *postgres) unavailable(err error) bool { return isUnavailablePostgres(err) }

// isUnavailablePostgres reports whether an error means that the database takes
// no writes for now: not there, shutting down, full, read-only, or too busy.
func isUnavailablePostgres(err error) bool {
	if errors.Is(err, errClosed) || errors.Is(err, errNoConnection) || errors.Is(err, errOutcomeUnknown) ||
		collided(err) || lostConnection(err) {
		return true
	}
	code := pgCode(err)
	switch code {
	case codeLockTimeout, codeCancelled, codeReadOnly, codeIdleTooLong, codeIO:
		return true
	}
	// 53: no memory, disk full, too many connections; 57P: the server goes down.
	return strings.HasPrefix(code, "53") || strings.HasPrefix(code, "57P")
}
