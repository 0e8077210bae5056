package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// idleMax is how long a connection is kept that nobody needs.
const idleMax = 5 * time.Minute

func openPostgresPool(config *pgx.ConnConfig, conns int, lost *lostLine) *sql.DB {
	connector := stdlib.GetConnector(*config, stdlib.OptionShouldPing(lost.shouldPing))
	db := sql.OpenDB(asking{connector, lost})
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	db.SetConnMaxIdleTime(idleMax)
	return db
}

// lostLine remembers when a connection was last found broken. Then the others
// are broken too, most likely, and each is asked before it is used again.
type lostLine struct {
	at atomic.Int64 // in nanoseconds
}

func (l *lostLine) note() { l.at.Store(time.Now().UnixNano()) }

// shouldPing reports whether a connection has to prove that it lives: after a
// while, and when it was last used before another was lost.
func (l *lostLine) shouldPing(_ context.Context, p stdlib.ShouldPingParams) bool {
	return p.IdleDuration > time.Second || time.Now().Add(-p.IdleDuration).UnixNano() <= l.at.Load()
}

// asking opens connections whose questions are asked again on another one when
// the line turns out to be dead. A question outside of a transaction changes
// nothing, so it may be asked twice; package database/sql does so when it is
// told by driver.ErrBadConn.
type asking struct {
	driver.Connector
	lost *lostLine
}

// Connect opens a connection.
func (a asking) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := a.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	whole, ok := opened.(*stdlib.Conn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("a connection of type %T cannot ask twice", opened), opened.Close())
	}
	return &askingConn{whole, a.lost}, nil
}

// askingConn is a connection that tells a dead line from a bad question.
type askingConn struct {
	*stdlib.Conn
	lost *lostLine
}

// QueryContext asks for rows.
func (c *askingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	idle := c.Conn.Conn().PgConn().TxStatus() == 'I'
	rows, err := c.Conn.QueryContext(ctx, query, args)
	if err != nil && idle && ctx.Err() == nil && lostConnection(err) {
		c.lost.note()
		return nil, driver.ErrBadConn
	}
	return rows, err
}
