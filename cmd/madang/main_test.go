package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

const password = "correct horse battery staple"

func signUp(b *browser, name string) page {
	return b.post("/auth/signup",
		"email", name+"@example.com", "name", "Somebody", "nickname", name, "password", password)
}

func writePost(t *testing.T, b *browser, title, body string) string {
	t.Helper()
	form := b.get("/posts/new")
	answer := b.post("/posts", "title", title, "body", body, "form_id", form.value("input[name=form_id]"))
	return answer.redirected(t, "/posts/")
}

func logIn(t *testing.T, b *browser, name string) {
	t.Helper()
	b.post("/auth/login", "email", name+"@example.com", "password", password).redirected(t, "/")
}

// countBecomes watches the views of a post for a second, read by somebody
// whose own reading does not count.
func countBecomes(t *testing.T, author *browser, post, want string) {
	t.Helper()
	var got string
	for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); {
		if got = author.get(post).value("#views"); got == want {
			return
		}
	}
	t.Fatalf("%s views after a second, want %s", got, want)
}

func TestEndToEndMainJob(t *testing.T) {
	box := newPostbox(t, 3500*time.Millisecond)
	data := newData(t)
	site := startBoard(t, data, "--smtp-url", box.url)
	author := site.browser(t, "author")

	began := time.Now()
	signUp(author, "minsu").redirected(t, "/auth/pending")
	if took := time.Since(began); took > time.Second {
		t.Errorf("sign-up was answered after %v", took)
	}
	link := box.wait(t, "minsu@example.com").link()
	if !strings.HasPrefix(link, site.url+"/auth/verify?token=") {
		t.Fatalf("the link is %q", link)
	}
	button := author.get(link)
	if button.status != http.StatusOK || author.get("/posts/new").status == http.StatusOK {
		t.Fatalf("the link answers %d, and must not log in by itself", button.status)
	}
	author.post("/auth/verify", "token", button.value("form input[name=token]")).redirected(t, "/")

	post := writePost(t, author, "첫 글", "본문")
	for i := range 3 {
		reader := site.browser(t, fmt.Sprint("reader ", i))
		for range 2 {
			if got := reader.get(post); got.status != http.StatusOK {
				t.Fatalf("the post answers %d", got.status)
			}
		}
	}
	countBecomes(t, author, post, "3")

	if err := site.halt(); err != nil {
		t.Fatalf("serve returned: %v", err)
	}
	again := startBoard(t, data, "--smtp-url", box.url)
	author = again.browser(t, "author")
	logIn(t, author, "minsu")
	countBecomes(t, author, post, "3")
	if title := author.get(post).doc.Find("h1").First().Text(); strings.TrimSpace(title) != "첫 글" {
		t.Errorf("the title is %q after a restart", title)
	}
}

func TestEndToEndAStopLosesNoMail(t *testing.T) {
	box := newPostbox(t, 500*time.Millisecond)
	data := newData(t)
	args := []string{"--smtp-url", box.url, "--mail-workers", "1"}
	site := startBoard(t, data, args...)
	const people = 5
	for i := range people {
		signUp(site.browser(t, "b"), fmt.Sprint("person", i)).redirected(t, "/auth/pending")
	}
	if err := site.halt(); err != nil {
		t.Fatalf("serve returned: %v", err)
	}
	if last, _ := box.to(fmt.Sprintf("person%d@example.com", people-1)); len(last) > 0 {
		t.Fatal("no mail was left for the restart: the test shows nothing")
	}
	startBoard(t, data, args...)
	for i := range people {
		box.wait(t, fmt.Sprintf("person%d@example.com", i))
	}
	for i := range people {
		if got, _ := box.to(fmt.Sprintf("person%d@example.com", i)); len(got) != 1 {
			t.Errorf("person%d got %d mails", i, len(got))
		}
	}
}

func TestEndToEndCodeAndBuiltInMailbox(t *testing.T) {
	site := startBoard(t, newData(t))
	member := site.browser(t, "member")
	signUp(member, "jiwoo").redirected(t, "/auth/pending")
	var code string
	for deadline := time.Now().Add(5 * time.Second); code == "" && time.Now().Before(deadline); {
		text := member.get("/dev/mail?to=jiwoo@example.com").doc.Find("main").Text()
		code = letter{text: text}.code()
	}
	member.post("/auth/verify/code", "code", code).redirected(t, "/")
	if got := member.get("/posts/new").status; got != http.StatusOK {
		t.Errorf("after the code the form for a new post answers %d", got)
	}
}

