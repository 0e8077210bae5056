package store_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func mailKinds() []string { return []string{store.KindVerifyMail} }

// states returns how many verification mails are in each state.
func states(t *testing.T, s *store.Store) map[string]int64 {
	t.Helper()
	counts, err := s.JobCounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int64{}
	for _, c := range counts {
		found[c.State] += c.Count
	}
	return found
}

func TestEachJobIsClaimedOnce(t *testing.T) {
	s := storetest.New(t)
	const jobs = 40
	for range jobs {
		storetest.Signup(t, s)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var ids []int64
	for range 8 {
		wg.Go(func() {
			for {
				got, err := s.ClaimJobs(context.WithoutCancel(t.Context()), mailKinds(), 3, time.Minute)
				if err != nil || len(got) > 3 {
					t.Errorf("claimed %d: %v", len(got), err)
				}
				if len(got) == 0 {
					return
				}
				mu.Lock()
				for _, j := range got {
					ids = append(ids, j.ID)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	slices.Sort(ids)
	if n := len(ids); n != jobs || len(slices.Compact(ids)) != jobs {
		t.Errorf("%d claims of %d jobs", n, jobs)
	}
}

func TestLostLeaseChangesNothing(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now})
	storetest.Signup(t, s)
	stale := claim(t, s)
	clock.Advance(time.Minute + time.Millisecond)
	if n, err := s.ReapJobs(t.Context()); n != 1 || err != nil {
		t.Fatalf("reaped %d, %v", n, err)
	}
	fresh := claim(t, s)
	if fresh.Attempt != 2 {
		t.Errorf("attempt %d after a lost lease, want 2", fresh.Attempt)
	}
	for name, end := range map[string]func() error{
		"finish":  func() error { return s.FinishJob(t.Context(), *stale) },
		"retry":   func() error { return s.RetryJob(t.Context(), *stale, clock.Now(), "x") },
		"kill":    func() error { return s.KillJob(t.Context(), *stale, "x") },
		"release": func() error { return s.ReleaseJob(t.Context(), *stale) },
	} {
		if err := end(); !errors.Is(err, store.ErrLeaseLost) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.FinishJob(t.Context(), *fresh); err != nil {
		t.Errorf("the holder: %v", err)
	}
	if n, err := s.ReapJobs(t.Context()); n != 0 || err != nil {
		t.Errorf("a finished job was reaped: %d, %v", n, err)
	}
}

func TestHeartbeatKeepsAJob(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now})
	storetest.Signup(t, s)
	j := claim(t, s)
	for range 3 {
		clock.Advance(50 * time.Second)
		if err := s.ExtendLeases(t.Context(), []store.Job{*j}, time.Minute); err != nil {
			t.Fatal(err)
		}
		if n, err := s.ReapJobs(t.Context()); n != 0 || err != nil {
			t.Fatalf("reaped %d, %v", n, err)
		}
	}
	if err := s.FinishJob(t.Context(), *j); err != nil {
		t.Error(err)
	}
}

func TestReleasedJobIsNotCharged(t *testing.T) {
	s := storetest.New(t)
	storetest.Signup(t, s)
	if err := s.ReleaseJob(t.Context(), *claim(t, s)); err != nil {
		t.Fatal(err)
	}
	if j := claim(t, s); j.Attempt != 1 {
		t.Errorf("attempt %d", j.Attempt)
	}
}

func TestRetryWaitsForItsTime(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now})
	storetest.Signup(t, s)
	at := clock.Now().Add(30 * time.Second)
	if err := s.RetryJob(t.Context(), *claim(t, s), at, "451 later\x00\xff"+strings.Repeat("x", 5000)); err != nil {
		t.Fatal(err)
	}
	if next, err := s.NextJob(t.Context(), mailKinds()); err != nil || !next.Equal(at) {
		t.Errorf("next at %v, %v", next, err)
	}
	clock.Advance(30*time.Second - time.Millisecond)
	if claim(t, s) != nil {
		t.Error("claimed too soon")
	}
	clock.Advance(time.Millisecond)
	if j := claim(t, s); j == nil || j.Attempt != 2 {
		t.Errorf("claimed %+v", j)
	}
}

func TestStartTakesBackWhatAPredecessorHeld(t *testing.T) {
	s := storetest.Open(t, store.Options{Database: storetest.File(t), NoLimits: true})
	storetest.Signup(t, s)
	claim(t, s)
	if n, err := s.AdoptJobs(t.Context()); n != 1 || err != nil {
		t.Fatalf("adopted %d, %v", n, err)
	}
	if claim(t, s) == nil {
		t.Error("nothing to claim")
	}
}

func TestUnknownKindsDieAndOthersLive(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{NoLimits: true, Now: clock.Now})
	storetest.Signup(t, s)
	if s.OnPostgres() { // another process may be newer and know the kind
		if n, err := s.KillUnknown(t.Context(), []string{"nope"}); n != 0 || err != nil {
			t.Errorf("killed %d at once, %v", n, err)
		}
		clock.Advance(time.Hour)
	}
	if n, err := s.KillUnknown(t.Context(), mailKinds()); n != 0 || err != nil {
		t.Errorf("killed %d known, %v", n, err)
	}
	if n, err := s.KillUnknown(t.Context(), []string{"nope", "another"}); n != 1 || err != nil {
		t.Errorf("killed %d unknown, %v", n, err)
	}
	if got := states(t, s); got[store.Dead] != 1 || len(got) != 1 {
		t.Errorf("states %v", got)
	}
}

func TestCommitRingsTheBellOfItsKind(t *testing.T) {
	s := storetest.New(t)
	storetest.Signup(t, s)
	select {
	case <-s.Wake(store.KindVerifyMail):
	default:
		t.Error("no bell after a sign-up")
	}
	select {
	case <-s.Wake(store.KindViews):
		t.Error("the bell of another kind rang")
	default:
	}
}

func TestEachCommittedJobIsToldOnce(t *testing.T) {
	var mu sync.Mutex
	told := map[string]int{}
	s := storetest.Open(t, store.Options{NoLimits: true, Enqueued: func(kind string) {
		mu.Lock()
		defer mu.Unlock()
		told[kind]++
	}})
	storetest.Signup(t, s)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := s.AddViews(t.Context(), []store.ViewEvent{{Day: 1, PostID: 1}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	// What takes no effect makes no job.
	if err := s.CorrectEmail(t.Context(), store.Correction{SignupID: 99, Email: "nobody@example.org"}); !errors.Is(err, store.ErrNotFound) {
		t.Fatal(err)
	}
	jobs := claimed(t, s, 1, mailKinds()...)
	if err := s.ReleaseJob(t.Context(), jobs[0]); err != nil { // is no new job
		t.Fatal(err)
	}
	if told[store.KindVerifyMail] != 1 || told[store.KindViews] != 20 || len(told) != 2 {
		t.Errorf("told of %v", told)
	}
}
