package store

import (
	"context"
	"database/sql"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// idleMax is how long a connection is kept that nobody needs.
const idleMax = 5 * time.Minute

func openPostgresPool(config *pgx.ConnConfig, conns int, lost *lostLine) *sql.DB {
	db := stdlib.OpenDB(*config, stdlib.OptionShouldPing(lost.shouldPing))
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
