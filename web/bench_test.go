package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
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

// BenchmarkPostPage is the page of a post without the wait for its view, to a
// guest and to a member.
func BenchmarkPostPage(b *testing.B) {
	s := storetest.New(b)
	reader := storetest.Member(b, s)
	page := postPath(storetest.Post(b, s, storetest.Member(b, s)))
	benchmarkPage(b, s, reader, page)
}

// BenchmarkListPage is the first page of the list.
func BenchmarkListPage(b *testing.B) {
	s := storetest.New(b)
	reader, author := storetest.Member(b, s), storetest.Member(b, s)
	for range pageSize {
		storetest.Post(b, s, author)
	}
	benchmarkPage(b, s, reader, "/")
}

func benchmarkPage(b *testing.B, s *store.Store, member store.User, page string) {
	b.Helper()
	server, err := New(Options{
		Store: s, Views: free{}, Pools: &pools{}, Now: time.Now,
		Site: views.Site{Name: "Madang", BaseURL: "http://127.0.0.1", Zone: time.UTC},
		Log:  slog.New(slog.NewJSONHandler(&nowhere{}, nil)),
	})
	if err != nil {
		b.Fatal(err)
	}
	for who, session := range map[string][]*http.Cookie{"guest": nil, "member": sessionOf(b, server, member)} {
		b.Run(who, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					r := httptest.NewRequestWithContext(b.Context(), http.MethodGet, page, nil)
					r.Header.Set("User-Agent", browserAgent)
					for _, c := range session {
						r.AddCookie(c)
					}
					w := httptest.NewRecorder()
					server.Handler().ServeHTTP(w, r)
					if w.Code != http.StatusOK {
						b.Fatalf("status %d", w.Code)
					}
				}
			})
		})
	}
}

// sessionOf logs a member in.
func sessionOf(b *testing.B, server *Server, u store.User) []*http.Cookie {
	b.Helper()
	form := url.Values{"email": {u.Email}, "password": {storetest.Password}}
	r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/auth/login", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	server.Handler().ServeHTTP(w, r)
	if w.Code != http.StatusSeeOther {
		b.Fatalf("login: %d", w.Code)
	}
	return w.Result().Cookies()
}
