package store_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// execThere runs statements in a database of a PostgreSQL server.
func execThere(t *testing.T, database, statements string) {
	t.Helper()
	db, err := sql.Open("pgx", database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), statements); err != nil {
		t.Fatalf("%s: %v", statements, err)
	}
}

// rowsThere counts the rows of those tables of a PostgreSQL database that have any.
func rowsThere(t *testing.T, database string) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, table := range storetest.Rows(t, database, `SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_version'`) {
		if n := storetest.Rows(t, database, `SELECT COUNT(*) FROM "`+table[0]+`"`)[0][0]; n != "0" {
			found[table[0]] = n
		}
	}
	return found
}

func TestASecondCopyIsRefused(t *testing.T) {
	b := newUsedBoard(t)
	database := storetest.PostgresOnce(t).Blank(t)
	if _, err := b.copyInto(t, database, nil); err != nil {
		t.Fatal(err)
	}
	before := rowsThere(t, database)
	_, err := b.copyInto(t, database, nil)
	if !errors.Is(err, store.ErrTargetUsed) || !strings.Contains(err.Error(), "posts") {
		t.Errorf("the second: %v", err)
	}
	if diff := cmp.Diff(before, rowsThere(t, database)); diff != "" || len(before) == 0 {
		t.Errorf("-before +after\n%s", diff)
	}
}

// A target that is up to date and empty is as good as a new one.
func TestACopyGoesIntoAnEmptySchema(t *testing.T) {
	b := newUsedBoard(t)
	if _, err := b.copyInto(t, storetest.PostgresOnce(t).Database(t), nil); err != nil {
		t.Error(err)
	}
}

