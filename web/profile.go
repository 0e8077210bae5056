package web

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// profile is what a member wrote. The same nickname in another spelling leads
// to the one that is shown everywhere.
func (s *Server) profile(c echo.Context) error {
	nickname, err := url.PathUnescape(c.Param("nickname"))
	if c.Request().URL.RawPath == "" {
		nickname, err = c.Param("nickname"), nil // has been decoded
	}
	if err != nil {
		return store.ErrNotFound
	}
	profile, err := s.store.Profile(c.Request().Context(), nickname)
	if err != nil {
		return fmt.Errorf("read profile: %w", err)
	}
	if profile.Nickname != nickname {
		return s.redirect(c, profilePath(profile.Nickname, c.QueryString()))
	}
	page := views.ProfilePage{Profile: profile, Part: views.ProfilePosts}
	if c.QueryParam("show") == string(views.ProfileComments) {
		page.Part = views.ProfileComments
	}
	if err := s.fillProfile(c, &page); err != nil {
		return err
	}
	page.Page = s.page(c)
	return s.render(c, http.StatusOK, views.Profile(page))
}

func (s *Server) fillProfile(c echo.Context, page *views.ProfilePage) (err error) {
	ctx, query := c.Request().Context(), store.ListQuery{Limit: pageSize}
	if query.Before, query.After, err = listEdges(c.QueryParams()); err != nil {
		return err
	}
	if page.Part == views.ProfileComments {
		page.Said, err = s.store.CommentsBy(ctx, page.Profile.ID, query)
	} else {
		page.Posts, err = s.store.PostsBy(ctx, page.Profile.ID, query)
	}
	if err != nil {
		return fmt.Errorf("read profile: %w", err)
	}
	return nil
}

func profilePath(nickname, query string) string {
	path := "/users/" + url.PathEscape(nickname)
	if query != "" {
		path += "?" + query
	}
	return path
}
