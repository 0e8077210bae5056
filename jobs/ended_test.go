package jobs

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func TestWhoCountsHearsOfEachAttempt(t *testing.T) {
	s := storetest.New(t)
	p := newPool(t, s, 1, func(_ context.Context, job store.Job) error {
		return map[int]error{1: nil, 2: errors.New("no luck"), 3: Permanent(errors.New("no way")), 4: ErrObsolete}[int(job.ID)]
	})
	var heard []string
	p.opts.Ended = func(kind string, outcome store.Outcome, took time.Duration) {
		heard = append(heard, fmt.Sprint(kind, " ", outcome, " ", took > 0))
	}
	addJobs(t, s, 4)
	for range 4 {
		p.work(t)
	}
	want := []string{"views done true", "views retry true", "views dead true", "views obsolete true"}
	if diff := cmp.Diff(want, heard); diff != "" {
		t.Errorf("heard (-want +got):\n%s", diff)
	}
}

func TestWhoCountsHearsOfEachRunOfATask(t *testing.T) {
	n := newNight(t, storetest.New(t), "UTC", "0 0 3 * * *")
	var heard []string
	n.schedule.ended = func(task string, good bool, took time.Duration) {
		heard = append(heard, fmt.Sprint(task, " ", good, " ", took > 0))
	}
	for _, run := range []func(context.Context) (string, error){
		func(context.Context) (string, error) { return "done", nil },
		func(context.Context) (string, error) { return "", errors.New("no luck") },
		func(context.Context) (string, error) { panic("a bug") },
	} {
		n.task.run = run
		func() {
			defer func() { _ = recover() }() // as the clock does
			_ = n.schedule.ask(t.Context(), n.task)
		}()
		n.clock.Advance(24 * time.Hour)
	}
	want := []string{n.task.name + " true true", n.task.name + " false true", n.task.name + " false true"}
	if diff := cmp.Diff(want, heard); diff != "" {
		t.Errorf("heard (-want +got):\n%s", diff)
	}
}
