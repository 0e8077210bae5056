package main

import (
	"log/slog"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"madang/jobs"
	"madang/store"
	"madang/store/storetest"
)

// gathered asks a collector as a scrape does.
func gathered(t *testing.T, c prometheus.Collector) scrape {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	if err := registry.Register(c); err != nil {
		t.Fatal(err)
	}
	all, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	s := scrape{families: map[string]*dto.MetricFamily{}}
	for _, family := range all {
		s.families[family.GetName()] = family
	}
	return s
}

func collectorOf(t *testing.T, db *store.Store) *storeCollector {
	t.Helper()
	figures, err := jobs.NewFigures(time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return newStoreCollector(db, figures, slog.New(slog.DiscardHandler))
}

func TestWhoAsksOftenDoesNotLoadTheDatabase(t *testing.T) {
	db := storetest.New(t)
	c := collectorOf(t, db)
	waiting := []string{"kind", store.KindViews, "state", store.Available}
	if got := gathered(t, c).value("madang_jobs", waiting...); got != 0 {
		t.Fatalf("%v jobs wait", got)
	}
	if err := db.AddViews(t.Context(), []store.ViewEvent{{Day: 1, PostID: 1}}); err != nil {
		t.Fatal(err)
	}
	c.looked = time.Now() // however long that took
	if got := gathered(t, c).value("madang_jobs", waiting...); got != 0 {
		t.Errorf("%v jobs wait: it was read anew at once", got)
	}
	c.looked = time.Now().Add(-lookFor)
	s := gathered(t, c)
	if got := s.value("madang_jobs", waiting...); got != 1 {
		t.Errorf("%v jobs wait after a while, want 1", got)
	}
	if age := s.value("madang_jobs_oldest_due_age_seconds", "kind", store.KindViews); age < 0 || age > 60 {
		t.Errorf("the oldest has been due for %v s", age)
	}
}

func TestADatabaseThatDoesNotAnswerIsAFigureToo(t *testing.T) {
	database := storetest.Database(t)
	db := storetest.Open(t, store.Options{Database: database})
	c := collectorOf(t, db)
	if storetest.OnPostgres() { // the answer never comes
		defer storetest.HoldRows(t, database, `LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE`)()
	} else if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	s := gathered(t, c)
	if took := time.Since(began); took > 2*lookWithin {
		t.Errorf("it took %s", took)
	}
	if got := s.value("madang_database_up"); got != 0 {
		t.Errorf("madang_database_up is %v", got)
	}
	if s.families["madang_jobs"] != nil || s.value("madang_hash_slots") < 1 {
		t.Errorf("says of jobs %v, of hash slots %v", s.families["madang_jobs"], s.value("madang_hash_slots"))
	}
}

func TestNothingIsCountedUnlessSomebodyIsToAsk(t *testing.T) {
	m := new(serveCmd).newMetrics()
	if m != nil {
		t.Fatal("counts")
	}
	o := m.watchStore(store.Options{})
	w := m.watchWeb()
	if o.Enqueued != nil || o.Watch.Committed != nil || o.Watch.Hashing != nil || o.Watch.Busy != nil || o.Watch.Batched != nil ||
		o.Watch.Lost != nil || w.Answered != nil || w.Uncounted != nil || m.watchPool() != nil || m.watchSchedule() != nil {
		t.Error("somebody is told")
	}
	if parts := m.part(nil, nil, nil); len(parts) != 0 {
		t.Errorf("%d parts run", len(parts))
	}
}
