package static

import (
	"net/http"
	"strconv"
	"strings"
)

// Handler serves the files under exactly the paths that URL returns; every
// other path is a 404. A path prefix of the site has to be stripped before.
func Handler() http.Handler {
	return http.HandlerFunc(shelf().serve)
}

func (l library) serve(w http.ResponseWriter, r *http.Request) {
	// A path that needs decoding is none that URL made.
	file, ok := l.assets[r.URL.EscapedPath()]
	if !ok {
		http.NotFound(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	file.send(w, r)
}

func (a asset) send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", a.contentType)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Add("Vary", "Accept-Encoding")
	body := a.plain
	if a.gzipped != nil && AcceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		body = a.gzipped
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodHead {
		return
	}
	_, _ = w.Write(body) // the reader is gone; there is nobody to tell
}

// AcceptsGzip reports whether the client of a request takes answers in gzip; a
// quality of zero refuses.
func AcceptsGzip(r *http.Request) bool {
	header := strings.ToLower(strings.Join(r.Header.Values("Accept-Encoding"), ","))
	for part := range strings.SplitSeq(header, ",") {
		coding, params, _ := strings.Cut(part, ";")
		if strings.TrimSpace(coding) != "gzip" {
			continue
		}
		quality, ok := strings.CutPrefix(strings.TrimSpace(params), "q=")
		q, err := strconv.ParseFloat(quality, 64)
		return !ok || err != nil || q > 0
	}
	return false
}
