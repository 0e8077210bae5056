package web

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"madang/store/storetest"
)

func TestBodiesAreLimited(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	kind := []string{"Content-Type", "application/x-www-form-urlencoded"}
	big := "title=t&form_id=x&body=" + strings.Repeat("a", 257<<10)
	for _, path := range []string{"/auth/login", "/posts", "/auth/signup"} {
		c := c
		if path != "/posts" {
			c = b.guest()
		}
		c.send(http.MethodPost, path, strings.NewReader(big), kind...).wants(http.StatusRequestEntityTooLarge)
		// Without a length the body comes in chunks.
		c.send(http.MethodPost, path, struct{ io.Reader }{strings.NewReader(big)}, kind...).wants(http.StatusRequestEntityTooLarge)
		c.send(http.MethodPost, path, strings.NewReader(strings.Repeat("a=&", 1<<20)), kind...).wants(http.StatusRequestEntityTooLarge)
	}
	json := `{"email":"` + strings.Repeat("a", 257<<10) + `"}`
	b.guest().send(http.MethodPost, "/auth/signup", struct{ io.Reader }{strings.NewReader(json)}, "Content-Type", "application/json").
		wants(http.StatusRequestEntityTooLarge)
}

func TestOnlyFormsAreTaken(t *testing.T) {
	b := newBoard(t)
	for kind, want := range map[string]int{
		"application/x-www-form-urlencoded":                303,
		"application/x-www-form-urlencoded; charset=UTF-8": 303,
		"text/plain":                         415,
		"multipart/form-data; boundary=x":    415,
		"application/json":                   415,
		"":                                   415,
		"application/x-www-form-urlencoded;": 303,
		";;;":                                415,
	} {
		b.guest().send(http.MethodPost, "/auth/logout", strings.NewReader("a=b"), "Content-Type", kind).wants(want)
	}
	b.guest().send(http.MethodPost, "/auth/signup", strings.NewReader("{}"), "Content-Type", "application/json; charset=utf-8").wants(422)
	b.guest().send(http.MethodPost, "/auth/logout", strings.NewReader("a=b"),
		"Content-Type", "application/x-www-form-urlencoded", "Content-Encoding", "gzip").wants(415)
}

func TestBrokenEncodingIsABadRequest(t *testing.T) {
	b := newBoard(t)
	for _, body := range []string{"email=%zz", "email=a;b", "%", strings.Repeat("a&", 20000)} {
		b.guest().send(http.MethodPost, "/auth/login", strings.NewReader(body), "Content-Type", "application/x-www-form-urlencoded").
			wants(http.StatusBadRequest)
	}
}

func TestPanicBecomesAPageAndOneLine(t *testing.T) {
	b := newBoard(t)
	b.server.echo.GET("/panic", func(echo.Context) error { panic("boom with details") })
	a := b.guest().get("/panic").wants(http.StatusInternalServerError)
	id := a.header.Get("X-Request-Id")
	if !strings.Contains(a.body, id) || strings.Contains(a.body, "boom") || strings.Contains(a.body, "goroutine") {
		t.Errorf("the page shows too little or too much:\n%s", a.body)
	}
	var failed int
	for line := range strings.Lines(b.logs.String()) {
		if strings.Contains(line, "boom with details") && strings.Contains(line, id) {
			failed++
		}
	}
	if failed != 1 {
		t.Errorf("logged %d times", failed)
	}
	b.guest().get("/").wants(http.StatusOK)
}

