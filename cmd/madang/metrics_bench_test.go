package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"madang/jobs"
	"madang/store"
	"madang/store/storetest"
	"madang/views"
	"madang/web"
)

// atOnceRecorder takes readings and waits for nothing.
type atOnceRecorder struct{}

func (atOnceRecorder) Record(store.ViewEvent) func(context.Context) error {
	return func(context.Context) error { return nil }
}

// BenchmarkCountedPostPage is the page of a post for a guest, while nobody is
// told of answers and while they are counted. The two are measured in turns: on
// a machine that has other work they drift together.
func BenchmarkCountedPostPage(b *testing.B) {
	db := storetest.New(b)
	page := fmt.Sprint("/posts/", storetest.Post(b, db, storetest.Member(b, db)))
	at := address{"127.0.0.1", "0"}
	handlers := map[bool]http.Handler{}
	for _, counted := range []bool{false, true} {
		var m *metrics
		if counted {
			m = (&serveCmd{MetricsAddr: at}).newMetrics()
		}
		handlers[counted] = pagesOf(b, db, m.watchWeb())
	}
	spent := map[bool]time.Duration{}
	for i := range b.N {
		for _, counted := range []bool{i%2 == 0, i%2 != 0} {
			began := time.Now()
			askPage(b, handlers[counted], page)
			spent[counted] += time.Since(began)
		}
	}
	b.ReportMetric(float64(spent[false].Nanoseconds())/float64(b.N), "ns/plain")
	b.ReportMetric(float64(spent[true].Nanoseconds())/float64(b.N), "ns/counted")
	b.ReportMetric(float64(spent[true])/float64(spent[false]), "ratio")
}

// BenchmarkCountAnAnswer is the counting alone.
func BenchmarkCountAnAnswer(b *testing.B) {
	c := newCounters()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			c.answered(http.MethodGet, "/posts/:id", http.StatusOK, time.Millisecond)
		}
	})
}

func pagesOf(b *testing.B, db *store.Store, watch web.Watch) http.Handler {
	b.Helper()
	figures, err := jobs.NewFigures(time.Now)
	if err != nil {
		b.Fatal(err)
	}
	server, err := web.New(web.Options{
		Store: db, Views: atOnceRecorder{}, Pools: figures, Log: slog.New(slog.DiscardHandler), Now: time.Now, Watch: watch,
		Site: views.Site{Name: siteName, BaseURL: "http://127.0.0.1", Zone: time.UTC},
	})
	if err != nil {
		b.Fatal(err)
	}
	return server.Handler()
}

func askPage(b *testing.B, h http.Handler, page string) {
	r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, page, nil)
	r.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		b.Fatalf("status %d", w.Code)
	}
}
