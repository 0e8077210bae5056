package store_test

import (
	"bytes"
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func client() netip.Addr { return netip.MustParseAddr("192.0.2.1") }

func keep(t *testing.T, s *store.Store, owner string, k store.KeptText) {
	t.Helper()
	if err := s.KeepText(t.Context(), owner, client(), k); err != nil {
		t.Fatal(err)
	}
}

func TestTextIsKeptForAnHour(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now})
	text := store.KeptText{Path: "/posts/7", Title: "제목", Body: "a\nb", FormID: "form", Parent: 3}
	keep(t, s, "owner", text)
	clock.Advance(time.Hour - time.Millisecond)
	got, err := s.KeptText(t.Context(), "owner", "/posts/7", 5)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, got); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	for name, ask := range map[string][2]string{"stranger": {"other", "/posts/7"}, "other form": {"owner", "/posts/new"}} {
		if _, err := s.KeptText(t.Context(), ask[0], ask[1], 5); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	clock.Advance(time.Millisecond)
	if _, err := s.KeptText(t.Context(), "owner", "/posts/7", 5); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("after an hour: %v", err)
	}
}

func TestNewestTextOfAnOwnerIsKept(t *testing.T) {
	s := storetest.New(t)
	keep(t, s, "owner", store.KeptText{Path: "/posts/new", Body: "first"})
	keep(t, s, "owner", store.KeptText{Path: "/posts/new", Body: "second"})
	keep(t, s, "other", store.KeptText{Path: "/posts/new", Body: "not mine"})
	if k, err := s.KeptText(t.Context(), "owner", "/posts/new", 5); k.Body != "second" || err != nil {
		t.Errorf("kept %q, %v", k.Body, err)
	}
	if err := s.DropKeptText(t.Context(), "owner"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.KeptText(t.Context(), "owner", "/posts/new", 5); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("dropped: %v", err)
	}
	if n := count(t, s, `SELECT COUNT(*) FROM kept_texts`); n != 1 {
		t.Errorf("%d rows, want the other's", n)
	}
}

func TestClientKeepsSoManyTextsAnHour(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now})
	for range 20 {
		keep(t, s, "owner", store.KeptText{Path: "/posts/new", Body: "text"})
	}
	err := s.KeepText(t.Context(), "another", client(), store.KeptText{Body: "text"})
	if soon, ok := errors.AsType[*store.TooSoonError](err); !ok || soon.Wait != time.Hour {
		t.Errorf("the 21st: %v", err)
	}
	if err := s.KeepText(t.Context(), "owner", netip.MustParseAddr("192.0.2.2"), store.KeptText{Body: "text"}); err != nil {
		t.Errorf("another client: %v", err)
	}
	clock.Advance(time.Hour)
	keep(t, s, "another", store.KeptText{Body: "text"})
}

func TestWhatNoFormSendsIsNotKept(t *testing.T) {
	s := storetest.New(t)
	for name, body := range map[string]string{
		"too long": strings.Repeat("a", 256<<10+1), "NUL": "a\x00b", "invalid UTF-8": "\xff",
	} {
		keep(t, s, name, store.KeptText{Path: "/posts/new", Body: body})
	}
	if n := count(t, s, `SELECT COUNT(*) FROM kept_texts`); n != 0 {
		t.Errorf("%d texts kept", n)
	}
	// A post that is too long comes back too, to be shortened.
	keep(t, s, "owner", store.KeptText{Path: "/posts/new", Body: strings.Repeat("가", 60_000)})
	if k, err := s.KeptText(t.Context(), "owner", "/posts/new", 5); len(k.Body) != 180_000 || err != nil {
		t.Errorf("%d bytes kept, %v", len(k.Body), err)
	}
}

func TestOwnerStandsInTheDatabaseOnlyHashed(t *testing.T) {
	s := storetest.New(t)
	keep(t, s, "owner-of-the-text", store.KeptText{Path: "/posts/new", Body: "text"})
	var owner []byte
	if err := s.Readers().QueryRowContext(t.Context(), `SELECT owner FROM kept_texts`).Scan(&owner); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(owner, []byte("owner")) || len(owner) != 32 {
		t.Errorf("owner is %q", owner)
	}
}
