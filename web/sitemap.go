package web

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/sync/singleflight"

	"madang/store"
)

const (
	xmlText = "application/xml; charset=utf-8"
	// sitemapSize is how many ids a sitemap is of: some 2 MB, where 50,000
	// addresses and 10 MB are allowed.
	sitemapSize = 20_000
	// sitemapsMax is how many sitemaps an index may hold.
	sitemapsMax = 50_000
	// sitemapsLimit is for all remembered sitemaps together, in bytes.
	sitemapsLimit = 16 << 20
	// sitemapFresh is how soon a sitemap tells of an edited post. New and
	// deleted ones show at once.
	sitemapFresh = 10 * time.Second
)

// sitemaps remembers the sitemaps that were last asked for.
type sitemaps struct {
	span   int64 // how many ids one is of
	making singleflight.Group
	mu     sync.Mutex
	kept   map[int64]keptSitemap
	size   int
}

type keptSitemap struct {
	set store.PostSet
	at  time.Time // when it was made
	doc *document
}

func newSitemaps(span int64) *sitemaps {
	return &sitemaps{span: span, kept: map[int64]keptSitemap{}}
}

func (m *sitemaps) find(part int64) keptSitemap {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[part]
}

// keep forgets all when they are too many: robots read each of them once.
func (m *sitemaps) keep(part int64, k keptSitemap) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if before := m.kept[part].doc; before != nil {
		m.size -= len(before.plain)
	}
	if m.size+len(k.doc.plain) > sitemapsLimit {
		clear(m.kept)
		m.size = 0
	}
	m.kept[part] = k
	m.size += len(k.doc.plain)
}

// sitemap lists the posts for search engines: all in one, or in parts, of which
// the first also has the home page.
func (s *Server) sitemap(c echo.Context) error {
	if c.QueryParams().Has("part") {
		part, err := parseID(c.QueryParam("part"))
		if err != nil || part > math.MaxInt64/s.sitemaps.span {
			return store.ErrNotFound
		}
		return s.answerPart(c, part)
	}
	ranges, err := s.store.PostRanges(c.Request().Context(), s.sitemaps.span, sitemapsMax)
	if err != nil {
		return fmt.Errorf("parts of sitemap: %w", err)
	}
	if len(ranges) > 0 && ranges[len(ranges)-1].From > 1 {
		return s.answerPolled(c, xmlText, s.sitemapIndex(ranges))
	}
	return s.answerPart(c, 1)
}

func (s *Server) answerPart(c echo.Context, part int64) error {
	doc, err := s.sitemapPart(c.Request().Context(), part)
	if err != nil {
		return fmt.Errorf("sitemap %d: %w", part, err)
	}
	return s.answerPolled(c, xmlText, doc)
}

// sitemapPart returns a part as it is, or makes it. Those who ask for the same
// posts at the same moment wait for one.
func (s *Server) sitemapPart(ctx context.Context, part int64) (*document, error) {
	ids := store.IDRange{From: (part-1)*s.sitemaps.span + 1, To: part * s.sitemaps.span}
	set, err := s.store.PostSet(ctx, ids)
	if err != nil {
		return nil, err
	}
	if set.Count == 0 && part > 1 {
		return nil, store.ErrNotFound
	}
	kept, now := s.sitemaps.find(part), s.now()
	if age := now.Sub(kept.at); kept.doc != nil && kept.set == set && age >= 0 && age < sitemapFresh {
		return kept.doc, nil
	}
	made, err, _ := s.sitemaps.making.Do(fmt.Sprint(part, set), func() (any, error) {
		// Whoever came first makes it for all; its own end must not be theirs.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeLimit)
		defer cancel()
		posts, err := s.store.PostTimes(ctx, ids)
		if err != nil {
			return nil, err
		}
		fresh := keptSitemap{set, now, kept.doc.renewed(s.sitemapOf(part, posts), now)}
		s.sitemaps.keep(part, fresh)
		return fresh.doc, nil
	})
	doc, _ := made.(*document)
	return doc, err
}

const sitemapSpace = ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n"

func (s *Server) sitemapOf(part int64, posts []store.PostTime) []byte {
	base := escapeXML(s.site.BaseURL)
	var b bytes.Buffer
	b.WriteString(xml.Header + "<urlset" + sitemapSpace)
	if part == 1 {
		b.WriteString("<url><loc>" + base + "/</loc></url>\n")
	}
	for _, p := range posts {
		b.WriteString("<url><loc>" + base + postPath(p.ID) + "</loc><lastmod>")
		b.Write(p.At.UTC().AppendFormat(b.AvailableBuffer(), time.RFC3339))
		b.WriteString("</lastmod></url>\n")
	}
	b.WriteString("</urlset>\n")
	return b.Bytes()
}

// sitemapIndex names the parts. It says of none when it changed: that would be
// to read all posts.
func (s *Server) sitemapIndex(ranges []store.IDRange) *document {
	if ranges[0].From > 1 { // for the home page
		ranges = append([]store.IDRange{{From: 1}}, ranges...)
	}
	address := escapeXML(s.site.BaseURL + sitemapPath + "?part=")
	var b bytes.Buffer
	b.WriteString(xml.Header + "<sitemapindex" + sitemapSpace)
	for _, r := range ranges {
		b.WriteString("<sitemap><loc>" + address + strconv.FormatInt((r.From-1)/s.sitemaps.span+1, 10) + "</loc></sitemap>\n")
	}
	b.WriteString("</sitemapindex>\n")
	const index = 0
	doc := s.sitemaps.find(index).doc.renewed(b.Bytes(), s.now())
	s.sitemaps.keep(index, keptSitemap{doc: doc})
	return doc
}

func escapeXML(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer takes all
	return b.String()
}
