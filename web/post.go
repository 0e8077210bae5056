package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// viewWait is how long a page waits for its view to be on disk.
const viewWait = 2 * time.Second

// post shows a post and counts the reading. The page leaves once the event is
// on disk; it is rendered meanwhile. When the event cannot be written the page
// goes out all the same, and says so.
func (s *Server) post(c echo.Context) error {
	page, err := s.postPage(c)
	if err != nil {
		return err
	}
	if err := s.fillComment(c, &page); err != nil {
		return err
	}
	if !s.isView(c, page.Post) {
		return s.render(c, http.StatusOK, views.Post(page))
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), viewWait)
	defer cancel()
	written := s.recordView(ctx, c, page.Post.ID)
	buf := templ.GetBuffer()
	defer templ.ReleaseBuffer(buf)
	if err := views.Post(page).Render(ctx, buf); err != nil {
		return fmt.Errorf("render post: %w", err)
	}
	if err := written(ctx); err != nil {
		s.event(c, slog.LevelError, "view not counted", slog.Any("err", err))
		page.Counted = false
		return s.render(c, http.StatusOK, views.Post(page))
	}
	return s.answer(c, http.StatusOK, html, buf.Bytes())
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

// postPage loads a post with its comments, as this visitor sees them.
func (s *Server) postPage(c echo.Context) (views.PostPage, error) {
	id, err := pathID(c)
	if err != nil {
		return views.PostPage{}, err
	}
	ctx, user := c.Request().Context(), visitOf(c).user
	post, err := s.store.PostByID(ctx, id)
	if err != nil {
		return views.PostPage{}, fmt.Errorf("read post: %w", err)
	}
	page := views.PostPage{Post: post, CanEdit: mayEdit(user, post.AuthorID), Counted: true}
	if page.Comments, err = s.comments(ctx, user, post); err != nil {
		return views.PostPage{}, err
	}
	if user.ID != 0 {
		if page.Liked, err = s.store.Liked(ctx, user.ID, id); err != nil {
			return views.PostPage{}, fmt.Errorf("read like: %w", err)
		}
	}
	page.Page = s.page(c)
	page.Form = views.CommentForm{FormID: newID()}
	return page, nil
}

// mayEdit reports whether the user may change what the author wrote.
func mayEdit(user store.User, authorID int64) bool {
	return user.ID != 0 && (user.ID == authorID || user.Moderates())
}

func postPath(id int64) string { return "/posts/" + strconv.FormatInt(id, 10) }
