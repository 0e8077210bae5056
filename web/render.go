package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"madang/static"
	"madang/views"
)

// Content types of our answers.
const (
	html      = "text/html; charset=utf-8"
	plainText = "text/plain; charset=utf-8"
	jsonText  = "application/json; charset=utf-8"
)

// render answers with a page. It is rendered into a buffer first, so that a
// fault on the way still gives a proper error page.
func (s *Server) render(c echo.Context, status int, page templ.Component) error {
	buf := templ.GetBuffer()
	defer templ.ReleaseBuffer(buf)
	if err := page.Render(c.Request().Context(), buf); err != nil {
		return fmt.Errorf("render page: %w", err)
	}
	return s.answer(c, status, html, buf.Bytes())
}

// renderJSON answers with a value as JSON.
func (s *Server) renderJSON(c echo.Context, status int, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	return s.answer(c, status, jsonText, append(body, '\n'))
}

// redirect sends the browser to a path of the site. It is always a 303: the
// next request is a GET whatever this one was.
func (s *Server) redirect(c echo.Context, path string) error {
	c.Response().Header().Set("Location", s.site.Prefix+path)
	err := s.answer(c, http.StatusSeeOther, "", nil)
	if err != nil { // the session could not be saved: its error page leads nowhere
		c.Response().Header().Del("Location")
	}
	return err
}

// answer answers with a body that is for this request alone.
func (s *Server) answer(c echo.Context, status int, contentType string, body []byte) error {
	return s.send(c, status, contentType, &content{plain: body})
}

// send answers with a page. The session is saved before the status goes out, so
// that a failing save is still an error page.
func (s *Server) send(c echo.Context, status int, contentType string, of *content) error {
	if err := s.saveSession(c); err != nil {
		return err
	}
	setCaching(c.Response().Header(), visitOf(c))
	return s.write(c, status, contentType, of)
}

// write is the one place that writes.
func (s *Server) write(c echo.Context, status int, contentType string, of *content) error {
	h := c.Response().Header()
	if contentType != "" {
		h.Set("Content-Type", contentType)
	}
	body := s.encode(c, of)
	head := c.Request().Method == http.MethodHead
	if head || len(body) > 0 {
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	c.Response().WriteHeader(status)
	if head || len(body) == 0 {
		return nil
	}
	if _, err := c.Response().Write(body); err != nil {
		return fmt.Errorf("write answer: %w", err)
	}
	return nil
}

// encode returns the body as the client takes it.
func (s *Server) encode(c echo.Context, of *content) []byte {
	if len(of.plain) < compressFrom {
		return of.plain
	}
	h := c.Response().Header()
	h.Add("Vary", "Accept-Encoding")
	if !static.AcceptsGzip(c.Request()) {
		return of.plain
	}
	packed := s.compressor.gzipped(of)
	if packed == nil {
		return of.plain
	}
	h.Set("Content-Encoding", "gzip")
	return packed
}

// page is what all pages share. The notice of the session is shown once, so
// it is taken out here; a HEAD shows nothing and leaves it.
func (s *Server) page(c echo.Context) views.Page {
	p := s.barePage(c)
	if c.Request().Method != http.MethodHead {
		p.Notice = s.popNotice(c)
	}
	return p
}

func (s *Server) barePage(c echo.Context) views.Page {
	v := visitOf(c)
	c.Response().Header().Add("Vary", "Cookie, Accept-Language")
	return views.Page{
		Site: s.site,
		Lang: v.lang,
		User: v.user,
		Path: s.here(c),
		Now:  s.now(),
	}
}
