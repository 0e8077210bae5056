package web

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

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
