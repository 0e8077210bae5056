package main

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// account is a member with the password of the moment.
type account struct {
	store.User
	password string
}

// TestFaultRequestUnderWayWhenItsSessionEnds sends the half of a request, ends
// the session it came with, and sends the rest: whatever the request would have
// written, neither the old cookie nor one that it was answered with opens the
// account. Only a request that holds the password is a login of its own.
func TestFaultRequestUnderWayWhenItsSessionEnds(t *testing.T) {
	s := newSite(t)
	members := newAccounts(t, s, 1)
	chief := newAccounts(t, s, 1)[0]
	promote(t, s, chief)
	s.start()
	e := &endings{site: s, who: members[0], chief: s.inside(chief)}
	ends := map[string]func(own *client) (afterwards func()){
		"logout":               e.logOut,
		"disabling":            e.disable,
		"a change of password": e.changePassword,
		"another session":      e.endOthers,
	}
	times := rounds(t, 4, 52)
	for name, end := range ends {
		for i := range times {
			e.round(name, func() (string, url.Values) { return e.late(i) }, end)
		}
	}
	s.stop()
	wantNoFaults(t, s)
}

// endings are the ways in which the sessions of a member end.
type endings struct {
	*site
	who   account
	chief *client
}

// late is what is under way: its path and its fields. Each writes something
// into the session that carried it, or begins a new one.
func (e *endings) late(i int) (path string, fields url.Values) {
	switch i % 4 {
	case 0:
		return "/posts", url.Values{"title": {"late"}, "body": {"late"}, "form_id": {rand.Text()}}
	case 1:
		return "/account/language", url.Values{"lang": {"en"}}
	case 2:
		return "/account/nickname", url.Values{"nickname": {"late" + strings.ToLower(rand.Text()[:8])}}
	}
	return "/account/password", url.Values{"current": {e.who.password}, "password": {"the late " + rand.Text()}}
}

// round begins a request in a new session, ends that, and lets the request go on.
func (e *endings) round(name string, late func() (string, url.Values), end func(own *client) func()) {
	e.t.Helper()
	own := e.inside(e.who)
	defer own.close()
	cookie := own.cookie()
	path, fields := late()
	body := fields.Encode()
	w := e.wire(20 * time.Second * slower)
	w.say(form(path, "", "Cookie: sid="+cookie, "Expect: 100-continue", "Content-Length: "+strconv.Itoa(len(body))))
	if a, err := w.hear(); err != nil || a.status != http.StatusContinue { // the session has been read
		e.t.Fatalf("%s, %s: the rest is not asked for: %d, %v", name, path, a.status, err)
	}
	w.say(body[:len(body)/2])
	afterwards := end(own)
	w.say(body[len(body)/2:])
	a, err := w.hear()
	if err != nil || a.status >= http.StatusInternalServerError {
		e.t.Fatalf("%s, %s: the late request is answered with %d: %v", name, path, a.status, err)
	}
	afterwards()
	e.wantDead(name+", "+path, cookie)
	if path == "/account/password" && a.leads("/account") {
		e.who.password = fields.Get("password")
		if name == "disabling" {
			e.t.Error("a member who is disabled has another password")
		}
		return
	}
	for _, given := range (&http.Response{Header: a.header}).Cookies() {
		if given.Name == "sid" && given.Value != "" {
			e.wantDead(name+", the answer of "+path, given.Value)
		}
	}
}

// wantDead fails the test when a cookie opens an account.
func (e *endings) wantDead(what, cookie string) {
	e.t.Helper()
	w := e.wire(10 * time.Second * slower)
	w.say("GET /posts/new HTTP/1.1\r\nHost: board\r\nCookie: sid=" + cookie + "\r\nConnection: close\r\n\r\n")
	if a, err := w.hear(); err != nil || !a.leads("/auth/login") {
		e.t.Errorf("after %s the cookie is answered with %d %s: %v", what, a.status, a.place, err)
	}
}

func (e *endings) logOut(own *client) func() {
	e.must(own, "/auth/logout")
	return func() {}
}

// disable lets the member in again afterwards: what was open stays shut.
func (e *endings) disable(*client) func() {
	path := "/admin/users/" + number(e.who.ID)
	e.must(e.chief, path+"/disable")
	return func() { e.must(e.chief, path+"/enable") }
}

func (e *endings) changePassword(*client) func() {
	other, next := e.inside(e.who), "the next "+rand.Text()
	defer other.close()
	e.must(other, "/account/password", "current", e.who.password, "password", next)
	e.who.password = next
	return func() {}
}

func (e *endings) endOthers(*client) func() {
	other := e.inside(e.who)
	defer other.close()
	e.must(other, "/account/sessions/end", "all", "1")
	return func() {}
}

// must posts a form that is taken.
func (e *endings) must(c *client, path string, fields ...string) {
	e.t.Helper()
	if a, err := c.post(e.t.Context(), path, fields...); err != nil || a.status != http.StatusSeeOther || a.leads("/auth/login") {
		e.t.Fatalf("%s is answered with %d %s: %v", path, a.status, a.place, err)
	}
}

// inside returns a new browser in which somebody is logged in.
func (s *site) inside(who account) *client {
	s.t.Helper()
	c := newClient(s, fmt.Sprint("member ", who.ID))
	if a, err := c.post(s.t.Context(), "/auth/login", "email", who.Email, "password", who.password); err != nil || a.place != "/" {
		s.t.Fatalf("%s cannot log in: %d %s, %v", who.Email, a.status, a.place, err)
	}
	return c
}

// cookie is the token of the session in this browser.
func (c *client) cookie() string {
	at, _ := url.Parse(c.site.running().url)
	for _, cookie := range c.http.Jar.Cookies(at) {
		if cookie.Name == "sid" {
			return cookie.Value
		}
	}
	return ""
}

// newAccounts makes members of a board that is not running.
func newAccounts(t *testing.T, s *site, many int) []account {
	t.Helper()
	db := openStore(t, s.path(), s.data)
	defer db.Close()
	var made []account
	for range many {
		made = append(made, account{storetest.Member(t, db), storetest.Password})
	}
	storetest.Rows(t, s.path(), `DELETE FROM jobs RETURNING id`) // mailed through no server
	return made
}

// promote makes somebody an administrator of a board that is not running.
func promote(t *testing.T, s *site, who account) {
	t.Helper()
	db := openStore(t, s.path(), s.data)
	defer db.Close()
	if err := db.SetRole(t.Context(), who.ID, store.Admin); err != nil {
		t.Fatal(err)
	}
}
