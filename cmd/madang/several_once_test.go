package main

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// member signs somebody up at one process and proves the address at another by
// the code of the mail.
func (v *several) member(name string) *browser {
	v.t.Helper()
	b := v.browser(name)
	signUp(b, name).redirected(v.t, "/auth/pending")
	there := b.at(v.each[1])
	there.post("/auth/verify/code", "code", v.letter(name).code()).redirected(v.t, "/")
	return b
}

// letter is the first mail to somebody, once it is there.
func (v *several) letter(name string) letter {
	v.t.Helper()
	address := name + "@example.com"
	v.each[0].wait(5*time.Second*slower, "no mail came to "+address, func() bool { return len(v.sink.to(address)) > 0 })
	return v.sink.to(address)[0].letter()
}

// inside reports whether a browser is logged in.
func (b *browser) inside() bool { return b.get("/posts/new").status == http.StatusOK }

func TestSeveralShareSessionsAndSignUps(t *testing.T) {
	v := newSeveral(t, 2)
	v.start()
	here := v.member("somebody") // by the code
	there := here.at(v.each[1])
	if !here.inside() || !there.inside() {
		t.Fatalf("logged in: %v here, %v there", here.inside(), there.inside())
	}
	there.post("/auth/logout").redirected(t, "/")
	if here.inside() || there.inside() {
		t.Errorf("after the logout there: logged in here %v, there %v", here.inside(), there.inside())
	}
	logIn(t, here, "somebody")
	if !there.inside() {
		t.Error("a login here is none there")
	}
	v.provenElsewhere("linked")
}

// provenElsewhere signs up at one process and presses the button of the link at
// the other, in the same browser.
func (v *several) provenElsewhere(name string) {
	v.t.Helper()
	here := v.browser(name)
	signUp(here, name).redirected(v.t, "/auth/pending")
	link, err := url.Parse(v.letter(name).link())
	if err != nil {
		v.t.Fatal(err)
	}
	there := here.at(v.each[1])
	button := there.get(link.RequestURI())
	there.post("/auth/verify", "token", button.value("form input[name=token]")).redirected(v.t, "/")
	if !here.inside() || !there.inside() {
		v.t.Errorf("after the link: logged in here %v, there %v", here.inside(), there.inside())
	}
}

func TestSeveralShareLimits(t *testing.T) {
	v := newSeveral(t, 2, "--rate-limits", "on")
	v.start()
	v.member("victim")
	const allowed = 10 // failed logins of an account
	attacker := v.browser("attacker")
	try := func(i int, password string) int {
		return attacker.at(v.each[i%2]).post("/auth/login", "email", "victim@example.com", "password", password).status
	}
	for i := range allowed {
		if status := try(i, "not the password"); status != http.StatusUnprocessableEntity {
			t.Fatalf("failed login %d is answered %d", i+1, status)
		}
	}
	for i := range v.each {
		if status := try(i, password); status != http.StatusTooManyRequests {
			t.Errorf("after %d failed logins at both, process %d answers %d", allowed, i, status)
		}
	}
}

func TestSeveralCountAReaderOnce(t *testing.T) {
	v := newSeveral(t, 2)
	l := v.loads(crowd{writers: 1})[0]
	v.start()
	reader := v.browser("reader")
	post := postAt(l.posts[0].id)
	for i := range 6 {
		if status := reader.at(v.each[i%2]).get(post).status; status != http.StatusOK {
			t.Fatalf("the post is answered %d", status)
		}
	}
	v.each[0].settle(5 * time.Second * slower)
	if sum := v.rows(`SELECT SUM(views) FROM posts`)[0][0]; sum != "1" {
		t.Errorf("one reader of two processes counts as %s views", sum)
	}
	if keys := v.rows(`SELECT day FROM view_keys`); len(keys) > 2 { // two at midnight
		t.Errorf("%d keys of a day", len(keys))
	}
	v.stop()
}

func TestSeveralAnotherSecretIsRefused(t *testing.T) {
	v := newSeveral(t, 2)
	v.each[0].start()
	s := v.each[1]
	for name, env := range map[string][]string{
		"another secret": {"MADANG_DATABASE=" + v.url, "MADANG_SECRET=" + secretB},
		"no secret":      {"MADANG_DATABASE=" + v.url},
	} {
		p, said := launch(t, s.log, s.data, env, s.args...)
		if p.ready(said) {
			t.Errorf("%s: it serves", name)
			p.kill()
		}
		<-p.ended
	}
	for _, words := range []string{store.ErrKeyMismatch.Error(), store.ErrKeyMissing.Error()} {
		if lines := s.logged(words); len(lines) != 1 {
			t.Errorf("%q is said in %d lines", words, len(lines))
		}
	}
	text, err := os.ReadFile(s.log.Name())
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n != 2 || strings.Contains(string(text), storetest.ServerPassword) {
		t.Errorf("two refused starts said %d lines:\n%s", n, text)
	}
	if _, err := os.Stat(filepath.Join(s.data, "secret.key")); err == nil {
		t.Error("a key was made for a database that has another")
	}
}
