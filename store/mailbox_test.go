package store_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
	"madang/store/storetest"
)

func TestMailboxIsReadNewestFirst(t *testing.T) {
	clock := storetest.NewClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))
	s := storetest.Open(t, store.Options{Now: clock.Now})
	mails := []store.MailboxMail{
		{ID: 1, To: "a@example.com", Subject: "가입", Text: "t", HTML: "<p>t", Link: "http://x/", Code: "012345", At: clock.Now()},
		{ID: 2, To: "Me@xn--bcher-kva.example", Subject: "s", Text: "t", HTML: "h", At: clock.Now()},
		{ID: 3, To: "a@example.com", Subject: "again", Text: "t", HTML: "h", At: clock.Now()},
	}
	for _, m := range mails {
		if err := s.AddMail(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		to    string
		limit int
		want  []store.MailboxMail
	}{
		{"", 10, []store.MailboxMail{mails[2], mails[1], mails[0]}},
		{"", 2, []store.MailboxMail{mails[2], mails[1]}},
		{"A@Example.COM", 10, []store.MailboxMail{mails[2], mails[0]}},
		{"me@bücher.example", 10, []store.MailboxMail{mails[1]}},
		{"nobody@example.com", 10, []store.MailboxMail{}},
		{"no address", 10, []store.MailboxMail{}},
	} {
		got, err := s.Mailbox(t.Context(), c.to, c.limit)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("to %q (-want +got):\n%s", c.to, diff)
		}
	}
	if one, err := s.MailByID(t.Context(), 1); err != nil || one != mails[0] {
		t.Errorf("mail 1: %+v, %v", one, err)
	}
	if _, err := s.MailByID(t.Context(), 4); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("unknown mail: %v", err)
	}
}

func TestMailIsPlainJSON(t *testing.T) {
	m := store.MailboxMail{ID: 7, To: "a@example.com", At: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":7,"to":"a@example.com","subject":"","text":"","html":"","link":"","code":"","at":"2026-05-01T12:00:00Z"}`
	if got := strings.TrimSpace(string(raw)); got != want {
		t.Errorf("JSON is\n%s\nwant\n%s", got, want)
	}
}
