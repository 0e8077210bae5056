package web

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// pageSize is how many posts a list shows.
const pageSize = 20

// home is the list of posts.
func (s *Server) home(c echo.Context) error {
	query, err := listQuery(c.QueryParams())
	if err != nil {
		return err
	}
	list, err := s.store.Posts(c.Request().Context(), query)
	if err != nil {
		return fmt.Errorf("list posts: %w", err)
	}
	unread, err := s.unread(c, list.Posts)
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, views.Home(views.HomePage{
		Page: s.page(c), List: list, Sort: query.Sort, Unread: unread,
	}))
}

// unread is what is new about posts to this visitor; to a guest nothing is.
func (s *Server) unread(c echo.Context, posts []store.Post) (map[int64]store.Unread, error) {
	user := visitOf(c).user
	if user.ID == 0 {
		return nil, nil //nolint:nilnil // nothing is new
	}
	unread, err := s.store.Unread(c.Request().Context(), user, posts)
	if err != nil {
		return nil, fmt.Errorf("read marks: %w", err)
	}
	return unread, nil
}

// listQuery is which page of the list is asked for.
func listQuery(q url.Values) (store.ListQuery, error) {
	query := store.ListQuery{Sort: store.SortNew, Limit: pageSize}
	switch sort := store.Sort(q.Get("sort")); sort {
	case "", store.SortNew:
	case store.SortPopular:
		query.Sort = sort
	default:
		return query, fmt.Errorf("%w: no such order", errBadRequest)
	}
	var err error
	query.Before, query.After, err = listEdges(q)
	return query, err
}

// listEdges are the ids before or after which a page of a list begins.
func listEdges(q url.Values) (before, after int64, err error) {
	if before, err = listEdge(q, "before"); err != nil {
		return 0, 0, err
	}
	if after, err = listEdge(q, "after"); err != nil {
		return 0, 0, err
	}
	if before != 0 && after != 0 {
		return 0, 0, fmt.Errorf("%w: before and after together", errBadRequest)
	}
	return before, after, nil
}

func listEdge(q url.Values, name string) (int64, error) {
	if !q.Has(name) {
		return 0, nil
	}
	return parseID(q.Get(name))
}
