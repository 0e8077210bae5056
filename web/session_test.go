package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"madang/static"
	"madang/store/storetest"
)

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
		{guest.get("/static/madang.0123456789abcdef.css"), "no-store"},
		{guest.send(http.MethodOptions, "/", nil), "no-store"},
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

func TestWhatIsPutAndRemovedInOneRequestIsNoSession(t *testing.T) {
	b := newBoard(t)
	b.server.echo.GET("/moment", func(c echo.Context) error {
		b.server.put(c, signupKey, int64(1))
		b.server.remove(c, signupKey)
		return b.server.redirect(c, "/")
	})
	c := b.guest()
	for range 2 {
		if got := c.get("/moment").leads("/").header.Values("Set-Cookie"); len(got) != 0 {
			t.Errorf("a guest gets %v", got)
		}
	}
}
