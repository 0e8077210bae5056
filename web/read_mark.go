package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"madang/store"
)

// markTime is how long a page waits for its mark, as long as for its view.
const markTime = 2 * time.Second

var errMarkLate = errors.New("the mark was not written in time")

// markRead notes that a member has opened a post, and returns the wait for it:
// the list that is asked for next must know. A page whose mark cannot be written
// goes out all the same.
func (s *Server) markRead(c echo.Context, postID int64, reading store.Reading) (marked func()) {
	r, user := c.Request(), visitOf(c).user
	if user.ID == 0 || r.Method != http.MethodGet || prefetched(r.Header) {
		return func() {}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), markTime)
	done := make(chan error, 1)
	go func() {
		defer cancel()
		done <- s.store.MarkRead(ctx, user.ID, postID, reading)
	}()
	return func() {
		err := errMarkLate
		select {
		case err = <-done:
		case <-time.After(markTime):
		}
		if err != nil {
			s.event(c, slog.LevelWarn, "post not marked as read", slog.Any("err", err))
		}
	}
}