func TestRequestIsLoggedInOneLineWithoutItsQuery(t *testing.T) {
	b := newBoard(t)
	b.guest().get("/auth/verify?token=SECRETSECRET", "X-Request-Id", "forged-id")
	b.guest().get("/a%0Ab")
	var lines int
	for line := range strings.Lines(b.logs.String()) {
		var entry struct {
			Msg, Method, Path, ID, Client string
			Status                        int
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if entry.Msg == "request" {
			lines++
		}
		if entry.Msg == "request" && (entry.Status == 0 || entry.ID == "" || entry.Client != "127.0.0.1") {
			t.Errorf("incomplete: %s", line)
		}
	}
	if logs := b.logs.String(); lines != 2 || strings.Contains(logs, "SECRET") || strings.Contains(logs, "forged-id") {
		t.Errorf("%d lines:\n%s", lines, logs)
	}
}

func TestClientAddress(t *testing.T) {
	proxy := netip.MustParsePrefix("10.0.0.0/8")
	for name, test := range map[string]struct {
		trusted   []netip.Prefix
		peer, xff string
		want      string
	}{
		"a direct peer":               {nil, "192.0.2.1:99", "", "192.0.2.1"},
		"a forged header":             {nil, "192.0.2.1:99", "203.0.113.5", "192.0.2.1"},
		"a forged header, local peer": {nil, "127.0.0.1:99", "203.0.113.5", "127.0.0.1"},
		"behind a proxy":              {[]netip.Prefix{proxy}, "10.1.2.3:99", "203.0.113.5", "203.0.113.5"},
		"behind two proxies":          {[]netip.Prefix{proxy}, "10.1.2.3:99", "203.0.113.5, 10.9.9.9", "203.0.113.5"},
		"forged before the proxy":     {[]netip.Prefix{proxy}, "10.1.2.3:99", "198.51.100.7, 203.0.113.5", "203.0.113.5"},
		"not through the proxy":       {[]netip.Prefix{proxy}, "192.0.2.1:99", "203.0.113.5", "192.0.2.1"},
		"private, yet not named":      {[]netip.Prefix{proxy}, "192.168.0.1:99", "203.0.113.5", "192.168.0.1"},
		"with its port":               {[]netip.Prefix{proxy}, "10.1.2.3:99", "203.0.113.5:4711", "203.0.113.5"},
		"IPv6 with its port":          {[]netip.Prefix{proxy}, "10.1.2.3:99", "[2001:db8::5]:4711", "2001:db8::5"},
		"IPv6 in brackets":            {[]netip.Prefix{proxy}, "10.1.2.3:99", "[2001:db8::5]", "2001:db8::5"},
		"of no known client":          {[]netip.Prefix{proxy}, "10.1.2.3:99", "203.0.113.5, unknown", "10.1.2.3"},
		"of proxies only":             {[]netip.Prefix{proxy}, "10.1.2.3:99", "10.3.3.3, 10.2.2.2", "10.3.3.3"},
		"IPv4 in IPv6":                {nil, "[::ffff:192.0.2.1]:99", "", "192.0.2.1"},
		"IPv6":                        {nil, "[2001:db8::1]:99", "", "2001:db8::1"},
	} {
		t.Run(name, func(t *testing.T) {
			e := echo.New()
			e.IPExtractor = clientExtractor(test.trusted)
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			r.RemoteAddr = test.peer
			if test.xff != "" {
				r.Header.Set("X-Forwarded-For", test.xff)
			}
			if got := clientAddr(e.NewContext(r, nil)).String(); got != test.want {
				t.Errorf("client %s, want %s", got, test.want)
			}
		})
	}
}

func TestNewRefusesMissingParts(t *testing.T) {
	b := newBoard(t)
	for name, change := range map[string]func(*Options){
		"store":    func(o *Options) { o.Store = nil },
		"views":    func(o *Options) { o.Views = nil },
		"log":      func(o *Options) { o.Log = nil },
		"clock":    func(o *Options) { o.Now = nil },
		"name":     func(o *Options) { o.Site.Name = "" },
		"zone":     func(o *Options) { o.Site.Zone = nil },
		"base URL": func(o *Options) { o.Site.BaseURL = "" },
		"scheme":   func(o *Options) { o.Site.BaseURL = "ftp://example.org" },
		"prefix":   func(o *Options) { o.Site.Prefix = "/other" },
	} {
		o := b.options
		change(&o)
		if _, err := New(o); err == nil {
			t.Errorf("without %s it is taken", name)
		}
	}
}
