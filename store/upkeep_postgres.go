package store

import (
	"context"
	"database/sql"
)

// snapshot begins a transaction that sees one state, for as long as it takes.
func (p *postgres) snapshot(ctx context.Context) (*sql.Tx, error) {
	t, err := p.read.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	if _, err := t.ExecContext(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
		_ = t.Rollback()
		return nil, err
	}
	return t, nil
}

// check finds nothing below the rows: PostgreSQL refuses references that lead
// nowhere, and its pages have checks of their own (pg_amcheck).
func (p *postgres) check(context.Context, *sql.Tx) ([]string, error) { return nil, nil }

// checkpoint has nothing to do: the server does so by itself.
func (p *postgres) checkpoint(context.Context) (int64, error) { return 0, nil }

// logSize knows nothing: the log is the server's.
func (p *postgres) logSize() (int64, bool, error) { return 0, false, nil }

// optimize counts anew what grew or shrank a lot in a night's work; for the
// rest there is the server's autovacuum.
func (p *postgres) optimize(ctx context.Context) error {
	return p.do(ctx, func(ctx context.Context, t *tx) error {
		_, err := t.ExecContext(ctx, `ANALYZE jobs, viewers, posts, post_days, sessions, turns`)
		return err
	})
}
