package store

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// lookFor makes a look that takes a time and finds the number of the look.
func lookFor(took time.Duration, looks *atomic.Int64) func(context.Context, int32) ([]int64, error) {
	return func(context.Context, int32) ([]int64, error) {
		n := looks.Add(1)
		time.Sleep(took)
		return []int64{n}, nil
	}
}

func wantRanking(t *testing.T, r *popular, day int32, find func(context.Context, int32) ([]int64, error), want int64) {
	t.Helper()
	ids, err := r.read(t.Context(), day, find)
	if err != nil || !slices.Equal(ids, []int64{want}) {
		t.Errorf("ranking %v, %v, want that of look %d", ids, err, want)
	}
}

func TestRankingThatIsFoundAtOnceIsNotRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r popular
		var looks atomic.Int64
		for n := range int64(3) {
			wantRanking(t, &r, 1, lookFor(time.Millisecond, &looks), n+1)
		}
	})
}

func TestRankingIsGoodForTwentyTimesAsLongAsItTook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r popular
		var looks atomic.Int64
		find := lookFor(100*time.Millisecond, &looks)
		wantRanking(t, &r, 1, find, 1)
		time.Sleep(1999 * time.Millisecond)
		wantRanking(t, &r, 1, find, 1)
		time.Sleep(time.Millisecond)
		begun := time.Now()
		wantRanking(t, &r, 1, find, 1) // nobody waits for the next one
		if waited := time.Since(begun); waited != 0 {
			t.Errorf("waited %v", waited)
		}
		r.wait()
		wantRanking(t, &r, 1, find, 2)
		wantRanking(t, &r, 2, find, 3) // the day is another one
		time.Sleep(41 * time.Second)
		wantRanking(t, &r, 2, find, 4) // nobody came for too long
	})
}

func TestRankingIsLookedForOnceHoweverManyAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r popular
		var looks atomic.Int64
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() { wantRanking(t, &r, 1, lookFor(time.Second, &looks), 1) })
		}
		all.Wait()
	})
}

func TestRankingThatFailsIsNotRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r popular
		broken := errors.New("broken")
		_, err := r.read(t.Context(), 1, func(context.Context, int32) ([]int64, error) {
			time.Sleep(time.Second)
			return nil, broken
		})
		if !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
		wantRanking(t, &r, 1, lookFor(time.Second, new(atomic.Int64)), 1)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := r.read(gone, 2, lookFor(time.Second, new(atomic.Int64))); !errors.Is(err, context.Canceled) {
			t.Errorf("who left got %v", err)
		}
		r.wait()
		wantRanking(t, &r, 2, lookFor(time.Second, new(atomic.Int64)), 1) // the look went on for others
	})
}
