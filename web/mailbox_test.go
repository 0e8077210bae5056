package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/store"
)

var asJSON = []string{"Accept", "application/json"}

func TestMailboxInJSON(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	if got := strings.TrimSpace(c.get("/dev/mail", asJSON...).wants(http.StatusOK).body); got != "[]" {
		t.Errorf("an empty mailbox is %s", got)
	}
	mail := store.MailboxMail{
		To: "a@example.com", Subject: "제목", Text: "text", HTML: "<p>text</p>", Link: "http://x/", Code: "012345",
		At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	}
	for _, to := range []string{"a@example.com", "b@example.com"} {
		mail.To = to
		if err := b.store.AddMail(t.Context(), mail); err != nil {
			t.Fatal(err)
		}
	}
	var mails []store.MailboxMail
	a := c.get("/dev/mail?to=a@example.com", asJSON...).wants(http.StatusOK)
	if err := json.Unmarshal([]byte(a.body), &mails); err != nil || len(mails) != 1 || mails[0].To != "a@example.com" {
		t.Fatalf("%v: %s", err, a.body)
	}
	var one store.MailboxMail
	a = c.get(fmt.Sprintf("/dev/mail/%d", mails[0].ID), asJSON...).wants(http.StatusOK)
	if err := json.Unmarshal([]byte(a.body), &one); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(mails[0], one); diff != "" {
		t.Errorf("the mail alone differs:\n%s", diff)
	}
	c.get("/dev/mail").wants(http.StatusOK).has("제목")
	c.get(fmt.Sprintf("/dev/mail/%d", one.ID)).wants(http.StatusOK).has("012345")
	c.get("/dev/mail/99").wants(http.StatusNotFound)
	c.get("/dev/mail?to=%ff%00").wants(http.StatusOK)
}

func TestMailboxIsClosedBesideAMailServer(t *testing.T) {
	b := newBoard(t, func(b *board) { b.options.Site.DevMail = false })
	b.guest().get("/dev/mail").wants(http.StatusNotFound)
	b.guest().get("/dev/mail/1", asJSON...).wants(http.StatusNotFound)
}

func TestMailboxAnswersToItsOwnNamesOnly(t *testing.T) {
	b := newBoard(t)
	for host, want := range map[string]int{
		"localhost:8080": 200, "LOCALHOST": 200, "127.0.0.1": 200, "127.9.9.9:1": 200, "[::1]:8080": 200, "[::1]": 200,
		"evil.test": 404, "evil.test:8080": 404, "127.0.0.1.evil.test": 404, "localhost.evil.test": 404, "192.0.2.1": 404,
	} {
		b.guest().get("/dev/mail", "Host", host).wants(want)
	}
}
