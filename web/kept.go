package web

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// keepText keeps the text of a form that a guest posts, most likely somebody
// whose session ended meanwhile. It comes back in its form after login. What a
// script sends is not kept: it would use up the turns before the member notices.
func (s *Server) keepText(c echo.Context) error {
	f, err := readForm(c)
	if err != nil || unseen(f) {
		return err
	}
	return s.keep(c, store.KeptText{
		Path:   s.here(c),
		Title:  shown(f.get("title")),
		Body:   shown(f.get("body")),
		FormID: f.formID(),
		Parent: max(parent(f), 0),
		UserID: writer(f),
	})
}

// writer is for whom a form was made, 0 when it does not say so. It is only what
// the browser says, and only keeps the text from others who log in there.
func writer(f form) int64 {
	id, err := parseID(f.get("member"))
	if err != nil {
		return 0
	}
	return id
}

// keep stores a text under the session's owner id.
func (s *Server) keep(c echo.Context, text store.KeptText) error {
	if strings.TrimSpace(text.Title+text.Body) == "" {
		return nil
	}
	if text.UserID == 0 {
		text.UserID = visitOf(c).user.ID
	}
	owner := s.keptOwner(c)
	if owner == "" {
		owner = newID()
		s.put(c, keptKey, owner)
	}
	if err := s.store.KeepText(c.Request().Context(), owner, visitOf(c).client, text); err != nil {
		return fmt.Errorf("keep text: %w", err)
	}
	s.notify(c, views.NoticeTextKept)
	return nil
}

// keptText returns the text kept for a form page, and whether there is one.
func (s *Server) keptText(c echo.Context, path string) (store.KeptText, bool, error) {
	owner := s.keptOwner(c)
	if owner == "" {
		return store.KeptText{}, false, nil
	}
	text, err := s.store.KeptText(c.Request().Context(), owner, path, visitOf(c).user.ID)
	if errors.Is(err, store.ErrNotFound) {
		return store.KeptText{}, false, nil
	}
	if err != nil {
		return store.KeptText{}, false, fmt.Errorf("read kept text: %w", err)
	}
	return text, true, nil
}

// dropText forgets the kept text of a form that has been submitted now. The
// submission stands, so a failure here is only logged; the text ends by itself.
func (s *Server) dropText(c echo.Context) {
	_, found, err := s.keptText(c, s.here(c))
	if err == nil && found {
		err = s.store.DropKeptText(c.Request().Context(), s.keptOwner(c))
		s.remove(c, keptKey)
	}
	if err != nil {
		s.event(c, slog.LevelError, "kept text not dropped", slog.Any("err", err))
	}
}

func (s *Server) keptOwner(c echo.Context) string {
	return s.sessions.GetString(c.Request().Context(), keptKey)
}

// textBack tells that a kept text stands in the form again, where nothing more
// to the point is said already.
func textBack(p *views.Page) {
	if p.Notice.Key != views.NoticeFormReused {
		p.Notice = views.Notice{Key: views.NoticeTextBack}
	}
}
