package web

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"madang/store"
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
	post, err := s.store.PostByID(ctx, id)
	if err != nil {
		return views.PostPage{}, fmt.Errorf("read post: %w", err)
	}
	page := views.PostPage{Post: post, CanEdit: mayEdit(user, post.AuthorID), Counted: true}
	if page.Comments, err = s.comments(ctx, user, post); err != nil {
		return views.PostPage{}, err
	}
	if user.ID != 0 {
		page.Form.FormID = newID()
		if page.Liked, err = s.store.Liked(ctx, user.ID, id); err != nil {
			return views.PostPage{}, fmt.Errorf("read like: %w", err)
		}
	}
	page.Page = s.page(c)
	return page, nil
}

// mayEdit reports whether the user may change what the author wrote.
func mayEdit(user store.User, authorID int64) bool {
	return user.ID != 0 && (user.ID == authorID || user.Moderates())
}

func postPath(id int64) string { return "/posts/" + strconv.FormatInt(id, 10) }
