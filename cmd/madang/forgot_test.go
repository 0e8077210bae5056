package main

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// nth returns the mail to an address that came as number n, from 0, once it is
// there.
func (p *postbox) nth(t *testing.T, address string, n int) letter {
	t.Helper()
	limit := time.After(20 * time.Second)
	for {
		found, next := p.to(address)
		if len(found) > n {
			return found[n]
		}
		select {
		case <-next:
		case <-limit:
			t.Fatalf("%d mails to %s, waited for one more", len(found), address)
		}
	}
}

// A mail server that takes its time: nobody waits for it, whether the address
// has a member or not.
func TestEndToEndForgottenPassword(t *testing.T) {
	const slow = 2 * time.Second
	box := newPostbox(t, slow)
	site := startBoard(t, newData(t), "--smtp-url", box.url, "--rate-limits", "off")
	member := site.browser(t, "member")
	signUp(member, "minsu").redirected(t, "/auth/pending")
	button := member.get(box.wait(t, "minsu@example.com").link())
	member.post("/auth/verify", "token", button.value("form input[name=token]")).redirected(t, "/")

	guest := site.browser(t, "guest")
	for _, address := range []string{"minsu@example.com", "nobody@example.com"} {
		began := time.Now()
		guest.post("/auth/forgot", "email", address).redirected(t, "/auth/forgot/sent")
		if took := time.Since(began); took > slow/2 {
			t.Errorf("%s was answered after %v", address, took)
		}
	}
	link := box.nth(t, "minsu@example.com", 1).link()
	if !strings.HasPrefix(link, site.url+"/auth/reset?token=") {
		t.Fatalf("the link is %q", link)
	}
	token := guest.get(link).value("form input[name=token]")
	guest.post("/auth/reset", "token", token, "password", "another horse battery").redirected(t, "/auth/login")
	if guest.get("/posts/new").status == http.StatusOK || member.get("/posts/new").status == http.StatusOK {
		t.Error("somebody is logged in after the reset")
	}
	if told := box.nth(t, "minsu@example.com", 2); !strings.Contains(told.text, site.url+"/auth/forgot") || told.link() != "" {
		t.Errorf("the owner is told:\n%s", told.text)
	}
	guest.post("/auth/login", "email", "minsu@example.com", "password", "another horse battery").redirected(t, "/")
	if got, _ := box.to("nobody@example.com"); len(got) != 0 {
		t.Errorf("nobody got %d mails", len(got))
	}
}

func TestAnAdministratorWithACommonPasswordIsNotMade(t *testing.T) {
	for _, common := range []string{"madang2026madang2026", "aaaaaaaaaaaaaaaa", "chief@example.com"} {
		_, err := runCommand(t, common+"\n", "admin", "create", "--data", newData(t),
			"--email", "chief@example.com", "--nickname", "chief", "--name", "Chief")
		if err == nil || !strings.Contains(err.Error(), "everybody tries") || strings.Contains(err.Error(), common) {
			t.Errorf("%q: %v", common, err)
		}
	}
}
