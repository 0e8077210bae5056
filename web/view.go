package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// renderViewed sends a post that is being viewed. The page leaves once the
// event is on disk and the mark of a member set; it is rendered meanwhile. When
// the event cannot be written the page goes out all the same, and says so.
func (s *Server) renderViewed(c echo.Context, page views.PostPage, marked func()) error {
	ctx := c.Request().Context()
	written := s.recordView(ctx, c, page.Post.ID)
	buf := templ.GetBuffer()
	defer templ.ReleaseBuffer(buf)
	body, err := s.guestPages.render(ctx, buf, page)
	if err != nil {
		return fmt.Errorf("render post: %w", err)
	}
	err = written(ctx)
	marked()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("wait for view: %w", err) // the reader left
	}
	if err != nil {
		if s.watch.Uncounted != nil {
			s.watch.Uncounted()
		}
		s.event(c, slog.LevelError, "view not counted", slog.Any("err", err))
		page.Counted = false
		return s.render(c, http.StatusOK, views.Post(page))
	}
	return s.send(c, http.StatusOK, html, body)
}

// recordView puts the reading into the open batch and returns the wait for it.
func (s *Server) recordView(ctx context.Context, c echo.Context, postID int64) func(context.Context) error {
	v := visitOf(c)
	event, err := s.store.ViewEvent(ctx, postID, v.user.ID, v.client, c.Request().UserAgent())
	if err != nil {
		return func(context.Context) error { return err }
	}
	return s.views.Record(event)
}

// isView says whether a reading is one to be counted: a person who is not the
// author and who looks at the page.
func (s *Server) isView(c echo.Context, post store.Post) bool {
	r := c.Request()
	return r.Method == http.MethodGet && !prefetched(r.Header) &&
		visitOf(c).user.ID != post.AuthorID && !s.robots.is(r.UserAgent())
}

// prefetched is true when a browser fetches a page that nobody looks at yet.
func prefetched(h http.Header) bool {
	return h.Get("Sec-Purpose") != "" || h.Get("Purpose") != "" || h.Get("X-Moz") != ""
}
