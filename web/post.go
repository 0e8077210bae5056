package web

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"madang/views"
)

// post shows a post and counts the reading.
func (s *Server) post(c echo.Context) error {
	page, err := s.postPage(c)
	if err != nil {
		return err
	}
	if err := s.fillComment(c, &page); err != nil {
		return err
	}
	fillReply(c, &page)
	if !s.isView(c, page.Post) {
		return s.render(c, http.StatusOK, views.Post(page))
	}
	return s.renderViewed(c, page)
}

// postPage loads a post with its comments, as this visitor sees them.
func (s *Server) postPage(c echo.Context) (views.PostPage, error) {
	id, err := pathID(c)
	if err != nil {
		return views.PostPage{}, err
	}
	ctx, user := c.Request().Context(), visitOf(c).user
	thread, err := s.store.Thread(ctx, id)
	if err != nil {
		return views.PostPage{}, fmt.Errorf("read post: %w", err)
	}
	page := views.PostPage{Post: thread.Post, Comments: thread.Comments, Counted: true}
	if user.ID != 0 {
		page.Form.FormID = newID()
		if page.Liked, err = s.store.Liked(ctx, user.ID, id); err != nil {
			return views.PostPage{}, fmt.Errorf("read like: %w", err)
		}
	}
	page.Page = s.page(c)
	return page, nil
}

func postPath(id int64) string { return "/posts/" + strconv.FormatInt(id, 10) }
