package store_test

import (
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func event(t *testing.T, s *store.Store, post, user int64, client, agent string) store.ViewEvent {
	t.Helper()
	e, err := s.ViewEvent(t.Context(), post, user, netip.MustParseAddr(client), agent)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// apply works off all waiting batches.
func apply(t *testing.T, s *store.Store) {
	t.Helper()
	jobs, err := s.ClaimJobs(t.Context(), []string{store.KindViews}, 100, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs {
		if err := s.FinishJob(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
}

func views(t *testing.T, s *store.Store, post int64) int64 {
	t.Helper()
	p, err := s.PostByID(t.Context(), post)
	if err != nil {
		t.Fatal(err)
	}
	return p.Views
}

func TestReaderCountsOnceADay(t *testing.T) {
	seoul, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		t.Fatal(err)
	}
	clock := storetest.NewClock(time.Date(2026, 5, 1, 23, 59, 59, 0, seoul))
	s := storetest.Open(t, store.Options{Now: clock.Now, Zone: seoul})
	post := storetest.Post(t, s, storetest.Member(t, s))
	read := func(events ...store.ViewEvent) {
		if err := s.AddViews(t.Context(), events); err != nil {
			t.Fatal(err)
		}
		apply(t, s)
	}
	one := event(t, s, post, 0, "192.0.2.1", "Firefox")
	read(one, one, one)
	read(one)
	if got := views(t, s, post); got != 1 {
		t.Errorf("%d views of one reader", got)
	}
	clock.Advance(time.Second) // midnight in Seoul, afternoon in UTC
	read(event(t, s, post, 0, "192.0.2.1", "Firefox"))
	if got := views(t, s, post); got != 2 {
		t.Errorf("%d views over two days", got)
	}
	read(one) // an event of yesterday that was late
	if got := views(t, s, post); got != 2 {
		t.Errorf("%d views after a late event", got)
	}
}

func TestViewersAreToldApart(t *testing.T) {
	s := storetest.New(t)
	base := event(t, s, 1, 0, "2001:db8::1", "Firefox")
	for name, c := range map[string]struct {
		other store.ViewEvent
		same  bool
	}{
		"the same again":            {event(t, s, 1, 0, "2001:db8::1", "Firefox"), true},
		"the same /64":              {event(t, s, 1, 0, "2001:db8::2", "Firefox"), true},
		"another network":           {event(t, s, 1, 0, "2001:db8:0:1::1", "Firefox"), false},
		"another browser":           {event(t, s, 1, 0, "2001:db8::1", "Chrome"), false},
		"a member":                  {event(t, s, 1, 7, "2001:db8::1", "Firefox"), false},
		"another post, same hash":   {event(t, s, 2, 0, "2001:db8::1", "Firefox"), true},
		"an IPv4 client mapped":     {event(t, s, 1, 0, "::ffff:192.0.2.1", "Firefox"), false},
		"a member from elsewhere":   {event(t, s, 1, 7, "192.0.2.1", "Chrome"), false},
		"a name made to look alike": {event(t, s, 1, 0, "2001:db8::1", "Firefox\x00"), false},
	} {
		if got := base.Viewer == c.other.Viewer; got != c.same {
			t.Errorf("%s: same viewer is %t", name, got)
		}
	}
	if event(t, s, 1, 7, "192.0.2.1", "a").Viewer != event(t, s, 1, 7, "192.0.2.2", "b").Viewer {
		t.Error("a member is two viewers in two browsers")
	}
	if event(t, s, 1, 0, "::ffff:192.0.2.1", "a").Viewer != event(t, s, 1, 0, "192.0.2.1", "a").Viewer {
		t.Error("an IPv4 client is two viewers")
	}
}

func TestManyReadersAreCountedExactly(t *testing.T) {
	s := storetest.New(t)
	author := storetest.Member(t, s)
	posts := []int64{storetest.Post(t, s, author), storetest.Post(t, s, author)}
	var events []store.ViewEvent
	for reload := range 3 {
		for reader := range 700 { // more than one statement takes
			post := posts[(reader+reload)%2]
			events = append(events, event(t, s, post, 0, "192.0.2.1", fmt.Sprint("agent ", reader)))
		}
	}
	events = append(events, event(t, s, 999, 0, "192.0.2.1", "a post that does not exist"))
	for start := 0; start < len(events); start += 1000 {
		if err := s.AddViews(t.Context(), events[start:min(start+1000, len(events))]); err != nil {
			t.Fatal(err)
		}
	}
	apply(t, s)
	for _, post := range posts {
		if got := views(t, s, post); got != 700 {
			t.Errorf("post %d has %d views, want 700", post, got)
		}
	}
	if got := states(t, s); got[store.Done] != 1 || len(got) != 1 { // the author's mail
		t.Errorf("jobs left: %v", got)
	}
}

// The first readings of a day make its key, and processes meet there.
func TestAReaderOfTwoProcessesCountsOnceFromTheFirstMomentOfADay(t *testing.T) {
	const days = 20
	clock := storetest.NewClock(time.Date(2026, 5, 1, 23, 59, 59, 0, time.UTC))
	o := store.Options{Database: storetest.PostgresOnce(t).Database(t), Key: store.Key{1}, Now: clock.Now}
	stores := []*store.Store{storetest.Open(t, o), storetest.Open(t, o)}
	post := storetest.Post(t, stores[0], storetest.Member(t, stores[0]))
	for range days {
		var reading sync.WaitGroup
		for _, s := range stores {
			reading.Go(func() {
				e, err := s.ViewEvent(t.Context(), post, 0, netip.MustParseAddr("192.0.2.7"), "known")
				if err == nil {
					err = s.AddViews(t.Context(), []store.ViewEvent{e})
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		reading.Wait()
		clock.Advance(24 * time.Hour)
	}
	apply(t, stores[0])
	sums, err := stores[1].ViewSums(t.Context())
	if want := (store.ViewSums{Posts: days, Days: days, Viewers: days}); err != nil || sums != want {
		t.Errorf("%+v, %v", sums, err)
	}
}