func TestACopyThatFailsHalfWayLeavesNothing(t *testing.T) {
	server, b := storetest.PostgresOnce(t), newUsedBoard(t)
	for name, fault := range map[string]struct {
		begin string // before the copy
		while string // when posts have been sent
		want  string
	}{
		"a row is refused": {
			begin: `ALTER TABLE viewers ADD CONSTRAINT no_viewers CHECK (day < 0)`, want: "table viewers",
		},
		"the line is cut": {
			while: `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
		},
		"a row is changed on its way": {
			begin: `CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.edited_at = 1; RETURN NEW; END $$;
				CREATE TRIGGER change BEFORE INSERT ON posts FOR EACH ROW WHEN (NEW.id = 2) EXECUTE FUNCTION change()`,
			want: store.ErrCopyDiffers.Error(),
		},
		"a row is lost on its way": {
			begin: `CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
				CREATE TRIGGER lose BEFORE INSERT ON turns FOR EACH ROW WHEN (NEW.id = 500) EXECUTE FUNCTION lose()`,
			want: store.ErrCopyDiffers.Error(),
		},
	} {
		t.Run(name, func(t *testing.T) {
			database := server.Database(t)
			if fault.begin != "" {
				execThere(t, database, fault.begin)
			}
			_, err := b.copyInto(t, database, func(table string, _, _ int64) {
				if table == "posts" && fault.while != "" {
					execThere(t, database, fault.while)
				}
			})
			if err == nil || !strings.Contains(err.Error(), fault.want) {
				t.Errorf("it ended with %v", err)
			}
			if left := rowsThere(t, database); len(left) > 0 {
				t.Errorf("it left %v", left)
			}
			if fault.while == "" {
				return
			}
			if _, err := b.copyInto(t, database, nil); err != nil {
				t.Errorf("again, on a line that holds: %v", err)
			}
		})
	}
}

// Whether it was kept nobody knows when it is given up within the commit.
func TestACopyThatIsGivenUpAtItsEndIsUnsure(t *testing.T) {
	b, database := newUsedBoard(t), storetest.PostgresOnce(t).Database(t)
	execThere(t, database, `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(20); RETURN NULL; END $$;
		CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON settings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()`)
	ctx, giveUp := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := b.copyWithin(ctx, t, database, nil)
		ended <- err
	}()
	await(t, func() bool {
		return storetest.Rows(t, database, `SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()
			AND wait_event = 'PgSleep'`)[0][0] == "1"
	})
	giveUp()
	if err := <-ended; !errors.Is(err, store.ErrCopyUnsure) {
		t.Errorf("got %v", err)
	}
}

func TestACopyNamesWhatDiffers(t *testing.T) {
	b, database := newUsedBoard(t), storetest.PostgresOnce(t).Database(t)
	execThere(t, database, `CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.views = NEW.views + 1; RETURN NEW; END $$;
		CREATE TRIGGER change BEFORE INSERT ON posts FOR EACH ROW WHEN (NEW.id = 2) EXECUTE FUNCTION change()`)
	report, err := b.copyInto(t, database, nil)
	if !errors.Is(err, store.ErrCopyDiffers) {
		t.Fatal(err)
	}
	var differ []string
	for _, line := range report.Lines {
		if !line.Same {
			differ = append(differ, line.Name)
		}
	}
	if diff := cmp.Diff([]string{"posts", "views of posts"}, differ); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestWhoStartsToServeTheTargetWaitsForTheBoard(t *testing.T) {
	b, database := newUsedBoard(t), storetest.PostgresOnce(t).Database(t)
	started := make(chan error, 1)
	_, err := b.copyInto(t, database, func(table string, _, _ int64) {
		if table != "posts" {
			return
		}
		go func() {
			s, err := store.Open(context.WithoutCancel(t.Context()), store.Options{Database: database, Key: store.Key{8}})
			if err == nil {
				err = s.Close()
			}
			started <- err
		}()
		for deadline := time.Now().Add(10 * time.Second); len(started) == 0; {
			if storetest.Rows(t, database, `SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)[0][0] != "0" {
				return
			}
			if time.Now().After(deadline) {
				t.Error("it does not wait")
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-started; !errors.Is(err, store.ErrKeyMismatch) {
		t.Errorf("with another key it ended with %v", err)
	}
}

func TestACopyOfAFileThatChangesMeanwhileLeavesNothing(t *testing.T) {
	b, database := newUsedBoard(t), storetest.PostgresOnce(t).Database(t)
	s := b.open(t, b.path)
	defer s.Close()
	_, err := b.copyInto(t, database, func(table string, _, _ int64) {
		if table == "posts" {
			storetest.Signup(t, s) // by another command, beside the copy
		}
	})
	if !errors.Is(err, store.ErrSourceChanged) {
		t.Errorf("got %v", err)
	}
	if left := rowsThere(t, database); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
}

func TestATextThatPostgreSQLCannotKeepIsNamed(t *testing.T) {
	b, database := newUsedBoard(t), storetest.PostgresOnce(t).Database(t)
	for change, want := range map[string]string{
		`UPDATE posts SET title = 'a' || char(0) || 'b' WHERE id = 3`:                 "table posts: title of the row id = 3 holds U+0000",
		`UPDATE posts SET body = CAST(x'ff' AS TEXT) WHERE id = 4`:                    "table posts: body of the row id = 4 is not UTF-8",
		`UPDATE slots SET result = char(0) WHERE task = 'cleanup'`:                    "table slots: result of the row task = cleanup, slot = 2026-05-01 holds",
		`UPDATE kept_texts SET path = char(0)`:                                        "table kept_texts: path of the row owner = x'00ff' holds",
		`UPDATE comments SET form_id = form_id || char(0) WHERE parent_id IS NULL`:    "table comments: form_id of the row id = ",
		`UPDATE settings SET value = value || char(0) || 'secret' WHERE name = 'key'`: "table settings: value of the row name = key holds",
	} {
		t.Run(want, func(t *testing.T) {
			changed := *b
			changed.path = storetest.File(t)
			if err := b.altered(t, change+` RETURNING 1`)(changed.path); err != nil {
				t.Fatal(err)
			}
			_, err := changed.copyInto(t, database, nil)
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("got %v", err)
			}
			if left := rowsThere(t, database); len(left) > 0 {
				t.Errorf("it left %v", left)
			}
		})
	}
}
