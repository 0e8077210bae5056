package store_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestTheClockIsThatOfTheDatabase(t *testing.T) {
	address := storetest.PostgresOnce(t).Database(t)
	s := storetest.Open(t, store.Options{Database: address, Key: store.Key{1}})
	if ahead := s.Ahead().Abs(); ahead > 50*time.Millisecond*slower {
		t.Errorf("the clocks of one machine are %v apart", ahead)
	}
	// A database whose clock is an hour ahead, as far as anybody can tell: its
	// schema comes before the system's.
	shift := func(by string) {
		storetest.Rows(t, address, `CREATE OR REPLACE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql
			AS 'SELECT pg_catalog.clock_timestamp() + interval ''`+by+`'''`)
	}
	shift("1 hour")
	shifted := storetest.Open(t, store.Options{Database: address + "&search_path=public,pg_catalog", NoLimits: true, Key: store.Key{1}})
	if got := shifted.Ahead() - time.Hour; got.Abs() > 100*time.Millisecond*slower {
		t.Errorf("an hour and %v ahead", got)
	}
	shift("-1 minute")
	if err := shifted.MeasureClock(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := shifted.Ahead() + time.Minute; got.Abs() > 100*time.Millisecond*slower {
		t.Errorf("a minute less %v behind", got)
	}
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	fixed := storetest.Open(t, store.Options{Database: address, Key: store.Key{1}, Now: func() time.Time { return now }})
	if !fixed.Now().Equal(now) {
		t.Errorf("%v, though a clock was given", fixed.Now())
	}
}

// A standby says the same of itself.
func TestAServerThatTakesNoWritesIsRefused(t *testing.T) {
	address := storetest.PostgresOnce(t).Database(t)
	s, err := store.Open(t.Context(), store.Options{Database: address + "&default_transaction_read_only=on"})
	if err == nil {
		_ = s.Close()
		t.Fatal("it was opened")
	}
	if !strings.Contains(err.Error(), "takes no writes") {
		t.Error(err)
	}
}

func TestProcessesThatStartAtOnceMakeOneSchema(t *testing.T) {
	address := storetest.PostgresOnce(t).Blank(t)
	var opened sync.WaitGroup
	for range 4 {
		opened.Go(func() {
			s, err := store.Open(t.Context(), store.Options{Database: address})
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	opened.Wait()
	row := storetest.Rows(t, address, `SELECT MAX(version), COUNT(*) FROM schema_version`)[0]
	if row[0] != row[1] {
		t.Errorf("version %s in %s steps", row[0], row[1])
	}
}

func TestANewerDatabaseIsRefused(t *testing.T) {
	address := storetest.PostgresOnce(t).Database(t)
	storetest.Rows(t, address, `INSERT INTO schema_version (version) VALUES (9999)`)
	if _, err := store.Open(t.Context(), store.Options{Database: address}); !errors.Is(err, store.ErrNewerSchema) {
		t.Errorf("got %v", err)
	}
}

func TestAForeignDatabaseIsRefusedAndLeftAsItWas(t *testing.T) {
	server := storetest.PostgresOnce(t)
	for name, ddl := range map[string]string{
		"another program's tables":  `CREATE TABLE users (x INTEGER)`,
		"another program's version": `CREATE TABLE schema_version (version INTEGER)`,
	} {
		address := server.Blank(t)
		storetest.Rows(t, address, ddl)
		if _, err := store.Open(t.Context(), store.Options{Database: address}); !errors.Is(err, store.ErrForeign) {
			t.Errorf("%s: %v", name, err)
		}
		if n := storetest.Rows(t, address, `SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'public'`)[0][0]; n != "1" {
			t.Errorf("%s: %s tables afterwards", name, n)
		}
	}
}

func TestADatabaseOfAnotherEncodingIsRefused(t *testing.T) {
	server := storetest.PostgresOnce(t)
	address := server.Blank(t, "ENCODING 'SQL_ASCII' TEMPLATE template0")
	if _, err := store.Open(t.Context(), store.Options{Database: address}); err == nil || !strings.Contains(err.Error(), "UTF8") {
		t.Errorf("got %v", err)
	}
}

func TestAServerThatIsNotThereIsNamedWithoutItsPassword(t *testing.T) {
	for _, address := range []string{
		"postgres://u:hidden@127.0.0.1:1/d?sslmode=disable", "postgres://127.0.0.1:1/d?user=u&password=hidden", "postgres://u:hidden@127.0.0.1:x/d",
		strings.Replace(storetest.PostgresOnce(t).URL("nowhere"), storetest.ServerPassword, "hidden", 1),
	} {
		_, err := store.Open(t.Context(), store.Options{Database: address})
		if err == nil || strings.Contains(err.Error(), "hidden") || strings.Contains(err.Error(), "failed to connect to") {
			t.Errorf("%v", err)
		}
		_, err = store.LoadKey(t.Context(), t.TempDir(), address, "")
		if err == nil || strings.Contains(err.Error(), "hidden") {
			t.Errorf("key: %v", err)
		}
		if name := store.DatabaseName(address); strings.Contains(name, "hidden") {
			t.Errorf("name %s", name)
		}
	}
}

func TestADatabaseOnAServerHasAKeyOfItsOwn(t *testing.T) {
	address, dir := storetest.PostgresOnce(t).Blank(t), t.TempDir()
	key, err := store.LoadKey(t.Context(), dir, address, "")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := store.LoadKey(t.Context(), dir, address, ""); err != nil || again != key {
		t.Errorf("before there is a database: %v", err)
	}
	storetest.Open(t, store.Options{Database: address, Key: key})
	if _, err := store.LoadKey(t.Context(), t.TempDir(), address, ""); !errors.Is(err, store.ErrKeyMissing) {
		t.Errorf("in another directory: %v", err)
	}
	if _, err := store.Open(t.Context(), store.Options{Database: address, Key: store.Key{1}}); !errors.Is(err, store.ErrKeyMismatch) {
		t.Errorf("another key: %v", err)
	}
}

// What another program has there, or another board in the next schema, is no
// reason to miss a key, nor to make one.
func TestAKeyIsForTheBoardOfTheSchemaAlone(t *testing.T) {
	server, dir := storetest.PostgresOnce(t), t.TempDir()
	foreign := server.Blank(t)
	storetest.Rows(t, foreign, `CREATE TABLE settings (x INTEGER)`)
	if _, err := store.LoadKey(t.Context(), dir, foreign, ""); !errors.Is(err, store.ErrForeign) {
		t.Errorf("another program: %v", err)
	}
	if left, err := os.ReadDir(dir); len(left) > 0 || err != nil {
		t.Errorf("it left %v, %v", left, err)
	}
	_, address := onServer(t)
	storetest.Rows(t, address, `CREATE SCHEMA own`)
	if _, err := store.LoadKey(t.Context(), dir, address+"&search_path=own,public", ""); err != nil {
		t.Errorf("beside another board: %v", err)
	}
}

func TestASchemaOfItsOwnSharesNothing(t *testing.T) {
	s, address := onServer(t)
	storetest.Member(t, s)
	own, drop, err := store.NewSchema(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	other, err := store.Open(t.Context(), store.Options{Database: own, NoLimits: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Seed(t.Context(), storetest.Password); err != nil { // which asks for an empty one
		t.Error(err)
	}
	if err := errors.Join(other.Close(), drop(t.Context())); err != nil {
		t.Error(err)
	}
	if n := storetest.Rows(t, address, `SELECT COUNT(*) FROM pg_namespace WHERE nspname LIKE 'madang_%'`)[0][0]; n != "0" {
		t.Errorf("%s schemas left", n)
	}
}

// The longest name that PostgreSQL takes for a schema.
func TestASchemaMayHaveALongName(t *testing.T) {
	address, name := storetest.PostgresOnce(t).Blank(t), strings.Repeat("s", 63)
	storetest.Rows(t, address, `CREATE SCHEMA `+name)
	s := storetest.Open(t, store.Options{Database: address + "&search_path=" + name, NoLimits: true})
	storetest.Signup(t, s)
}

// As the URL of several servers does, of which one takes writes.
func TestAURLMayAskForTheServerThatTakesWrites(t *testing.T) {
	address := storetest.PostgresOnce(t).Database(t) + "&target_session_attrs=read-write"
	s := storetest.Open(t, store.Options{Database: address, NoLimits: true})
	storetest.Member(t, s)
}

func TestReadersOfAServerCannotWrite(t *testing.T) {
	s, _ := onServer(t)
	if _, err := s.Readers().ExecContext(t.Context(), `DELETE FROM settings`); err == nil {
		t.Error("a reader deleted")
	}
}

// Where every connection hangs the next reader hears of it.
func TestAReaderDoesNotWaitForAConnectionThatNeverComes(t *testing.T) {
	s, _ := onServer(t)
	s.Readers().SetMaxOpenConns(1)
	held, err := s.Readers().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	ended := make(chan error, 1)
	go func() {
		_, _, err := s.Sessions().FindCtx(context.WithoutCancel(t.Context()), "token")
		ended <- err
	}()
	select {
	case err := <-ended:
		if !store.Unavailable(err) {
			t.Errorf("got %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Error("it waits for ever")
	}
}

// Each job is claimed by one of many, and no claim takes more than it may.
func TestManyClaimersOfTwoProcessesGetEachJobOnce(t *testing.T) {
	a, b, _ := twoProcesses(t)
	const jobs, limit = 2000, 7
	addJobs(t, a, jobs/2, "x", store.Available, time.Now())
	addJobs(t, a, jobs/4, "y", store.Available, time.Now())
	addJobs(t, a, jobs/4, "y", store.Scheduled, time.Now().Add(-time.Minute))
	var mu sync.Mutex
	seen := map[int64]int{}
	ends := tally(16, func(i int) string {
		s := []*store.Store{a, b}[i%2]
		for {
			got, err := s.ClaimJobs(t.Context(), []string{"x", "y"}, limit, time.Minute)
			if err != nil || len(got) == 0 || len(got) > limit {
				return in(err)
			}
			mu.Lock()
			for _, j := range got {
				seen[j.ID]++
			}
			mu.Unlock()
		}
	})
	wantEnds(t, ends, map[string]int{"done": 16})
	for id, n := range seen {
		if n != 1 {
			t.Errorf("job %d was claimed %d times", id, n)
		}
	}
	if len(seen) != jobs {
		t.Errorf("%d of %d claimed", len(seen), jobs)
	}
}

// A kind whose oldest jobs somebody else is taking just now leaves its places
// to the others.
func TestAClaimGoesRoundWhatAnotherIsTaking(t *testing.T) {
	s, address := onServer(t)
	addJobs(t, s, 3, "a", store.Available, time.Now())
	addJobs(t, s, 10, "b", store.Available, time.Now())
	release := storetest.HoldRows(t, address, `SELECT id FROM jobs WHERE kind = 'a' FOR UPDATE`)
	defer release()
	if got := claimed(t, s, 5, "a", "b"); len(got) != 5 {
		t.Errorf("%d claimed", len(got))
	}
}

func TestNothingOfAProcessThatMayLiveIsAdopted(t *testing.T) {
	s, _ := onServer(t)
	addJobs(t, s, 1, "a", store.Available, time.Now())
	claimed(t, s, 1, "a")
	if n, err := s.AdoptJobs(t.Context()); n != 0 || err != nil {
		t.Errorf("adopted %d, %v", n, err)
	}
}
