package web

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"madang/static"
	"madang/store/storetest"
)

func TestSecurityHeadersStandOnEveryAnswer(t *testing.T) {
	b := newBoard(t)
	b.server.echo.GET("/panic", func(echo.Context) error { panic("boom") })
	post := fmt.Sprintf("/posts/%d", storetest.Post(t, b.store, storetest.Member(t, b.store)))
	c := b.guest()
	for _, a := range []*answer{
		c.get("/").wants(200), c.get(post).wants(200), c.get("/auth/signup").wants(200), c.get("/auth/login").wants(200),
		c.get("/auth/pending").wants(200), c.get("/auth/verify?token=x").wants(404), c.get("/dev/mail").wants(200),
		c.get("/healthz").wants(200), c.get("/readyz").wants(200), c.get(static.URL("madang.css")).wants(200),
		c.get("/static/none.css").wants(404), c.get("/nowhere").wants(404), c.get("/?before=x").wants(400),
		c.get("/admin").wants(303), c.get("/posts").wants(405), c.get("/panic").wants(500),
		c.send("OPTIONS", "/", nil).wants(204), c.send("TRACE", "/", nil).wants(405),
		c.post("/auth/login", nil).wants(422), c.post("/auth/logout", nil, "Origin", "null").wants(403),
		c.post("/auth/logout", url.Values{"a": {strings.Repeat("x", 300<<10)}}).wants(413),
		c.send("POST", "/auth/login", strings.NewReader("x"), "Content-Type", "text/plain").wants(415),
	} {
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
				"font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'",
			"X-Content-Type-Options":       "nosniff",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
			"Permissions-Policy":           "geolocation=(), camera=(), microphone=()",
			"Strict-Transport-Security":    "",
			"Server":                       "",
			"Access-Control-Allow-Origin":  "",
		} {
			if got := strings.Join(a.header.Values(name), " | "); got != want {
				t.Errorf("%s: %s: %q", a.what, name, got)
			}
		}
		if a.header.Get("Referrer-Policy") == "" || a.header.Get("X-Request-Id") == "" {
			t.Errorf("%s: no Referrer-Policy or request id", a.what)
		}
		if kind := a.header.Get("Content-Type"); a.body != "" && !strings.Contains(kind, "charset=utf-8") {
			t.Errorf("%s: content type %q", a.what, kind)
		}
		if n := len(a.header.Values("Cache-Control")); a.body != "" && n > 1 {
			t.Errorf("%s: %d Cache-Control headers", a.what, n)
		}
	}
}

func TestCaching(t *testing.T) {
	b := newBoard(t)
	guest, member := b.guest(), b.as(storetest.Member(t, b.store))
	for _, test := range []struct {
		answer *answer
		want   string
	}{
		{guest.get("/"), "private, no-cache"},
		{guest.get("/nowhere"), "private, no-cache"},
		{guest.get("/auth/verify?token=x"), "no-store"},
		{guest.post("/language", url.Values{"lang": {"ko"}}), "no-store"}, // it sets a cookie
		{guest.get(static.URL("madang.css")), "public, max-age=31536000, immutable"},
		{member.get("/"), "no-store"},
		{member.get("/nowhere"), "no-store"},
		{b.guest().post("/auth/signup", signupForm()), "no-store"},
	} {
		if got := strings.Join(test.answer.header.Values("Cache-Control"), " | "); got != test.want {
			t.Errorf("%s: %q, want %q", test.answer.what, got, test.want)
		}
	}
}

func TestCookieIsSetOnlyWhenItIsNew(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	for range 3 {
		if got := c.get("/").header.Values("Set-Cookie"); len(got) != 0 {
			t.Errorf("set again: %v", got)
		}
	}
	if got := b.guest().get("/").header.Values("Set-Cookie"); len(got) != 0 {
		t.Errorf("a guest gets %v", got)
	}
}

func TestSessionEndsAfterSevenIdleDays(t *testing.T) {
	b := newBoard(t)
	c := b.as(storetest.Member(t, b.store))
	b.clock.Advance(7*24*time.Hour - time.Minute)
	if !c.loggedIn() {
		t.Error("ended too early")
	}
	idle := b.as(storetest.Member(t, b.store))
	b.clock.Advance(8 * 24 * time.Hour)
	if idle.loggedIn() {
		t.Error("never ended")
	}
}

func TestSessionCookieFitsTheBaseURL(t *testing.T) {
	for base, want := range map[string]struct{ name, path string }{
		"https://example.org":       {"__Host-sid", "Path=/;"},
		"https://example.org/board": {"__Secure-sid", "Path=/board;"},
		"http://192.0.2.7:8080":     {"sid", "Path=/;"},
	} {
		b := newBoard(t, func(b *board) {
			u, _ := url.Parse(base)
			b.options.Site.BaseURL, b.options.Site.Prefix = base, u.Path
		})
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, b.options.Site.Prefix+"/auth/signup",
			strings.NewReader(signupForm().Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		b.server.Handler().ServeHTTP(w, r)
		line := w.Header().Get("Set-Cookie") + ";"
		https := strings.HasPrefix(base, "https")
		if !strings.HasPrefix(line, want.name+"=") || !strings.Contains(line, want.path) || strings.Contains(line, "Domain") ||
			!strings.Contains(line, "HttpOnly") || !strings.Contains(line, "SameSite=Lax") || strings.Contains(line, "Secure;") != https {
			t.Errorf("%s: %s", base, line)
		}
		hsts := ""
		if https {
			hsts = "max-age=31536000"
		}
		if got := w.Header().Get("Strict-Transport-Security"); got != hsts {
			t.Errorf("%s: HSTS %q", base, got)
		}
	}
}

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

func TestPagesAreCompressed(t *testing.T) {
	b := newBoard(t)
	a := b.guest().get("/auth/signup", "Accept-Encoding", "gzip").wants(http.StatusOK)
	if a.header.Get("Content-Encoding") != "gzip" {
		t.Error("not compressed")
	}
	if got := b.guest().get("/auth/signup", "Accept-Encoding", "identity").header.Get("Content-Encoding"); got != "" {
		t.Errorf("compressed with %q", got)
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

func TestHealth(t *testing.T) {
	b := newBoard(t)
	c := b.guest()
	for _, path := range []string{"/healthz", "/readyz"} {
		if got := c.get(path).wants(http.StatusOK).body; got != "ok" {
			t.Errorf("%s: %q", path, got)
		}
	}
	b.server.Drain()
	c.get("/readyz").wants(http.StatusServiceUnavailable)
	c.get("/healthz").wants(http.StatusOK)
	c.get("/").wants(http.StatusOK)
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
