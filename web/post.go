package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// post shows a post and counts the reading.
func (s *Server) post(c echo.Context) error {
	page, reading, err := s.postPage(c, s.commentPlace(c))
	if err != nil {
		return err
	}
	if err := s.fillComment(c, &page); err != nil {
		return err
	}
	fillReply(c, &page)
	marked := s.markRead(c, page.Post.ID, reading)
	if s.isView(c, page.Post) {
		return s.renderViewed(c, page, marked)
	}
	marked()
	return s.render(c, http.StatusOK, views.Post(page))
}

// place is which comments of a post are shown.
type place struct {
	from  int64 // the page begins with this one; 0: with the first
	holds int64 // the page holds this one, as long as it is there; 0: any
}

// commentPlace is where a visitor of a post wants to be among its comments:
// where a link leads, at the comment to answer, or at the one just written, of
// which the address says nothing that reaches us.
func (s *Server) commentPlace(c echo.Context) place {
	if from, err := parseID(c.QueryParam("comments")); err == nil {
		return place{from: from}
	}
	if reply, err := parseID(c.QueryParam("reply")); err == nil {
		return place{holds: reply}
	}
	if visitOf(c).user.ID == 0 {
		return place{}
	}
	ctx := c.Request().Context()
	written := s.sessions.GetInt64(ctx, placeKey)
	if c.Request().Method != http.MethodHead {
		s.remove(c, placeKey)
	}
	return place{holds: written}
}

// postPage loads a post with its comments, as this visitor sees them. What it
// was to a member is asked first, see [store.Store.Reading].
func (s *Server) postPage(c echo.Context, at place) (page views.PostPage, reading store.Reading, err error) {
	id, err := pathID(c)
	if err != nil {
		return page, reading, err
	}
	ctx, user := c.Request().Context(), visitOf(c).user
	if user.ID != 0 {
		if reading, err = s.store.Reading(ctx, user.ID, id); err != nil {
			return page, reading, fmt.Errorf("read marks: %w", err)
		}
		page.Form.FormID, page.Liked, page.Seen = newID(), reading.Liked, seenUpTo(reading)
	}
	thread, err := s.thread(ctx, id, at)
	if err != nil {
		return page, reading, fmt.Errorf("read post: %w", err)
	}
	page.Post, page.Comments, page.Mentions = thread.Post, thread.Comments, thread.Mentions
	page.Earlier, page.Later = thread.Earlier, thread.Later
	page.Counted, page.Page = true, s.page(c)
	return page, reading, nil
}

// thread reads the page of comments that a visitor wants to see.
func (s *Server) thread(ctx context.Context, id int64, at place) (store.Thread, error) {
	if at.from != 0 {
		return s.store.ThreadFrom(ctx, id, at.from)
	}
	thread, err := s.store.Thread(ctx, id)
	if err != nil || at.holds == 0 || thread.Later == 0 ||
		slices.ContainsFunc(thread.Comments, func(c store.Comment) bool { return c.ID == at.holds }) {
		return thread, err
	}
	return s.store.ThreadFrom(ctx, id, at.holds)
}

// seenUpTo is the newest comment a member has seen; -1 where there was none when
// they were here, 0 where none is new.
func seenUpTo(r store.Reading) int64 {
	if r.Known() && r.Seen == 0 {
		return -1
	}
	return r.Seen
}

func postPath(id int64) string { return "/posts/" + strconv.FormatInt(id, 10) }
