package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
)

// NewSchema makes an empty schema with a name of its own in a PostgreSQL
// database and returns the address of a store in it, which shares nothing with
// others in that database. Drop deletes it with all it holds.
func NewSchema(ctx context.Context, database string) (address string, drop func(context.Context) error, err error) {
	name := "madang_" + strings.ToLower(rand.Text()[:10])
	parsed, err := url.Parse(database)
	if err != nil || CheckDatabase(database) != nil {
		return "", nil, errDatabaseURL
	}
	if err := execOnce(ctx, database, "CREATE SCHEMA "+name); err != nil {
		return "", nil, fmt.Errorf("make a schema: %w", err)
	}
	query := parsed.Query()
	query.Set("search_path", name)
	parsed.RawQuery = query.Encode()
	return parsed.String(), func(ctx context.Context) error {
		if err := execOnce(ctx, database, "DROP SCHEMA "+name+" CASCADE"); err != nil {
			return fmt.Errorf("drop the schema %s: %w", name, err)
		}
		return nil
	}, nil
}

// execOnce runs a statement on a connection of its own.
func execOnce(ctx context.Context, database, statement string) (err error) {
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	_, err = conn.Exec(ctx, statement)
	return err
}
