package store_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

// tally runs a function so many times at once and counts how each run ended.
func tally(times int, run func(i int) string) map[string]int {
	ends := map[string]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	begin := make(chan struct{})
	for i := range times {
		wg.Go(func() {
			<-begin
			end := run(i)
			mu.Lock()
			defer mu.Unlock()
			ends[end]++
		})
	}
	close(begin)
	wg.Wait()
	return ends
}

// in says in a word how something ended.
func in(err error) string {
	switch {
	case err == nil:
		return "done"
	case errors.As(err, new(*store.TooSoonError)):
		return "too soon"
	case errors.As(err, new(*store.InvalidError)):
		return "invalid"
	case errors.Is(err, store.ErrLogin):
		return "wrong"
	case errors.Is(err, store.ErrNotFound):
		return "not found"
	case errors.Is(err, store.ErrNotEmpty):
		return "not empty"
	}
	return err.Error()
}

func wantEnds(t *testing.T, got, want map[string]int) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ends (-want +got):\n%s", diff)
	}
}

func TestFiftyLoginsAtOnceGetNoMoreThanTheLimit(t *testing.T) {
	s, _ := limited(t)
	ctx := context.WithoutCancel(t.Context())
	ends := tally(50, func(int) string {
		_, err := s.Authenticate(ctx, store.Login{Email: "a@example.com", Password: "wrong password", Client: client()})
		return in(err)
	})
	wantEnds(t, ends, map[string]int{"wrong": 10, "too soon": 40})
}

func TestFiftySignUpsAtOnceGetNoMoreThanTheLimit(t *testing.T) {
	s, _ := limited(t)
	ctx, from := context.WithoutCancel(t.Context()), netip.MustParseAddr("192.0.2.1")
	ends := tally(50, func(i int) string {
		n := person(fmt.Sprintf("p%d@example.com", i))
		n.Client = from
		_, err := s.SignUp(ctx, n)
		return in(err)
	})
	wantEnds(t, ends, map[string]int{"done": 20, "too soon": 30})
}

func TestFiftySignUpsOfOneAddressAtOnceAreFiveMails(t *testing.T) {
	s, _ := limited(t)
	ctx := context.WithoutCancel(t.Context())
	ends := tally(50, func(int) string {
		n := person("a@example.com")
		n.Client = client()
		_, err := s.SignUp(ctx, n)
		return in(err)
	})
	wantEnds(t, ends, map[string]int{"done": 5, "too soon": 45})
}

func TestOfMembersWhoTakeANicknameAtOnceOneGetsIt(t *testing.T) {
	s := storetest.New(t)
	const people = 30
	ids, codes := make([]int64, people), make([]string, people)
	for i := range people {
		n := person(fmt.Sprintf("p%d@example.com", i))
		n.Nickname = "같은이름"
		ids[i] = signUp(t, s, n)
		codes[i] = send(t, s).Code
	}
	ctx := context.WithoutCancel(t.Context())
	ends := tally(people, func(i int) string {
		_, err := s.VerifyCode(ctx, ids[i], codes[i], "")
		return in(err)
	})
	wantEnds(t, ends, map[string]int{"done": 1, "invalid": people - 1})
	wantChecked(t, s)
}

