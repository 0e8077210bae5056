package web

import (
	"context"
	"fmt"

	"github.com/labstack/echo/v4"

	"madang/store"
)

// like marks a post as liked by this member, however often it is sent.
func (s *Server) like(c echo.Context) error { return s.setLike(c, s.store.Like) }

// unlike takes the mark away, however often it is sent.
func (s *Server) unlike(c echo.Context) error { return s.setLike(c, s.store.Unlike) }

func (s *Server) setLike(c echo.Context, set func(context.Context, store.User, int64) error) error {
	id, err := pathID(c)
	if err != nil {
		return err
	}
	if err := set(c.Request().Context(), visitOf(c).user, id); err != nil {
		return fmt.Errorf("set like: %w", err)
	}
	return s.redirect(c, postPath(id))
}