func TestEndToEndSecondServeOfAFileIsRefused(t *testing.T) {
	storetest.SQLiteOnly(t)
	data := newData(t)
	site := startBoard(t, data)
	said, err := runCommand(t, "", serveArgs(data)...)
	if err == nil || !strings.Contains(err.Error(), "already runs") || said != "" {
		t.Errorf("the second serve: %v, said %q", err, said)
	}
	if got := site.browser(t, "b").get("/readyz").status; got != http.StatusOK {
		t.Errorf("the first serve answers %d", got)
	}
}

func TestEndToEndSecondServeOfAFileIsRefusedThroughALink(t *testing.T) {
	storetest.SQLiteOnly(t)
	data := newData(t)
	startBoard(t, data)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(filepath.Join(data, store.FileName), link); err != nil {
		t.Fatal(err)
	}
	if _, err := runCommand(t, "", append(serveArgs(data), "--database", link)...); !errors.Is(err, errServed) {
		t.Errorf("the second serve: %v", err)
	}
	_, err := runCommand(t, "", "migrate", "copy", "--from", link, "--to", "postgres://127.0.0.1:1/none")
	if err == nil || !strings.Contains(err.Error(), "a madang serve runs on") {
		t.Errorf("a copy: %v", err)
	}
}

func TestEndToEndAdministrator(t *testing.T) {
	data := newData(t)
	site := startBoard(t, data)
	args := []string{"admin", "create", "--data", data, "--email", "chief@example.com", "--nickname", "chief", "--name", "Chief"}
	if _, err := runCommand(t, password+"\n", args...); err != nil {
		t.Fatal(err)
	}
	chief := site.browser(t, "chief")
	logIn(t, chief, "chief")
	if got := chief.get("/admin").status; got != http.StatusOK {
		t.Errorf("/admin answers %d", got)
	}
	if _, err := runCommand(t, password+"\n", args...); err == nil || !strings.Contains(err.Error(), "taken") {
		t.Errorf("the same administrator again: %v", err)
	}
	if _, err := runCommand(t, "short\n", args...); err == nil || !strings.Contains(err.Error(), "15 to 128") {
		t.Errorf("a short password: %v", err)
	}
}

func TestEndToEndKey(t *testing.T) {
	data := newData(t)
	if err := startBoard(t, data).halt(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(data); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("data directory: %v, %v", info.Mode(), err)
	}
	_, err := runCommand(t, "", serveArgs(data, "--secret", secretB)...)
	if err == nil || !strings.Contains(err.Error(), "key") {
		t.Errorf("another key: %v", err)
	}
	if err := os.Remove(filepath.Join(data, "secret.key")); err != nil {
		t.Fatal(err)
	}
	_, err = runCommand(t, "", serveArgs(data)...)
	if err == nil || !strings.Contains(err.Error(), "secret.key") {
		t.Errorf("no key beside a database: %v", err)
	}
	if storetest.OnPostgres() {
		return
	}
	elsewhere := newData(t)
	_, err = runCommand(t, "", serveArgs(elsewhere, "--database", filepath.Join(data, "madang.db"))...)
	if err == nil || !strings.Contains(err.Error(), "secret.key") {
		t.Errorf("no key for a database in another place: %v", err)
	}
	if _, err := os.Stat(filepath.Join(elsewhere, "secret.key")); err == nil {
		t.Error("a key was made for a database that has another")
	}
}

func TestEndToEndSeed(t *testing.T) {
	data := newData(t)
	said, err := runCommand(t, "", "seed", "--data", data)
	if err != nil || !strings.Contains(said, "@") {
		t.Fatalf("seed: %v, said %q", err, said)
	}
	if _, err := runCommand(t, "", "seed", "--data", data); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("seed again: %v", err)
	}
	site := startBoard(t, data)
	if got := site.browser(t, "b").get("/").doc.Find("article[data-post-id]").Length(); got < 10 {
		t.Errorf("the list shows %d posts", got)
	}
}
