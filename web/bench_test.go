package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
	"madang/views"
)

// free takes events and waits for nothing.
type free struct{}

func (free) Record(store.ViewEvent) func(context.Context) error {
	return func(context.Context) error { return nil }
}

// nowhere takes a log that is encoded as in earnest.
type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }

// BenchmarkPostPage is the page of a guest without the wait for its view.
func BenchmarkPostPage(b *testing.B) {
	s := storetest.New(b)
	page := postPath(storetest.Post(b, s, storetest.Member(b, s)))
	server, err := New(Options{
		Store: s, Views: free{}, Pools: &pools{}, Now: time.Now,
		Site: views.Site{Name: "Madang", BaseURL: "http://127.0.0.1", Zone: time.UTC},
		Log:  slog.New(slog.NewJSONHandler(&nowhere{}, nil)),
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, page, nil)
			r.Header.Set("User-Agent", browserAgent)
			w := httptest.NewRecorder()
			server.Handler().ServeHTTP(w, r)
			if w.Code != http.StatusOK {
				b.Fatalf("status %d", w.Code)
			}
		}
	})
}
