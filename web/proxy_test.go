package web

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"madang/store/storetest"
)

// behind puts the site behind a proxy on this machine that ends TLS.
func behind(b *board) {
	b.options.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	b.options.Site.BaseURL = "https://board.example.org"
}

// direct sends requests to the board itself, whatever its base URL.
func (b *board) direct() *client {
	c := b.guest()
	c.base = b.listener
	return c
}

func TestVisitorWithoutTLSIsSentToTheSitesOwnAddress(t *testing.T) {
	b := newBoard(t, behind)
	c := b.direct()
	for _, test := range []struct{ path, proto, leads string }{
		{"/auth/login?next=%2Faccount", "http", "https://board.example.org/auth/login?next=%2Faccount"},
		{"//evil.test/x", "HTTP, http", "https://board.example.org//evil.test/x"},
		{"/nowhere", "http", "https://board.example.org/nowhere"},
	} {
		a := c.get(test.path, headerProto, test.proto, headerFor, "203.0.113.9").wants(http.StatusPermanentRedirect)
		if got := a.header.Get("Location"); got != test.leads {
			t.Errorf("%s leads to %s, want %s", test.path, got, test.leads)
		}
	}
	for _, proto := range []string{"https", "http, https", ""} { // the client may have written what stands first
		c.get("/", headerProto, proto, headerFor, "203.0.113.9").wants(http.StatusOK)
	}
	c.get("/healthz", headerProto, "http").wants(http.StatusOK) // a supervisor follows nothing
	c.get("/readyz", headerProto, "http").wants(http.StatusOK)
}

func TestNoTargetOfARequestLeadsToAnotherHost(t *testing.T) {
	b := newBoard(t, behind)
	for _, target := range []string{
		"http:@evil.test/", "http:.evil.test/", "http:evil.test", "http://evil.test/x", "//evil.test/x", `/\evil.test`, "/%2f%2fevil.test",
	} {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader("GET " + target + " HTTP/1.1\r\nHost: board.example.org\r\n\r\n")))
		if err != nil {
			t.Fatal(err)
		}
		r.RemoteAddr = "127.0.0.1:1234"
		r.Header.Set(headerProto, "http")
		w := httptest.NewRecorder()
		b.server.Handler().ServeHTTP(w, r)
		leads, err := url.Parse(w.Header().Get("Location"))
		if err != nil || w.Code != http.StatusPermanentRedirect || leads.Host != "board.example.org" || leads.User != nil {
			t.Errorf("%s: %d to %q", target, w.Code, w.Header().Get("Location"))
		}
	}
}

// Each of two proxies adds what it was reached by; the visitor came to the first.
func TestOfSeveralProxiesTheOutermostTrustedOneTellsHowTheVisitorCame(t *testing.T) {
	trusting := func(b *board) {
		b.options.TrustedProxies = append(b.options.TrustedProxies, netip.MustParsePrefix("198.51.100.1/32"))
	}
	const one, two = "203.0.113.9", "203.0.113.9, 198.51.100.1"
	b := newBoard(t, behind, trusting)
	for _, test := range []struct {
		proto, through string
		want           int
	}{
		{"https, http", two, http.StatusOK},
		{"http, https, http", two, http.StatusOK},
		{"http, http", two, http.StatusPermanentRedirect},
		{"http", two, http.StatusPermanentRedirect}, // replaced, not added to
		{"https", two, http.StatusOK},
		{"http, https", one, http.StatusOK},
		{"https, http", one, http.StatusOK}, // it would be sent round in circles
	} {
		b.direct().get("/", headerProto, test.proto, headerFor, test.through).wants(test.want)
	}
	if n := strings.Count(b.logs.String(), "after one that is reached over https"); n != 1 {
		t.Errorf("pointed out %d times:\n%s", n, b.logs)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	r.RemoteAddr = "127.0.0.1:1234"
	r.Header[headerProto] = []string{"https", "HTTP"}
	if got := (&proxies{trusted: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}).proto(r); got != "http" {
		t.Errorf("of a header in two lines %q is read", got)
	}
}

func TestHeadersOfAStrangerMoveNobody(t *testing.T) {
	b := newBoard(t, behind, func(b *board) { b.options.TrustedProxies = nil })
	c := b.direct()
	for range 3 {
		c.get("/", headerProto, "http", headerFor, "203.0.113.9").wants(http.StatusOK)
	}
	const warning = "forwarded headers of a peer that is no trusted proxy are ignored"
	if n := strings.Count(b.logs.String(), warning); n != 1 {
		t.Errorf("warned %d times in an hour, want once:\n%s", n, b.logs)
	}
	b.clock.Advance(time.Hour)
	c.get("/", headerFor, "203.0.113.9").wants(http.StatusOK)
	if n := strings.Count(b.logs.String(), warning); n != 2 {
		t.Errorf("warned %d times after an hour, want twice", n)
	}
	if !strings.Contains(b.logs.String(), "--trusted-proxies") {
		t.Error("the warning does not name the setting")
	}
}

func TestBaseURLThatDoesNotFitTheProxyIsPointedOut(t *testing.T) {
	b := newBoard(t, behind, func(b *board) { b.options.Site.BaseURL = "http://board.example.org" })
	b.direct().get("/", headerProto, "https").wants(http.StatusOK)
	if !strings.Contains(b.logs.String(), "--base-url") {
		t.Errorf("no hint at the base URL:\n%s", b.logs)
	}
}

func TestManyPeersDoNotFillTheLogOrTheMemory(t *testing.T) {
	var d doubts
	now := time.Now()
	said := 0
	for i := range 10 * doubtsMost {
		if d.first(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}).String(), now) {
			said++
		}
	}
	if said != doubtsMost || len(d.said) != doubtsMost {
		t.Errorf("%d said, %d remembered, want %d", said, len(d.said), doubtsMost)
	}
}

// An office behind one proxy: the failures of one visitor are not those of all.
func TestVisitorsBehindATrustedProxyAreCountedApart(t *testing.T) {
	b := newBoard(t, limited, behind)
	u := storetest.Member(t, b.store)
	right := url.Values{"email": {u.Email}, "password": {storetest.Password}}
	const here, there = "203.0.113.9", "203.0.113.9, 198.51.100.7" // who says to come from here
	for i := range 100 {
		wrong := url.Values{"email": {fmt.Sprintf("somebody%d@example.com", i)}, "password": {"wrong password"}}
		b.direct().post("/auth/login", wrong, headerFor, here).wants(http.StatusUnprocessableEntity)
	}
	b.direct().post("/auth/login", right, headerFor, here).wants(http.StatusTooManyRequests)
	b.direct().post("/auth/login", right, headerFor, there).wants(http.StatusSeeOther)
}
