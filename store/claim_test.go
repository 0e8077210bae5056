package store_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func claimed(t testing.TB, s *store.Store, limit int, kinds ...string) []store.Job {
	t.Helper()
	jobs, err := s.ClaimJobs(t.Context(), kinds, limit, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// addJobs makes rows of any kind and state.
func addJobs(t testing.TB, s *store.Store, count int, kind, state string, runAt time.Time) {
	t.Helper()
	err := s.Exec(t.Context(), `WITH RECURSIVE n (i) AS (SELECT 1 WHERE $1 > 0 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
		INSERT INTO jobs (kind, state, payload, run_at, created_at) SELECT $2, $3, x'', $4, $4 FROM n`,
		count, kind, state, runAt.UnixMilli())
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheBacklogOfOneKindStarvesNoOther(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 100, "a", store.Available, time.Now())
	addJobs(t, s, 1, "b", store.Available, time.Now())
	addJobs(t, s, 100, "a", store.Available, time.Now())
	var kinds strings.Builder
	for range 26 {
		for _, j := range claimed(t, s, 4, "a", "b") {
			kinds.WriteString(j.Kind)
		}
	}
	if want := strings.Repeat("a", 100) + "baaa"; kinds.String() != want {
		t.Errorf("claimed in the order %s", kinds.String())
	}
}

func TestAClaimReadsNoBacklog(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 2000, "a", store.Scheduled, time.Now().Add(time.Hour))
	addJobs(t, s, 2000, "a", store.Available, time.Now())
	if err := s.Exec(t.Context(), `ANALYZE`); err != nil {
		t.Fatal(err)
	}
	plan := explain(t, s, s.ClaimSQL(2), "token", 2, 1, "a", 5, "b", 5, 5)
	if readsAll(plan, "jobs") || strings.Count(plan, "jobs_available") < 2 || strings.Contains(plan, "jobs_scheduled") {
		t.Errorf("claims by\n%s", plan)
	}
}

func TestOnlyWhatCanBeTakenRingsTheBell(t *testing.T) {
	s := storetest.New(t)
	for range 5 {
		storetest.Signup(t, s)
	}
	jobs := claimed(t, s, 5, mailKinds()...)
	rang := func() bool {
		select {
		case <-s.Wake(store.KindVerifyMail):
			return true
		default:
			return false
		}
	}
	rang()
	for i, c := range []struct {
		name string
		end  func(store.Job) error
		want bool
	}{
		{"finish", func(j store.Job) error { return s.FinishJob(t.Context(), j) }, false},
		{"skip", func(j store.Job) error { return s.SkipJob(t.Context(), j, "obsolete") }, false},
		{"kill", func(j store.Job) error { return s.KillJob(t.Context(), j, "x") }, false},
		{"retry", func(j store.Job) error { return s.RetryJob(t.Context(), j, time.Now(), "x") }, true},
		{"release", func(j store.Job) error { return s.ReleaseJob(t.Context(), j) }, true},
	} {
		if err := c.end(jobs[i]); err != nil {
			t.Fatal(err)
		}
		if got := rang(); got != c.want {
			t.Errorf("%s rings: %t", c.name, got)
		}
	}
}

func TestASkippedJobIsDoneAndSaysWhy(t *testing.T) {
	s := storetest.New(t)
	storetest.Signup(t, s)
	j := claim(t, s)
	if err := s.SkipJob(t.Context(), *j, "obsolete"); err != nil {
		t.Fatal(err)
	}
	var state, why string
	err := s.Readers().QueryRowContext(t.Context(), `SELECT state, last_error FROM jobs WHERE id = $1`, j.ID).Scan(&state, &why)
	if err != nil || state != store.Done || why != "obsolete" {
		t.Errorf("%s, %q (%v)", state, why, err)
	}
	if err := s.SkipJob(t.Context(), *j, "again"); !errors.Is(err, store.ErrLeaseLost) {
		t.Errorf("skipped twice: %v", err)
	}
}

func TestAResultAfterTheLeaseCountsWhileNobodyTookTheJob(t *testing.T) {
	clock := storetest.NewClock(time.Now())
	s := storetest.Open(t, store.Options{Now: clock.Now})
	storetest.Signup(t, s)
	j := claim(t, s)
	clock.Advance(time.Hour)
	if err := s.FinishJob(t.Context(), *j); err != nil {
		t.Error(err)
	}
}

func TestAReaperThatMeetsAResultLeavesItAlone(t *testing.T) {
	clock := storetest.NewClock(time.Now())
	s := storetest.Open(t, store.Options{Now: clock.Now})
	for range 300 {
		if err := s.AddViews(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		j := claimed(t, s, 1, store.KindViews)[0]
		clock.Advance(time.Hour)
		var finish, reap error
		var reaped int64
		var both sync.WaitGroup
		both.Go(func() { finish = s.FinishJob(t.Context(), j) })
		both.Go(func() { reaped, reap = s.ReapJobs(t.Context()) })
		both.Wait()
		if reap != nil || finish != nil && !errors.Is(finish, store.ErrLeaseLost) {
			t.Fatal(finish, reap)
		}
		if done := finish == nil; done == (reaped == 1) {
			t.Fatalf("done: %t, reaped: %d", done, reaped)
		}
		for _, again := range claimed(t, s, 1, store.KindViews) {
			if err := s.FinishJob(t.Context(), again); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := states(t, s); len(got) != 0 {
		t.Errorf("left over: %v", got)
	}
}

func TestARunningJobAlwaysHasALease(t *testing.T) {
	s := storetest.New(t)
	for _, lease := range []string{`NULL, 1`, `'token', NULL`, `NULL, NULL`} {
		err := s.Exec(t.Context(), `INSERT INTO jobs (kind, state, payload, run_at, created_at, lease, lease_until)
			VALUES ('a', 'running', x'', 0, 0, `+lease+`)`)
		if err == nil {
			t.Errorf("a running job with the lease %s", lease)
		}
	}
}

func TestEachClaimHasALeaseOfItsOwn(t *testing.T) {
	s := storetest.New(t)
	if err := s.AddViews(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for range 20 {
		j := claimed(t, s, 1, store.KindViews)[0]
		if seen[j.Lease] || len(j.Lease) < 32 {
			t.Fatalf("lease %q", j.Lease)
		}
		seen[j.Lease] = true
		if _, err := s.TakeBack(t.Context()); err != nil { // as a process that starts anew
			t.Fatal(err)
		}
	}
}

func TestAThousandJobsThatComeDueAtOnceAreTakenStepByStep(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 1000, "a", store.Scheduled, time.Now().Add(-time.Hour))
	if got := len(claimed(t, s, 5, "a")); got != 5 {
		t.Errorf("%d claimed", got)
	}
	if got := states(t, s); got[store.Scheduled] != 995 {
		t.Errorf("one claim moved all: %v", got)
	}
	total := 5
	for n := 1; n > 0; total += n {
		n = len(claimed(t, s, 70, "a"))
	}
	if total != 1000 {
		t.Errorf("%d claimed", total)
	}
}

// BenchmarkClaim shows that a claim costs the same whatever waits for its retry.
func BenchmarkClaim(b *testing.B) {
	for _, backlog := range []int{0, 1_000_000} {
		b.Run(fmt.Sprintf("backlog=%d", backlog), func(b *testing.B) {
			s := storetest.New(b)
			addJobs(b, s, backlog, store.KindViews, store.Scheduled, time.Now().Add(24*time.Hour))
			addJobs(b, s, b.N, store.KindViews, store.Available, time.Now())
			b.ResetTimer()
			for range b.N {
				if n := len(claimed(b, s, 1, store.KindViews)); n != 1 {
					b.Fatalf("claimed %d", n)
				}
			}
		})
	}
}
