package store_test

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

func BenchmarkViewEvent(b *testing.B) {
	s := storetest.New(b)
	client := netip.MustParseAddr("2001:db8::1")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.ViewEvent(b.Context(), 1, 0, client, "Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBatchOfViews is the whole way of 1,000 events of one post, whose
// readers have all been there before.
func BenchmarkBatchOfViews(b *testing.B) {
	s := storetest.New(b)
	post := storetest.Post(b, s, storetest.Member(b, s))
	events := make([]store.ViewEvent, 1000)
	for i := range events {
		events[i] = store.ViewEvent{Day: 20_000, PostID: post}
		binary.LittleEndian.PutUint64(events[i].Viewer[:], uint64(i)*0x9e3779b97f4a7c15) // scattered as hashes are
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := s.AddViews(b.Context(), events); err != nil {
			b.Fatal(err)
		}
		jobs, err := s.ClaimJobs(b.Context(), []string{store.KindViews}, 1, time.Minute)
		if err != nil || len(jobs) != 1 {
			b.Fatal(jobs, err)
		}
		if err := s.FinishJob(b.Context(), jobs[0]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(events)), "ns/event")
}
