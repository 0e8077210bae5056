package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func TestLikesCountOnceHoweverOftenTheyCome(t *testing.T) {
	s := storetest.New(t)
	user := storetest.Member(t, s)
	id := storetest.Post(t, s, user)
	for _, step := range []struct {
		name  string
		do    func(context.Context, store.User, int64) error
		likes int64
	}{{"like", s.Like, 1}, {"unlike", s.Unlike, 0}} {
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				if err := step.do(context.WithoutCancel(t.Context()), user, id); err != nil {
					t.Errorf("%s: %v", step.name, err)
				}
			})
		}
		wg.Wait()
		if got := post(t, s, id).Likes; got != step.likes {
			t.Errorf("%d likes after a hundred times %s, want %d", got, step.name, step.likes)
		}
		wantTrueCounters(t, s)
	}
}

func TestLikesAndUnlikesAtOnceLeaveATrueCount(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	id := storetest.Post(t, s, author)
	var wg sync.WaitGroup
	for i := range 4 {
		user := storetest.Member(t, s)
		wg.Go(func() {
			ctx := context.WithoutCancel(t.Context())
			for round := range 25 {
				step := s.Like
				if (round+i)%3 == 0 {
					step = s.Unlike
				}
				if err := step(ctx, user, id); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	wantTrueCounters(t, s)
}

func TestLikedTellsMineFromOthers(t *testing.T) {
	s := storetest.New(t)
	me, other := storetest.Member(t, s), storetest.Member(t, s)
	id := storetest.Post(t, s, other)
	if err := s.Like(t.Context(), me, id); err != nil {
		t.Fatal(err)
	}
	for user, want := range map[int64]bool{me.ID: true, other.ID: false, 0: false} {
		if got, err := s.Liked(t.Context(), user, id); got != want || err != nil {
			t.Errorf("liked by %d: %v, %v", user, got, err)
		}
	}
}

func TestUnlikeIsTakenFromTheDayOfTheLike(t *testing.T) {
	seoul := time.FixedZone("KST", 9*3600)
	clock := storetest.NewClock(time.Date(2026, 5, 1, 23, 30, 0, 0, seoul))
	s := storetest.Open(t, store.Options{Now: clock.Now, NoLimits: true, Zone: seoul})
	user := storetest.Member(t, s)
	id := storetest.Post(t, s, user)
	if err := s.Like(t.Context(), user, id); err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC).Unix() / 86400 // the local date, not the one in UTC
	if n := count(t, s, `SELECT SUM(likes) FROM post_days WHERE day = $1`, day); n != 1 {
		t.Errorf("%d likes on the day, want 1", n)
	}
	clock.Advance(time.Hour)
	if err := s.Unlike(t.Context(), user, id); err != nil {
		t.Fatal(err)
	}
	wantTrueCounters(t, s)
}

func TestUnknownPostIsNotLiked(t *testing.T) {
	s := storetest.New(t)
	user := storetest.Member(t, s)
	for name, err := range map[string]error{
		"like": s.Like(t.Context(), user, 99), "unlike": s.Unlike(t.Context(), user, 99),
	} {
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
