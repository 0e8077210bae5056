package main

import (
	"strings"
	"testing"
)

func TestEndToEndATestMailGoesOut(t *testing.T) {
	box := newRefusingPostbox(t)
	var out strings.Builder
	environ := []string{"MADANG_SMTP_URL=" + box.url, "MADANG_MAIL_FROM=Board <board@example.org>", "MADANG_BASE_URL=https://example.org/board"}
	if err := run(t.Context(), []string{"mail", "test", "me@example.com"}, environ, streams{out: &out, err: &out}); err != nil {
		t.Fatal(err, out.String())
	}
	want := []string{"connection ok", "TLS -", "login -", "sender ok board@example.org", "recipient ok me@example.com", "handed over ok"}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != len(want) {
		t.Fatalf("said:\n%s", out.String())
	}
	for i, line := range lines {
		if got := strings.Join(strings.Fields(line), " "); !strings.HasPrefix(got, want[i]) {
			t.Errorf("said %q, want %q", got, want[i])
		}
	}
	if text := box.wait(t, "me@example.com").text; !strings.Contains(text, "https://example.org/board/") {
		t.Errorf("the mail says %q", text)
	}
}

func TestATestMailThatIsRefusedSaysWhere(t *testing.T) {
	box := newRefusingPostbox(t)
	said, err := runCommand(t, "", "mail", "test", "bad@example.com", "--smtp-url", box.url)
	if err == nil || !strings.Contains(err.Error(), "the server does not take mail for this address") || strings.ContainsAny(err.Error(), "\r\n") {
		t.Errorf("%v", err)
	}
	if !strings.Contains(said, "FAILED") || !strings.Contains(said, "<b>nobody</b> of that name") || strings.Contains(said, "handed over") {
		t.Errorf("said:\n%s", said)
	}
}

func TestATestMailWithoutAServerIsInTheMailbox(t *testing.T) {
	data := newData(t)
	site := startBoard(t, data)
	said, err := runCommand(t, "", "mail", "test", "me@example.com", "--data", data)
	if err != nil || !strings.Contains(said, "built-in mailbox") {
		t.Errorf("%q, %v", said, err)
	}
	if got := site.browser(t, "b").get("/dev/mail?to=me@example.com").doc.Find("article.mail").Length(); got != 1 {
		t.Errorf("%d mails are in the mailbox", got)
	}
	for _, address := range []string{"nobody", "a@b@c", `"x y"@example.com`, ""} {
		if said, err := runCommand(t, "", "mail", "test", address, "--data", data); err == nil || said != "" || !strings.Contains(err.Error(), "must be a plain address") {
			t.Errorf("%q: %q, %v", address, said, err)
		}
	}
}
