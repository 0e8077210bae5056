package web

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store/storetest"
)

// heard is what a board told of its answers.
type heard struct {
	mu        sync.Mutex
	answers   []string
	uncounted int
}

// by makes a board tell.
func (h *heard) by(b *board) {
	b.options.Watch = Watch{
		Answered: func(method, route string, status int, took time.Duration) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.answers = append(h.answers, fmt.Sprint(method, " ", route, " ", status, " ", took > 0))
		},
		Uncounted: func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.uncounted++
		},
	}
}

// all is what was told so far; an answer may reach its reader a moment before.
func (h *heard) all(t *testing.T, n int) []string {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); {
		h.mu.Lock()
		answers := slices.Clone(h.answers)
		h.mu.Unlock()
		if len(answers) >= n {
			return answers
		}
	}
	t.Fatalf("heard of %v, want %d answers", h.answers, n)
	return nil
}

func TestWhoWatchesHearsOfRoutesAndNotOfAddresses(t *testing.T) {
	var h heard
	b := newBoard(t, under("/board"), h.by)
	post := fmt.Sprint("/posts/", storetest.Post(t, b.store, storetest.Member(t, b.store)))
	c := b.guest()
	c.get(post).wants(http.StatusOK)
	c.get("/posts/nonsense?token=secret").wants(http.StatusNotFound)
	c.get("/no/such/page").wants(http.StatusNotFound)
	c.get("/static/none.css").wants(http.StatusNotFound)
	c.get("/").wants(http.StatusOK)
	c.get("/healthz").wants(http.StatusOK)
	root := b.guest()
	root.base = b.listener
	root.get("/board").wants(http.StatusSeeOther)
	want := []string{
		"GET /posts/:id 200 true", "GET /posts/:id 404 true", "GET other 404 true", "GET /static/* 404 true",
		"GET / 200 true", "GET /healthz 200 true", "GET / 303 true",
	}
	if diff := cmp.Diff(want, h.all(t, len(want))); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if h.uncounted != 0 {
		t.Errorf("%d readings were not counted", h.uncounted)
	}
}

func TestWhoWatchesHearsOfReadingsThatWereNotCounted(t *testing.T) {
	var h heard
	b := newBoard(t, h.by)
	post := fmt.Sprint("/posts/", storetest.Post(t, b.store, storetest.Member(t, b.store)))
	b.views.fail = errors.New("disk full")
	b.guest().get(post).wants(http.StatusOK)
	if h.all(t, 1); h.uncounted != 1 {
		t.Errorf("heard of %d readings, want one", h.uncounted)
	}
}
