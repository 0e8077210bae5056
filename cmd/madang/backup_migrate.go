package main

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"time"

	"madang/store"
)

// oldSchemasKept is how many backups are kept of each step of the schema, so
// that a start that fails again and again does not fill the disk.
const oldSchemasKept = 2

// keepOldSchema backs a SQLite file up whose schema this program is about to
// change, and returns where; nothing when there is nothing to change.
func (s storage) keepOldSchema(ctx context.Context) (string, error) {
	if store.OnServer(s.address()) {
		return "", nil // pg_dump does it, and several processes may start at once
	}
	version, err := store.ReadSchemaVersion(ctx, s.address())
	if err != nil || version.There == 0 || len(version.Pending) == 0 {
		return "", err
	}
	step := fmt.Sprintf("before-schema-%d-from-%d-", version.Newest, version.There)
	file, _, err := s.backUpInto(ctx, step+time.Now().UTC().Format(stampForm)+".db")
	if err != nil {
		return "", fmt.Errorf("nothing was changed: the schema goes from version %d to %d, and the backup before that failed: %w",
			version.There, version.Newest, err)
	}
	return file, s.prune(regexp.MustCompile("^"+step+`.*\.db$`), oldSchemasKept)
}

// backUpOldSchema does so and tells the log.
func (s storage) backUpOldSchema(ctx context.Context, log *slog.Logger) error {
	file, err := s.keepOldSchema(ctx)
	if err == nil && file != "" && log != nil {
		log.LogAttrs(ctx, slog.LevelInfo, "backed up before the schema changes", slog.String("file", file))
	}
	return err
}
