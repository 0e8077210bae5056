package store

import (
	"context"
	"database/sql"
	"strings"
	"time"
)

// database is what differs between SQLite and PostgreSQL. All other SQL of the
// package is one text that both take.
type database interface {
	// reads are connections that refuse to write.
	reads() *sql.DB
	// brief is the context of a read of a few rows by their keys, which is over
	// before anybody could cancel it. Whoever leaves does not end it: a read that
	// is cancelled costs the connection.
	brief(ctx context.Context) (context.Context, context.CancelFunc)
	// do runs fn in a transaction, see Store.write.
	do(ctx context.Context, fn func(context.Context, *tx) error) error
	// unavailable reports whether an error means that there are no writes for now.
	unavailable(err error) bool
	// migrate brings the schema up to date.
	migrate(ctx context.Context) error
	// clock is what the processes of the site agree on.
	clock() func() time.Time
	// alone is true when no other process can hold jobs of this database.
	alone() bool
	close() error

	dialect
	upkeep
	searching
}

// dialect is the steps that each database has words of its own for.
type dialect interface {
	// promoteSQL makes at most $3 jobs of kind $1 available that are due at $2.
	promoteSQL() string
	// claimSQL hands the oldest available jobs of so many kinds to a worker.
	claimSQL(kinds int) string
	// countViews adds a packed batch of views to the counters.
	countViews(ctx context.Context, t *tx, packed []byte) error
	// hold lets one transaction at a time go on under a name. Where there is
	// one writer it has nothing to do.
	hold(ctx context.Context, t *tx, name ...[]byte) error
	// holdSignups keeps a sign-up, and all others that wait for the same
	// address, from being changed by another transaction.
	holdSignups(ctx context.Context, t *tx, id int64) error
}

// searching is how a database keeps words and finds texts by them.
type searching interface {
	// putWordsSQL gives the text $1 the words $2 in place of those it had.
	putWordsSQL(table string) string
	// wordsValue writes words as the database takes them.
	wordsValue(words []indexWord) string
	// dropWordsSQL lets the texts not be found whose numbers are such.
	dropWordsSQL(table, which string) string
	// indexedSQL is true of a number that has words.
	indexedSQL(table, id string) string
	// forShare ends a SELECT whose row must not change before the commit.
	forShare() string
	// beginSearch begins a reading that ends by itself when it takes too long.
	beginSearch(ctx context.Context, within time.Duration) (*sql.Tx, error)
	// match writes what is looked for, in words that have this sign.
	match(q searchText, sign string) string
	// findSQL finds the newest texts, findCommentsSQL comments with their posts.
	findSQL(table string) string
	findCommentsSQL() string
	findArgs(match string, limit int) []any
	// gaveUp reports whether an error says that a search took too long.
	gaveUp(ctx context.Context, err error) bool
}

// upkeep is what a database asks for by itself.
type upkeep interface {
	// snapshot begins a reading in which nothing changes, however long it takes.
	snapshot(ctx context.Context) (*sql.Tx, error)
	// check looks for damage below the rules of the rows.
	check(ctx context.Context, t *sql.Tx) ([]string, error)
	checkpoint(ctx context.Context) (left int64, err error)
	optimize(ctx context.Context) error
	// logSize is the length of the write-ahead log, false where it is no file here.
	logSize() (bytes int64, ok bool, err error)
}

// OnServer tells the URL of a PostgreSQL database, which many processes may
// serve, from the path of a file.
func OnServer(database string) bool {
	return strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://")
}

// openDatabase opens the database that the options name. Others wake its pools
// by the bells where more than one process works with it.
func openDatabase(ctx context.Context, o Options, b *bells) (database, error) {
	if OnServer(o.Database) {
		return openPostgres(ctx, o, b)
	}
	return openSQLite(ctx, o, b)
}
