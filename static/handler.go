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
	if a.gzipped != nil && acceptsGzip(r.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		body = a.gzipped
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method == http.MethodHead {
		return
	}
	_, _ = w.Write(body) // the reader is gone; there is nobody to tell
}

// acceptsGzip reads an Accept-Encoding header; a quality of zero refuses.
func acceptsGzip(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		coding, params, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			continue
		}
		quality, ok := strings.CutPrefix(strings.TrimSpace(params), "q=")
		q, err := strconv.ParseFloat(quality, 64)
		return !ok || err != nil || q > 0
	}
	return false
}
