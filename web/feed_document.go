package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

// document is what programs ask for again and again. It never changes: there is
// a new one for what is new.
type document struct {
	content
	etag     string
	modified time.Time // in whole seconds
	// vague is true when there was another one in the same second, so that the
	// time does not tell which of them somebody has.
	vague bool
}

// renewed returns the document of a body, which is d, nil for none, when
// nothing has changed.
func (d *document) renewed(body []byte, now time.Time) *document {
	sum := sha256.Sum256(body)
	// Weak, because the compressed bytes are others.
	etag := `W/"` + hex.EncodeToString(sum[:16]) + `"`
	if d != nil && d.etag == etag {
		return d
	}
	modified := now.UTC().Truncate(time.Second)
	return &document{
		content: content{plain: body}, etag: etag, modified: modified,
		vague: d != nil && !modified.After(d.modified),
	}
}

// known reports whether a client has this document. What it says of the time
// counts only where it has no ETag.
func (d *document) known(h http.Header) bool {
	if tags := h.Values("If-None-Match"); len(tags) > 0 {
		for tag := range strings.SplitSeq(strings.Join(tags, ","), ",") {
			tag = strings.TrimSpace(tag)
			if tag == "*" || strings.TrimPrefix(tag, "W/") == strings.TrimPrefix(d.etag, "W/") {
				return true
			}
		}
		return false
	}
	since, err := http.ParseTime(h.Get("If-Modified-Since"))
	return err == nil && !d.vague && !d.modified.After(since)
}

// answerPolled answers with a document, or with the word that it is the same
// still. Everybody may keep it and asks each time: what is deleted is gone.
func (s *Server) answerPolled(c echo.Context, contentType string, doc *document) error {
	h := c.Response().Header()
	h.Set("Cache-Control", "public, no-cache")
	h.Set("ETag", doc.etag)
	h.Set("Last-Modified", doc.modified.Format(http.TimeFormat))
	if doc.known(c.Request().Header) {
		h.Add("Vary", "Accept-Encoding")
		c.Response().WriteHeader(http.StatusNotModified)
		return nil
	}
	return s.write(c, http.StatusOK, contentType, &doc.content)
}
