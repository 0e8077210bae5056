package store_test

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"madang/store"
)

func TestForeignFileIsRefusedAndLeftAsItWas(t *testing.T) {
	for name, make := range map[string]func(t *testing.T, path string){
		"another program's database": func(t *testing.T, path string) {
			db, err := sql.Open("sqlite", "file:"+path)
			if err != nil {
				t.Fatal(err)
			}
			_, err = db.ExecContext(t.Context(), `CREATE TABLE users (x); INSERT INTO users VALUES (1)`)
			if err := errors.Join(err, db.Close()); err != nil {
				t.Fatal(err)
			}
		},
		"a text": func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte("this is not a database, but a text that somebody keeps here"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), store.FileName)
			make(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := store.Open(t.Context(), store.Options{Database: path}); !errors.Is(err, store.ErrForeign) {
				t.Errorf("got %v", err)
			}
			after, err := os.ReadFile(path)
			if err != nil || string(after) != string(before) {
				t.Errorf("the file was changed: %v", err)
			}
			left, err := filepath.Glob(path + "-*")
			if err != nil || len(left) > 0 {
				t.Errorf("left beside it: %v, %v", left, err)
			}
		})
	}
}
