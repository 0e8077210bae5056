package store_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"madang/store"
	"madang/store/storetest"
)

func TestSlotIsClaimedOnce(t *testing.T) {
	s := storetest.New(t)
	var wg sync.WaitGroup
	var claimed atomic.Int64
	for range 20 {
		wg.Go(func() {
			mine, err := s.ClaimSlot(context.WithoutCancel(t.Context()), "cleanup", "2026-05-01")
			if err != nil {
				t.Error(err)
			}
			if mine {
				claimed.Add(1)
			}
		})
	}
	wg.Wait()
	if claimed.Load() != 1 {
		t.Errorf("claimed %d times", claimed.Load())
	}
	for _, other := range [][2]string{{"cleanup", "2026-05-02"}, {"other", "2026-05-01"}} {
		if mine, err := s.ClaimSlot(t.Context(), other[0], other[1]); !mine || err != nil {
			t.Errorf("%v: %v, %v", other, mine, err)
		}
	}
	if err := s.FinishSlot(t.Context(), "cleanup", "2026-05-01", "turns 3"); err != nil {
		t.Error(err)
	}
	if n := count(t, s, `SELECT COUNT(*) FROM slots WHERE finished_at IS NOT NULL AND result = 'turns 3'`); n != 1 {
		t.Errorf("%d finished slots", n)
	}
	if err := s.FinishSlot(t.Context(), "cleanup", "2026-05-09", ""); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("finish an unclaimed slot: %v", err)
	}
}
