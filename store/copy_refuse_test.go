package store_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func TestSourcesThatAreRefused(t *testing.T) {
	b := newUsedBoard(t)
	for name, c := range map[string]struct {
		make func(path string) error
		want error
	}{
		"nothing there":        {func(string) error { return nil }, os.ErrNotExist},
		"a directory":          {func(path string) error { return os.Mkdir(path, 0o700) }, store.ErrNoBoard},
		"an empty file":        {func(path string) error { return os.WriteFile(path, nil, 0o600) }, store.ErrNoBoard},
		"a text":               {func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("text ", 500)), 0o600) }, store.ErrNoBoard},
		"an older board":       {b.altered(t, `DELETE FROM schema_version WHERE version = (SELECT MAX(version) FROM schema_version) RETURNING 1`), store.ErrOlderSchema},
		"a newer board":        {b.altered(t, `INSERT INTO schema_version SELECT MAX(version) + 1 FROM schema_version RETURNING 1`), store.ErrNewerSchema},
		"of another program":   {b.altered(t, `PRAGMA application_id = 77`), store.ErrNoBoard},
		"a board without rows": {b.altered(t, `DELETE FROM schema_version RETURNING 1`), store.ErrNoBoard},
	} {
		t.Run(name, func(t *testing.T) {
			path := storetest.File(t)
			if err := c.make(path); err != nil {
				t.Fatal(err)
			}
			source, err := store.OpenCopySource(t.Context(), path)
			if !errors.Is(err, c.want) || strings.Count(err.Error(), path) != 1 {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if err == nil {
				source.Close()
			}
		})
	}
}

func TestTargetsThatAreRefused(t *testing.T) {
	server := storetest.PostgresOnce(t)
	for name, c := range map[string]struct {
		make string
		want error
	}{
		"of another program":   {`CREATE TABLE theirs (id INTEGER)`, store.ErrForeign},
		"of a newer program":   {`INSERT INTO schema_version SELECT MAX(version) + 1 FROM schema_version`, store.ErrNewerSchema},
		"served once already":  {`INSERT INTO settings VALUES ('key', 'x')`, store.ErrTargetUsed},
		"one row left in days": {`INSERT INTO days VALUES (1, 0, 0, 0, 0, 0, 0, 0)`, store.ErrTargetUsed},
	} {
		t.Run(name, func(t *testing.T) {
			database := server.Database(t)
			if errors.Is(c.want, store.ErrForeign) {
				database = server.Blank(t)
			}
			execThere(t, database, c.make)
			before := rowsThere(t, database)
			target, err := store.OpenCopyTarget(t.Context(), database)
			if !errors.Is(err, c.want) || strings.Contains(err.Error(), storetest.ServerPassword) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			if err == nil {
				target.Close()
			}
			if diff := cmp.Diff(before, rowsThere(t, database)); diff != "" {
				t.Errorf("-before +after\n%s", diff)
			}
		})
	}
}
