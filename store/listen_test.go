package store_test

import (
	"slices"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// twoProcesses are two stores on one database, as two processes have them.
func twoProcesses(t *testing.T) (a, b *store.Store, address string) {
	t.Helper()
	address = storetest.PostgresOnce(t).Database(t)
	o := store.Options{Database: address, NoLimits: true, Key: store.Key{1}}
	return storetest.Open(t, o), storetest.Open(t, o), address
}

// rings waits for a bell.
func rings(t *testing.T, s *store.Store, kind string, within time.Duration) bool {
	t.Helper()
	select {
	case <-s.Wake(kind):
		return true
	case <-time.After(within):
		return false
	}
}

func TestAnotherProcessIsWokenAtOnce(t *testing.T) {
	a, b, _ := twoProcesses(t)
	b.Wake(store.KindViews)
	var took []time.Duration
	for range 21 {
		begun := time.Now()
		if err := a.AddViews(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		committed := time.Now()
		if !rings(t, b, store.KindViews, 5*time.Second) {
			t.Fatal("not woken")
		}
		took = append(took, time.Since(committed))
		if !rings(t, a, store.KindViews, 5*time.Second) {
			t.Fatalf("not woken by its own write of %v ago", time.Since(begun))
		}
	}
	slices.Sort(took) // the slowest may have waited for another test
	t.Logf("%v after the commit, %v at most", took[10], took[20])
	if took[10] > 50*time.Millisecond*slower {
		t.Errorf("woken after %v", took)
	}
	if rings(t, b, store.KindVerifyMail, 0) {
		t.Error("the bell of another kind rang")
	}
}

func TestARolledBackWriteWakesNobody(t *testing.T) {
	a, b, _ := twoProcesses(t)
	if _, err := a.ClaimJobs(t.Context(), []string{store.KindViews}, 1, time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := a.ReleaseJob(t.Context(), store.Job{ID: 77, Kind: store.KindViews}); err == nil {
		t.Fatal("released what is not there")
	}
	// What comes after it is heard after it.
	if err := a.AddMailJob(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !rings(t, b, store.KindVerifyMail, 5*time.Second) || rings(t, b, store.KindViews, 0) {
		t.Error("the wrong bell")
	}
}

func TestListeningComesBackAndMissesNothing(t *testing.T) {
	a, b, address := twoProcesses(t)
	b.Wake(store.KindViews)
	for round := range 3 {
		endBackends(t, address, ` AND application_name LIKE '%listen'`)
		// Said while nobody may listen: the bells ring when somebody does again.
		if err := a.AddViews(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if !rings(t, b, store.KindViews, 10*time.Second) {
			t.Fatalf("round %d: missed", round)
		}
		await(t, func() bool {
			return storetest.Rows(t, address, `SELECT COUNT(*) FROM pg_stat_activity
				WHERE datname = current_database() AND application_name LIKE '%listen'`)[0][0] == "2"
		})
		for rings(t, b, store.KindViews, 0) { // for having connected again
		}
		for rings(t, b, store.KindViews, 200*time.Millisecond) {
		}
		if err := a.AddViews(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if !rings(t, b, store.KindViews, time.Second) {
			t.Errorf("round %d: deaf after a lost connection", round)
		}
	}
}

// await waits for something that is about to happen.
func await(t *testing.T, happened func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(20 * time.Second)
	for !happened() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("did not happen in twenty seconds")
		}
	}
}
