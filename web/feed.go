package web

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

const atom = "application/atom+xml; charset=utf-8"

// feeds remembers the feed as it was last made, and what it was made of. The
// posts are read for each request: a deleted one is gone from the next on.
type feeds struct {
	mu   sync.Mutex
	kept map[views.Lang]keptFeed
}

type keptFeed struct {
	posts []store.Post
	doc   *document
}

func newFeeds() *feeds { return &feeds{kept: map[views.Lang]keptFeed{}} }

// document returns the feed of some posts. While it is made anew all wait: most
// of them want just that one.
func (f *feeds) document(p views.FeedPage, now time.Time) (*document, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept := f.kept[p.Lang]
	if kept.doc != nil && slices.Equal(kept.posts, p.Posts) {
		return kept.doc, nil
	}
	body, err := views.Feed(p)
	if err != nil {
		return nil, err
	}
	kept = keptFeed{p.Posts, kept.doc.renewed(body, now)}
	f.kept[p.Lang] = kept
	return kept.doc, nil
}

// feed is the newest posts for programs.
func (s *Server) feed(c echo.Context) error {
	posts, err := s.store.Feed(c.Request().Context())
	if err != nil {
		return fmt.Errorf("read posts: %w", err)
	}
	doc, err := s.feeds.document(views.FeedPage{Page: s.barePage(c), Posts: posts}, s.now())
	if err != nil {
		return fmt.Errorf("make feed: %w", err)
	}
	return s.answerPolled(c, atom, doc)
}