// Whichever of the two comes first, an address is proven by its own mail only,
// and a member keeps the one that was proven.
func TestACorrectionAndAProofAtOnceLeaveOneOfThem(t *testing.T) {
	s := storetest.New(t)
	ctx := context.WithoutCancel(t.Context())
	for round := range 20 {
		old, corrected := fmt.Sprintf("old%d@example.com", round), fmt.Sprintf("new%d@example.com", round)
		id := signUp(t, s, person(old))
		code := send(t, s).Code
		ends := tally(2, func(i int) string {
			if i == 0 {
				return "corrected: " + in(s.CorrectEmail(ctx, store.Correction{SignupID: id, Email: corrected, Client: client()}))
			}
			u, err := s.VerifyCode(ctx, id, code, "")
			if err == nil && u.Email != old {
				t.Errorf("%s became the member %s", old, u.Email)
			}
			if errors.Is(err, store.ErrCodeWrong) {
				return "verified: wrong"
			}
			return "verified: " + in(err)
		})
		proofFirst := map[string]int{"verified: done": 1, "corrected: not found": 1}
		correctionFirst := map[string]int{"verified: wrong": 1, "corrected: done": 1}
		if !maps.Equal(ends, proofFirst) && !maps.Equal(ends, correctionFirst) {
			t.Errorf("%v", ends)
		}
		if ends["corrected: done"] == 1 {
			send(t, s)
		}
	}
	wantChecked(t, s)
}

// A mail that is handed over and a code that is typed touch the same rows.
func TestMailsAndProofsAtOnceNeitherWaitNorContradict(t *testing.T) {
	s := storetest.New(t)
	const people = 30
	ids := make([]int64, people)
	codes, jobs := make([]string, people), make([]store.Job, people)
	for i := range people {
		ids[i] = signUp(t, s, person(fmt.Sprintf("p%d@example.com", i)))
		jobs[i] = *claim(t, s)
		m, err := s.OutgoingMail(t.Context(), jobs[i])
		if err != nil {
			t.Fatal(err)
		}
		codes[i] = m.Code
	}
	ctx := context.WithoutCancel(t.Context())
	ends := tally(2*people, func(i int) string {
		if i%2 == 0 {
			return "mail " + in(s.FinishJob(ctx, jobs[i/2]))
		}
		_, err := s.VerifyCode(ctx, ids[i/2], codes[i/2], "")
		return "proof " + in(err)
	})
	wantEnds(t, ends, map[string]int{"mail done": people, "proof done": people})
	wantChecked(t, s)
}

func TestOfTwoSeedsAtOnceOneFindsTheDatabaseFilled(t *testing.T) {
	s := storetest.New(t)
	ctx := context.WithoutCancel(t.Context())
	ends := tally(2, func(int) string { return in(s.Seed(ctx, storetest.Password)) })
	wantEnds(t, ends, map[string]int{"done": 1, "not empty": 1})
	wantChecked(t, s)
}

func TestFiftyLikesAndUnlikesAtOnceAddUp(t *testing.T) {
	s := storetest.New(t)
	member, fan := storetest.Member(t, s), storetest.Member(t, s)
	post := storetest.Post(t, s, member)
	ctx := context.WithoutCancel(t.Context())
	ends := tally(50, func(i int) string {
		if i%2 == 0 {
			return in(s.Like(ctx, fan, post))
		}
		return in(s.Unlike(ctx, fan, post))
	})
	wantEnds(t, ends, map[string]int{"done": 50})
	wantChecked(t, s)
}

func TestBatchesThatMeetOnTheSameReadersCountThemOnce(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	posts := []int64{storetest.Post(t, s, author), storetest.Post(t, s, author), storetest.Post(t, s, author)}
	const batches, readers = 30, 40
	for range batches {
		var events []store.ViewEvent
		for _, post := range posts {
			for reader := range readers {
				events = append(events, store.ViewEvent{Day: 20_000, PostID: post, Viewer: store.Viewer{byte(reader)}})
			}
		}
		if err := s.AddViews(t.Context(), events); err != nil {
			t.Fatal(err)
		}
	}
	jobs := claimed(t, s, batches, store.KindViews)
	ctx := context.WithoutCancel(t.Context())
	ends := tally(len(jobs), func(i int) string { return in(s.FinishJob(ctx, jobs[i])) })
	wantEnds(t, ends, map[string]int{"done": batches})
	sums, err := s.ViewSums(t.Context())
	if want := (store.ViewSums{Posts: 3 * readers, Days: 3 * readers, Viewers: 3 * readers}); err != nil || sums != want {
		t.Errorf("%+v, %v", sums, err)
	}
}
