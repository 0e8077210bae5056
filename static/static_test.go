package static

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func get(t *testing.T, method, target string, header map[string]string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, nil)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w
}

func TestURLCarriesTheHashOfTheContent(t *testing.T) {
	for _, name := range []string{"madang.css", "icon.svg", "pending.js", "password.js"} {
		base, ext, _ := strings.Cut(name, ".")
		want := regexp.MustCompile(`^/static/` + base + `\.[0-9a-f]{16}\.` + ext + `$`)
		if got := URL(name); !want.MatchString(got) {
			t.Errorf("URL(%q) = %q, want %s", name, got, want)
		}
	}
}

func TestURLPanicsOnAnUnknownName(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	URL("nothing.css")
}

func TestFilesAreKeptForEver(t *testing.T) {
	types := map[string]string{
		"madang.css": "text/css; charset=utf-8",
		"icon.svg":   "image/svg+xml; charset=utf-8",
		"pending.js": "text/javascript; charset=utf-8",
	}
	for name, contentType := range types {
		res := get(t, http.MethodGet, URL(name), nil)
		want := map[string]string{
			"Content-Type":           contentType,
			"Cache-Control":          "public, max-age=31536000, immutable",
			"X-Content-Type-Options": "nosniff",
			"Vary":                   "Accept-Encoding",
		}
		if res.Code != http.StatusOK {
			t.Errorf("%s: status %d", name, res.Code)
		}
		for header, value := range want {
			if got := res.Header().Get(header); got != value {
				t.Errorf("%s: %s is %q, want %q", name, header, got, value)
			}
		}
	}
}

func TestGzipIsSentToWhoTakesIt(t *testing.T) {
	plain := get(t, http.MethodGet, URL("madang.css"), nil).Body.String()
	res := get(t, http.MethodGet, URL("madang.css"), map[string]string{"Accept-Encoding": "br, gzip;q=0.8"})
	if got := res.Header().Get("Content-Encoding"); got != "gzip" {
		t.Fatalf("Content-Encoding %q, want gzip", got)
	}
	unpacked, err := gzip.NewReader(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != plain {
		t.Error("the compressed file is another than the plain one")
	}
	for _, refusal := range []string{"", "br", "gzip;q=0", "GZIP;Q=0.0", "x-gzip", "identity"} {
		res := get(t, http.MethodGet, URL("madang.css"), map[string]string{"Accept-Encoding": refusal})
		if got := res.Header().Get("Content-Encoding"); got != "" {
			t.Errorf("Accept-Encoding %q: sent %q", refusal, got)
		}
	}
}

func TestHeadHasNoBody(t *testing.T) {
	res := get(t, http.MethodHead, URL("icon.svg"), nil)
	if text := res.Body.String(); res.Code != http.StatusOK || text != "" {
		t.Errorf("status %d, body %q", res.Code, text)
	}
}

func TestEveryOtherPathIsNotFound(t *testing.T) {
	css := URL("madang.css")
	for _, target := range []string{
		"/static/", "/static", "/static/madang.css", "/static/files/madang.css", css + "/", css + ".map",
		strings.Replace(css, "madang", "%6dadang", 1), strings.ToUpper(css), "/static/../static.go",
		"/static/..%2fstatic.go", "/static/%5c..%5cstatic.go", "/static//" + css, "/static/.git/HEAD",
		"/static/%00", css[len("/static/")-1:],
	} {
		if res := get(t, http.MethodGet, "http://localhost"+target, nil); res.Code != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", target, res.Code)
		}
	}
}

func TestOnlyReadingIsAllowed(t *testing.T) {
	if res := get(t, http.MethodPost, URL("madang.css"), nil); res.Code != http.StatusMethodNotAllowed {
		t.Errorf("status %d, want 405", res.Code)
	}
}

// The weight of a page is a promise to those on slow lines.
func TestFilesStaySmall(t *testing.T) {
	lib := shelf()
	if n := len(lib.assets[URL("madang.css")].gzipped); n > 8<<10 {
		t.Errorf("the style sheet has %d bytes compressed, more than 8 KB", n)
	}
	scripts := 0
	for url, file := range lib.assets {
		if strings.HasSuffix(url, ".js") {
			scripts += len(file.plain)
		}
	}
	if scripts > 4<<10 {
		t.Errorf("the scripts have %d bytes, more than 4 KB", scripts)
	}
}
