package main

import (
	"context"
	"fmt"
	"strings"

	"madang/store"
)

// migrateCmd groups what concerns the schema of the database, and the move to
// another one.
type migrateCmd struct {
	Up     migrateUpCmd     `cmd:"" default:"withargs" help:"Bring the schema of the database up to date, as serve does when it starts. It is what migrate does by itself."`
	Status migrateStatusCmd `cmd:"" help:"Print how far the schema is and what is missing; change nothing."`
	Copy   migrateCopyCmd   `cmd:"" help:"Copy a board from a SQLite file into an empty PostgreSQL database. No madang serve may run on the file."`
}

// migrateUpCmd brings the schema up to date.
type migrateUpCmd struct {
	storage `embed:""`
}

// Run does so and says from where it came. A new file gets its key first, as
// at a start: without one beside it no file of ours can be opened.
func (c *migrateUpCmd) Run(ctx context.Context, s streams) error {
	if !store.OnServer(c.address()) {
		if err := c.makeDirectory(); err != nil {
			return err
		}
		if _, err := store.LoadKey(ctx, string(c.Data), c.address(), string(c.Secret)); err != nil {
			return err
		}
	}
	kept, err := c.keepOldSchema(ctx)
	if err != nil {
		return err
	}
	before, err := store.Migrate(ctx, c.address())
	if err != nil {
		return c.atFault(err)
	}
	if len(before.Pending) == 0 {
		_, err = fmt.Fprintf(s.out, "The schema of %s is at version %d already.\n", c.name(), before.There)
		return err
	}
	_, err = fmt.Fprintf(s.out, "The schema of %s was at version %d and is at version %d now.\n", c.name(), before.There, before.Newest)
	if kept != "" {
		fmt.Fprintf(s.out, "The board as it was is in %s.\n", kept)
	}
	return err
}

// migrateStatusCmd prints how far the schema is.
type migrateStatusCmd struct {
	storage `embed:""`
}

// Run prints both versions. A schema that this program is too old for is an
// error.
func (c *migrateStatusCmd) Run(ctx context.Context, s streams) error {
	version, err := store.ReadSchemaVersion(ctx, c.address())
	if err != nil {
		return c.atFault(err)
	}
	pending := "none"
	if len(version.Pending) > 0 {
		pending = strings.Join(version.Pending, ", ")
	}
	_, err = fmt.Fprintf(s.out, "database      %s\nits version   %d\nthis program  %d\npending       %s\n",
		c.name(), version.There, version.Newest, pending)
	if err == nil && version.There > version.Newest {
		return c.atFault(store.ErrNewerSchema)
	}
	return err
}

// atFault names the flag that a database came from.
func (s storage) atFault(err error) error {
	if s.Database == "" {
		return err
	}
	return fmt.Errorf("--database (%s): %w", variable("database"), err)
}
