package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// pagesOf reads a list from the top down and up again, and returns its ids.
func pagesOf(t *testing.T, s *store.Store, q store.JobQuery) (ids []int64) {
	t.Helper()
	read := func(q store.JobQuery) store.JobList {
		page, err := s.Jobs(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	page := read(q)
	pages := [][]store.JobRow{page.Jobs}
	for newer := false; page.Older; newer = true {
		q.Before, q.After = page.Jobs[len(page.Jobs)-1].ID, 0
		if page.Newer != newer {
			t.Errorf("%+v: newer is %t", q, page.Newer)
		}
		page = read(q)
		pages = append(pages, page.Jobs)
	}
	for i := len(pages) - 2; i >= 0; i-- {
		q.Before, q.After = 0, page.Jobs[0].ID
		page = read(q)
		if diff := cmp.Diff(pages[i], page.Jobs); diff != "" || !page.Older || page.Newer != (i > 0) {
			t.Errorf("page %d on the way up: newer %t, older %t%s", i, page.Newer, page.Older, diff)
		}
	}
	for _, j := range slices.Concat(pages...) {
		ids = append(ids, j.ID)
	}
	return ids
}

func TestEachListOfJobsIsWholeAndInOrder(t *testing.T) {
	s := storetest.New(t)
	for range 7 { // mixes ids of kinds and states
		addJobs(t, s, 2, store.KindViews, store.Available, time.Now())
		addJobs(t, s, 1, store.KindVerifyMail, store.Scheduled, time.Now())
		addJobs(t, s, 1, store.KindAccountMail, store.Available, time.Now())
		storetest.DeadMail(t, s, "550 no")
	}
	claimed(t, s, 3, store.KindViews)
	all, err := s.Jobs(t.Context(), store.JobQuery{Limit: 100})
	if err != nil || len(all.Jobs) != 35 {
		t.Fatal(len(all.Jobs), err)
	}
	for _, kind := range []string{"", store.KindViews, store.KindVerifyMail, store.KindAccountMail, "nope"} {
		for _, state := range []string{"", store.Available, store.Scheduled, store.Running, store.Done, store.Dead, "nope"} {
			var want []int64
			for _, j := range all.Jobs {
				if (kind == "" || j.Kind == kind) && (state == "" || j.State == state) {
					want = append(want, j.ID)
				}
			}
			if diff := cmp.Diff(want, pagesOf(t, s, store.JobQuery{Kind: kind, State: state, Limit: 3})); diff != "" {
				t.Errorf("kind %q state %q:\n%s", kind, state, diff)
			}
		}
	}
}

func TestAListedMailHasItsAddressAndNothingSecret(t *testing.T) {
	s := storetest.New(t)
	signup, job := storetest.DeadMail(t, s, "550 no")
	su, err := s.SignupByID(t.Context(), signup)
	if err != nil {
		t.Fatal(err)
	}
	j, err := s.JobByID(t.Context(), job)
	if err != nil || j.To != strings.ToLower(su.Email) || j.LastError != "550 no" || j.State != store.Dead {
		t.Errorf("%+v, %v", j, err)
	}
	member := storetest.Member(t, s)
	if _, err := s.Resend(t.Context(), store.Resend{Email: member.Email}); err != nil {
		t.Fatal(err)
	}
	list, err := s.Jobs(t.Context(), store.JobQuery{Kind: store.KindAccountMail, Limit: 10})
	if err != nil || len(list.Jobs) != 1 || list.Jobs[0].To != member.Email {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestAPayloadThatCannotBeReadHidesNoJob(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 1, store.KindVerifyMail, store.Available, time.Now())
	if list, err := s.Jobs(t.Context(), store.JobQuery{Limit: 10}); err != nil || len(list.Jobs) != 1 || list.Jobs[0].To != "" {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestCountsAndListsOfJobsReadNoBacklog(t *testing.T) {
	s := storetest.New(t)
	addJobs(t, s, 3000, store.KindVerifyMail, store.Scheduled, time.Now().Add(time.Hour))
	addJobs(t, s, 3000, store.KindViews, store.Available, time.Now())
	if err := s.Exec(t.Context(), `ANALYZE`); err != nil {
		t.Fatal(err)
	}
	for name, query := range store.JobSQL() {
		args := []any{1000, 50, "a", "b", "c", "d", "e"}
		for !strings.Contains(query, fmt.Sprintf("$%d", len(args))) && len(args) > 0 {
			args = args[:len(args)-1]
		}
		for line := range strings.Lines(explain(t, s, query, args...)) {
			// Of those that run there are no more than workers.
			whole := strings.Contains(line, "SCAN jobs") && !strings.Contains(line, "INDEX jobs_") || name != "counts" && strings.Contains(line, "Seq Scan on jobs")
			sorts := strings.Contains(line, "SEARCH jobs USING INDEX") && !strings.Contains(line, "id<?") && !strings.Contains(line, "jobs_running")
			if whole || sorts {
				t.Errorf("%s: reads by %s", name, line)
			}
		}
	}
}
