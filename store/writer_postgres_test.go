package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// onServer opens a store on PostgreSQL, whatever database the other tests use.
func onServer(t *testing.T) (*store.Store, string) {
	t.Helper()
	address := storetest.PostgresOnce(t).Database(t)
	return storetest.Open(t, store.Options{Database: address, NoLimits: true}), address
}

func countOf(t *testing.T, s *store.Store, query string, args ...any) int64 {
	t.Helper()
	var n int64
	if err := s.Readers().QueryRowContext(context.WithoutCancel(t.Context()), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestAWriteThatFailsOrPanicsLeavesNothing(t *testing.T) {
	s, _ := onServer(t)
	for name, fail := range map[string]func() error{
		"error": func() error { return errors.New("own fault") },
		"panic": func() error { panic("boom") },
	} {
		err := s.Write(t.Context(), func(ctx context.Context, exec store.ExecFunc) error {
			if err := exec(ctx, `INSERT INTO settings (name, value) VALUES ('half', '')`); err != nil {
				return err
			}
			return fail()
		})
		if err == nil || !strings.Contains(err.Error(), "own fault") && !strings.Contains(err.Error(), "panic in a write: boom") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := countOf(t, s, `SELECT COUNT(*) FROM settings WHERE name = 'half'`); n != 0 {
		t.Error("half a write was kept")
	}
}

// What the server refused cannot be committed by passing over its error.
func TestAnErrorThatWasPassedOverIsNoSuccess(t *testing.T) {
	s, _ := onServer(t)
	err := s.Write(t.Context(), func(ctx context.Context, exec store.ExecFunc) error {
		_ = exec(ctx, `INSERT INTO settings (name, value) VALUES ('half', '')`)
		_ = exec(ctx, `INSERT INTO nowhere VALUES (1)`)
		return nil
	})
	if err == nil {
		t.Error("the commit of a broken transaction was taken for one")
	}
}

func TestAWriteTakesNoNoticeOfACallerWhoLeaves(t *testing.T) {
	s, _ := onServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Write(ctx, func(ctx context.Context, exec store.ExecFunc) error {
		cancel()
		return errors.Join(exec(ctx, `INSERT INTO settings (name, value) VALUES ('kept', '')`), ctx.Err())
	})
	if err != nil || countOf(t, s, `SELECT COUNT(*) FROM settings WHERE name = 'kept'`) != 1 {
		t.Errorf("%v", err)
	}
	if err := s.Write(ctx, func(context.Context, store.ExecFunc) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a write of a caller who had left: %v", err)
	}
}

func TestDeadlocksAreTriedAgain(t *testing.T) {
	s, _ := onServer(t)
	exec(t, s, `INSERT INTO settings (name, value) VALUES ('a', ''), ('b', '')`)
	var runs atomic.Int64
	var met sync.WaitGroup // both hold a row
	met.Add(2)
	ends := tally(2, func(i int) string {
		rows := []string{"a", "b"}
		return in(s.Write(context.WithoutCancel(t.Context()), func(ctx context.Context, exec store.ExecFunc) error {
			first := runs.Add(1) <= 2
			if err := exec(ctx, `UPDATE settings SET value = value || 'x' WHERE name = $1`, rows[i]); err != nil {
				return err
			}
			if first {
				met.Done()
				met.Wait()
			}
			return exec(ctx, `UPDATE settings SET value = value || 'x' WHERE name = $1`, rows[1-i])
		}))
	})
	wantEnds(t, ends, map[string]int{"done": 2})
	if runs.Load() < 3 {
		t.Errorf("%d runs: they never waited for each other", runs.Load())
	}
	if n := countOf(t, s, `SELECT COUNT(*) FROM settings WHERE value = 'xx'`); n != 2 {
		t.Errorf("%d rows were changed by both", n)
	}
}

func TestSerializationFailuresAreTriedAgain(t *testing.T) {
	s, _ := onServer(t)
	exec(t, s, `INSERT INTO settings (name, value) VALUES ('n', '0')`)
	ctx := context.WithoutCancel(t.Context())
	ends := tally(8, func(int) string {
		return in(s.Write(ctx, func(ctx context.Context, exec store.ExecFunc) error {
			if err := exec(ctx, `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`); err != nil {
				return err
			}
			if err := exec(ctx, `SELECT value FROM settings WHERE name = 'n'`); err != nil {
				return err
			}
			return exec(ctx, `UPDATE settings SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) WHERE name = 'n'`)
		}))
	})
	wantEnds(t, ends, map[string]int{"done": 8})
	if n := countOf(t, s, `SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'n'`); n != 8 {
		t.Errorf("counted to %d", n)
	}
}

// endBackends ends every connection of a database but the one that asks.
func endBackends(t *testing.T, address, which string) {
	t.Helper()
	storetest.Rows(t, address, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid()`+which)
}

func TestLostConnectionsCostNobodyAnything(t *testing.T) {
	s, address := onServer(t)
	member := storetest.Member(t, s)
	for round := range 5 {
		// Many connections, so that many are broken.
		tally(12, func(int) string { return in(s.Ready(context.WithoutCancel(t.Context()))) })
		endBackends(t, address, "")
		if err := s.Ready(t.Context()); err != nil {
			t.Errorf("round %d, write: %v", round, err)
		}
		if _, err := s.UserByID(t.Context(), member.ID); err != nil {
			t.Errorf("round %d, read: %v", round, err)
		}
	}
}

func TestAConnectionLostWithinAWriteIsTriedAgain(t *testing.T) {
	s, address := onServer(t)
	runs := 0
	err := s.Write(t.Context(), func(ctx context.Context, exec store.ExecFunc) error {
		runs++
		if err := exec(ctx, `INSERT INTO settings (name, value) VALUES ('once', '')`); err != nil {
			return err
		}
		if runs == 1 {
			endBackends(t, address, "")
		}
		return exec(ctx, `SELECT 1`)
	})
	if err != nil || runs != 2 || countOf(t, s, `SELECT COUNT(*) FROM settings WHERE name = 'once'`) != 1 {
		t.Errorf("%d runs, %v", runs, err)
	}
}

// Whether such a commit took place nobody knows; it must not be done twice.
func TestACommitWithAnUnknownEndIsNotTriedAgain(t *testing.T) {
	s, address := onServer(t)
	// A deferred trigger runs within the commit, and there ends its own connection.
	exec(t, s, `CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
		'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(5); RETURN NULL; END'`)
	exec(t, s, `CREATE CONSTRAINT TRIGGER die AFTER INSERT ON turns DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION die()`)
	runs := 0
	err := s.Write(t.Context(), func(ctx context.Context, exec store.ExecFunc) error {
		runs++
		return exec(ctx, `INSERT INTO turns (bucket, who, at) VALUES ('b', '', 0)`)
	})
	if runs != 1 || !errors.As(err, new(*store.BusyError)) {
		t.Errorf("%d runs, %v", runs, err)
	}
	if strings.Contains(fmt.Sprint(err), storetest.ServerPassword) {
		t.Errorf("the password is in %v", err)
	}
	storetest.Rows(t, address, `DROP TRIGGER die ON turns`)
	if err := s.Ready(t.Context()); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestALockedRowMakesAWriteBusyNotEndless(t *testing.T) {
	s, address := onServer(t)
	exec(t, s, `INSERT INTO settings (name, value) VALUES ('probe', '')`)
	release := storetest.HoldRows(t, address, `UPDATE settings SET value = '' WHERE name = 'probe'`)
	begun := time.Now()
	err := s.Ready(t.Context())
	if !errors.As(err, new(*store.BusyError)) || time.Since(begun) > 10*time.Second {
		t.Errorf("after %v: %v", time.Since(begun), err)
	}
	release()
	if err := s.Ready(t.Context()); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestAStandstillWithinATransactionIsEndedByTheServer(t *testing.T) {
	s, _ := onServer(t)
	runs := 0
	err := s.Write(t.Context(), func(ctx context.Context, exec store.ExecFunc) error {
		runs++
		if runs == 1 { // as a process does that is stopped
			<-time.After(5500 * time.Millisecond)
		}
		return exec(ctx, `SELECT 1`)
	})
	if err != nil || runs != 2 {
		t.Errorf("%d runs, %v", runs, err)
	}
}

// A server that stands still, or what stands between, keeps the line alive and
// says nothing.
func TestAWriteDoesNotWaitForAnAnswerThatNeverComes(t *testing.T) {
	s, _ := onServer(t)
	s.BoundTransactions(500 * time.Millisecond)
	runs, begun := 0, time.Now()
	err := s.Write(t.Context(), func(ctx context.Context, exec store.ExecFunc) error {
		runs++
		if runs == 1 {
			return exec(ctx, `SELECT pg_sleep(20)`)
		}
		return exec(ctx, `SELECT 1`)
	})
	if err != nil || runs != 2 || time.Since(begun) > 10*time.Second {
		t.Errorf("%d runs in %v: %v", runs, time.Since(begun), err)
	}
}

func TestAStoreComesBackAfterItsServer(t *testing.T) {
	server := storetest.PostgresOnce(t)
	s, _ := onServer(t)
	for name, end := range map[string]func(testing.TB){"stopped": server.Stop, "crashed": server.Crash} {
		t.Run(name, func(t *testing.T) {
			end(t)
			if err := s.Ready(t.Context()); !errors.As(err, new(*store.BusyError)) {
				t.Errorf("without a server: %v", err)
			}
			server.Start(t)
			if err := s.Ready(t.Context()); err != nil {
				t.Errorf("with it again: %v", err)
			}
			if _, err := s.Mailbox(t.Context(), "", 1); err != nil {
				t.Errorf("a read: %v", err)
			}
		})
	}
}
