package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// postgres is a PostgreSQL database, which other processes may work with too.
type postgres struct {
	*pgWriter
	read   *sql.DB
	drift  *drift
	ear    *ear
	stop   context.CancelFunc
	behind chan struct{} // closed when what runs behind has ended
}

// What the server does by itself when a process or a line is gone, or something
// takes far too long. A URL may say otherwise.
const (
	statementTimeout = 30 * time.Second
	// idleTimeout ends the transaction of a process that stands still while it
	// holds rows that others wait for.
	idleTimeout = 5 * time.Second
	dialTimeout = 5 * time.Second
)

// writeConns and readConns bound the connections of a process.
const writeConns = 16

func readConns() int { return max(8, 4*runtime.GOMAXPROCS(0)) }

func openPostgres(ctx context.Context, o Options, b *bells) (*postgres, error) {
	config, err := postgresConfig(o)
	if err != nil {
		return nil, err
	}
	p := &postgres{drift: &drift{}, behind: make(chan struct{})}
	lost := &lostLine{}
	write := openPostgresPool(config, writeConns, lost)
	p.pgWriter = newPgWriter(write, b, o.Watch, lost)
	p.read = openPostgresPool(readOnly(config), readConns(), lost)
	listening, err := p.greet(ctx, config, o.Log)
	if err != nil {
		return nil, errors.Join(err, p.pgWriter.close(), p.read.Close())
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	p.stop = stop
	go p.runBehind(background, listening)
	return p, nil
}

// greet looks at the server, compares the clocks and begins to listen.
func (p *postgres) greet(ctx context.Context, config *pgx.ConnConfig, log *slog.Logger) (*pgx.Conn, error) {
	schema, err := checkServer(ctx, p.write)
	if err != nil {
		return nil, err
	}
	if err := refuseReadOnly(ctx, p.write); err != nil {
		return nil, err
	}
	p.post.channel = channelOf(schema)
	p.ear = newEar(config, p.post, p.bells, log)
	if err := p.drift.measure(ctx, p.read); err != nil {
		return nil, err
	}
	return p.ear.connect(ctx)
}

// runBehind listens to the other processes and watches the clock until ctx ends.
func (p *postgres) runBehind(ctx context.Context, listening *pgx.Conn) {
	defer close(p.behind)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		p.drift.watch(ctx, p.read)
	}()
	p.ear.listen(ctx, listening)
	<-watched
}

// postgresConfig adds what the URL leaves open.
func postgresConfig(o Options) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(o.Database)
	if err != nil {
		return nil, errDatabaseURL // the words of the parser may hold the password
	}
	config.ConnectTimeout = cmp.Or(config.ConnectTimeout, dialTimeout)
	config.DialFunc = dial
	durability := "on"
	if o.Durability == UntilPowerFails {
		durability = "off"
	}
	for name, value := range map[string]string{
		"application_name":                    "madang",
		"statement_timeout":                   inMillis(statementTimeout),
		"lock_timeout":                        inMillis(writeTimeout),
		"idle_in_transaction_session_timeout": inMillis(idleTimeout),
		"synchronous_commit":                  durability,
		"jit":                                 "off", // compiling takes longer than any statement of ours
	} {
		config.RuntimeParams[name] = cmp.Or(config.RuntimeParams[name], value)
	}
	// What the transactions rely on: each statement sees what is committed.
	config.RuntimeParams["default_transaction_isolation"] = "read committed"
	return config, nil
}

// errDatabaseURL does not repeat the URL, which may hold a password.
var errDatabaseURL = errors.New("must be postgres://USER:PASSWORD@HOST:5432/NAME, with options after a “?”")

func inMillis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// readOnly turns writing off after a server was chosen: a URL of several may ask
// for the one that takes writes, and that is asked of the connection itself.
func readOnly(config *pgx.ConnConfig) *pgx.ConnConfig {
	own := config.Copy()
	own.AfterConnect = func(ctx context.Context, conn *pgconn.PgConn) error {
		return conn.Exec(ctx, `SET default_transaction_read_only = on`).Close()
	}
	return own
}

