package postbox

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"madang/jobs"
	"madang/store"
)

func open(t *testing.T, takes time.Duration) (*Postbox, *jobs.SMTP) {
	t.Helper()
	p, err := New(t.Context(), takes)
	if err != nil {
		t.Fatal(err)
	}
	client, err := jobs.NewSMTP(jobs.SMTPOptions{URL: p.SMTP, From: "Madang <no-reply@example.com>"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, client
}

func letterTo(to, id string) jobs.Mail {
	return jobs.Mail{
		To: to, MessageID: id, Subject: "확인 mail", HTML: "<p>안녕</p>",
		Text: "안녕\n\nhttp://localhost:1/auth/verify?token=abc-def\n\n123456\n",
	}
}

func read(t *testing.T, address string) []store.MailboxMail {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var mails []store.MailboxMail
	if err := json.NewDecoder(answer.Body).Decode(&mails); err != nil {
		t.Fatal(err)
	}
	return mails
}

func TestMailsAreCountedAndCanBeRead(t *testing.T) {
	p, client := open(t, time.Millisecond)
	for _, m := range []jobs.Mail{letterTo("a@example.com", "one@x"), letterTo("b@example.com", "two@x"), letterTo("a@example.com", "one@x")} {
		if err := client.Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	if accepted, twice := p.Count(); accepted != 3 || twice != 1 {
		t.Errorf("%d accepted, %d twice; want 3, 1", accepted, twice)
	}
	mails := read(t, p.Mailbox+"?to=A@example.com")
	if len(mails) != 2 || mails[0].ID < mails[1].ID {
		t.Fatalf("mails: %+v", mails)
	}
	got := mails[0]
	want := store.MailboxMail{
		ID: 3, To: "a@example.com", Subject: "확인 mail", Text: got.Text, HTML: "<p>안녕</p>",
		Link: "http://localhost:1/auth/verify?token=abc-def", Code: "123456", At: got.At,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(read(t, p.Mailbox)) != 3 || len(read(t, p.Mailbox+"?to=c@example.com")) != 0 {
		t.Error("the list of all, or of a stranger, is wrong")
	}
}

func TestAMailIsAcceptedOnceItsTimeIsOver(t *testing.T) {
	p, client := open(t, 50*time.Millisecond)
	began := time.Now()
	if err := client.Send(t.Context(), letterTo("a@example.com", "one@x")); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took < 50*time.Millisecond {
		t.Errorf("accepted after %v", took)
	}
	if accepted, _ := p.Count(); accepted != 1 {
		t.Errorf("%d accepted", accepted)
	}
}

func TestACloseAcceptsNothingThatIsThoughtAbout(t *testing.T) {
	p, err := New(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	client, err := jobs.NewSMTP(jobs.SMTPOptions{URL: p.SMTP, From: "Madang <no-reply@example.com>"})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := client.Send(ctx, letterTo("a@example.com", "one@x")); err == nil {
		t.Error("the mail was taken")
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if accepted, _ := p.Count(); accepted != 0 {
		t.Errorf("%d accepted", accepted)
	}
}
