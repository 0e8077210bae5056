package web

import (
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"madang/store"
	"madang/store/storetest"
)

// underWay begins a post with the session of a token and returns when the
// session has been read; the function it returns sends the rest.
func (b *board) underWay(token string) (finish func()) {
	b.t.Helper()
	body := &gate{reading: make(chan struct{}), open: make(chan struct{}), text: "title=late&body=late&form_id=" + newID()}
	r := httptest.NewRequestWithContext(b.t.Context(), http.MethodPost, "/posts", body)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.AddCookie(&http.Cookie{Name: "sid", Value: token})
	w, done := httptest.NewRecorder(), make(chan struct{})
	go func() {
		defer close(done)
		b.server.Handler().ServeHTTP(w, r)
	}()
	<-body.reading
	return func() {
		b.t.Helper()
		close(body.open)
		<-done
		if w.Code != http.StatusSeeOther {
			b.t.Errorf("the request under way got %d", w.Code)
		}
	}
}

// ends are the ways in which the sessions of a member end while a request of
// theirs is under way.
func ends() map[string]func(b *board, u store.User, c *client) error {
	return map[string]func(b *board, u store.User, c *client) error{
		"logout": func(_ *board, _ store.User, c *client) error {
			return led(c.post("/auth/logout", nil), "/")
		},
		"change of password": func(_ *board, _ store.User, c *client) error {
			return led(c.post("/account/password", typed("password", newPassword)), "/account#password")
		},
		"end in the list": func(b *board, u store.User, c *client) error {
			return led(b.as(u).post("/account/sessions/end", url.Values{"all": {"1"}}), "/account#sessions")
		},
		"disabling": func(b *board, u store.User, _ *client) error {
			chief := storetest.Admin(b.t, b.store)
			return errors.Join(b.store.Disable(b.t.Context(), chief.ID, u.ID), b.store.Enable(b.t.Context(), chief.ID, u.ID))
		},
		"deletion": func(_ *board, _ store.User, c *client) error {
			return led(c.post("/account/delete", typed()), "/")
		},
	}
}

func led(a *answer, to string) error {
	if got := a.header.Get("Location"); got != to {
		return fmt.Errorf("%s: %d, leads to %q", a.what, a.status, got)
	}
	return nil
}

// rounds is how often each way is tried: -rounds 40 makes 200 in all.
var rounds = flag.Int("rounds", 6, "rounds of each way to end a session")

func TestRequestUnderWayBringsNoSessionBackHoweverItEnds(t *testing.T) {
	b := newBoard(t)
	for name, end := range ends() {
		for round := range *rounds {
			u := storetest.Member(t, b.store)
			c := b.as(u)
			token := c.cookie()
			b.clock.Advance(2 * time.Hour) // so that the request writes its session
			finish := b.underWay(token)
			if err := end(b, u, c); err != nil {
				t.Fatal(err)
			}
			finish()
			if b.withCookie(token).loggedIn() {
				t.Fatalf("%s, round %d: the session came back", name, round)
			}
		}
	}
}