// checkServer refuses a server on which the program would fail later. It
// returns the schema that the tables are in.
func checkServer(ctx context.Context, db *sql.DB) (schema string, err error) {
	var encoding string
	var version int
	err = db.QueryRowContext(ctx, `SELECT current_setting('server_encoding'),
		CAST(current_setting('server_version_num') AS INTEGER), COALESCE(current_schema(), '')`).Scan(&encoding, &version, &schema)
	switch {
	case err != nil:
		return "", connectWords(err)
	case version < 130000:
		return "", errors.New("the server must be PostgreSQL 13 or newer")
	case encoding != "UTF8":
		return "", fmt.Errorf("the database must have the encoding UTF8, not %s", encoding)
	case schema == "":
		return "", errors.New("none of the schemas in search_path exists")
	}
	return schema, nil
}

// refuseReadOnly refuses a server that takes no writes, or takes none from here.
func refuseReadOnly(ctx context.Context, db *sql.DB) error {
	var readOnly bool
	err := db.QueryRowContext(ctx, `SELECT current_setting('transaction_read_only') = 'on'`).Scan(&readOnly)
	switch {
	case err != nil:
		return fmt.Errorf("ask whether the server takes writes: %w", err)
	case readOnly:
		return errors.New("the server takes no writes, as a standby; name the one that does, or both with target_session_attrs=read-write")
	}
	return nil
}

func (p *postgres) reads() *sql.DB { return p.read }

// brief ends when the server, or a connection to it, is waited for in vain.
func (p *postgres) brief(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
}

func (p *postgres) clock() func() time.Time { return p.drift.now }

// alone is false: whoever else holds jobs may be alive.
func (p *postgres) alone() bool { return false }

func (p *postgres) close() error {
	p.stop()
	<-p.behind
	return errors.Join(p.pgWriter.close(), p.read.Close())
}

// hold waits for its turn under a name, which ends with the transaction.
func (p *postgres) hold(ctx context.Context, t *tx, name ...[]byte) error {
	if _, err := t.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, advisoryKey(name...)); err != nil {
		return fmt.Errorf("wait for a turn: %w", err)
	}
	return nil
}

// advisoryKey is the number of a lock. Two names that share one wait for each
// other, which harms nobody.
func advisoryKey(name ...[]byte) int64 {
	h := sha256.New()
	for _, part := range append([][]byte{[]byte("madang")}, name...) {
		h.Write(part)
		h.Write([]byte{0})
	}
	return int64(binary.BigEndian.Uint64(h.Sum(nil))) //nolint:gosec // any number will do
}

// holdSignups locks in the order of the ids, so that two who prove the same
// address at once do not wait for each other.
func (p *postgres) holdSignups(ctx context.Context, t *tx, id int64) error {
	_, err := t.ExecContext(ctx, `SELECT id FROM signups WHERE id = $1 OR state = 'pending' AND email_key =
		(SELECT email_key FROM signups WHERE id = $1) ORDER BY id FOR UPDATE`, id)
	if err != nil {
		return fmt.Errorf("hold sign-ups: %w", err)
	}
	return nil
}

// DatabaseName names a database in logs and messages, without any password.
func DatabaseName(database string) string {
	if !OnServer(database) {
		return database
	}
	config, err := pgx.ParseConfig(database)
	if err != nil {
		return "postgres://…"
	}
	return fmt.Sprintf("postgres://%s:%d/%s", config.Host, config.Port, config.Database)
}

// CheckDatabase says what is wrong with the name of a database, without
// repeating it; nil for a path.
func CheckDatabase(database string) error {
	if !OnServer(database) {
		return nil
	}
	if _, err := pgx.ParseConfig(database); err != nil {
		return errDatabaseURL
	}
	return nil
}
