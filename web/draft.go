package web

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// written is what a form holds in which a member writes.
type written struct {
	draft store.Draft
	form  string // path of the page that holds the form
	// show answers with that page, filled in.
	show func(status int, problems map[string]store.Problem, w views.Writing) error
}

// draftButtons answers to the buttons of a form that do not publish, and to all
// of another member's: done is false for the one that publishes.
func (s *Server) draftButtons(c echo.Context, f form, text written) (done bool, err error) {
	switch {
	case ofAnother(c, f):
		return true, s.leaveToAnother(c, f, text)
	case f.has("discard"):
		return true, s.discardDraft(c, text)
	case unseen(f):
		return true, s.saveDraftUnseen(c, text)
	case f.has("draft"):
		return true, s.saveDraft(c, text)
	case f.has("preview"):
		return true, s.preview(c, text)
	}
	return false, nil
}

// unseen reports whether a script sends the form while somebody writes.
func unseen(f form) bool { return f.get("draft") == "auto" }

// ofAnother reports whether the form was made for another member, who has logged
// out since in another window of this browser.
func ofAnother(c echo.Context, f form) bool {
	id := writer(f)
	return id != 0 && id != visitOf(c).user.ID
}

// leaveToAnother keeps a text out of the drafts and posts of the member who is
// logged in now, until somebody who has been told so sends it again.
func (s *Server) leaveToAnother(c echo.Context, f form, text written) error {
	switch {
	case unseen(f):
		return store.ErrForbidden
	case f.has("discard"):
		return s.redirect(c, text.form)
	}
	return text.show(http.StatusUnprocessableEntity, map[string]store.Problem{"form": problemOther}, views.Writing{})
}

// discardDraft leads back to the form as it was before the draft.
func (s *Server) discardDraft(c echo.Context, text written) error {
	if err := s.store.DropDraft(c.Request().Context(), visitOf(c).user.ID, text.draft.Place); err != nil {
		return fmt.Errorf("discard: %w", err)
	}
	s.dropText(c)
	return s.redirect(c, text.form)
}

// saveDraftUnseen answers to a script, which goes on by itself.
func (s *Server) saveDraftUnseen(c echo.Context, text written) error {
	if err := s.store.SaveDraft(c.Request().Context(), visitOf(c).user, text.draft); err != nil {
		return fmt.Errorf("save by script: %w", err)
	}
	s.dropText(c) // the draft is newer
	return s.answer(c, http.StatusNoContent, "", nil)
}

// saveDraft leads to the form, which the draft fills.
func (s *Server) saveDraft(c echo.Context, text written) error {
	err := s.store.SaveDraft(c.Request().Context(), visitOf(c).user, text.draft)
	if err != nil {
		return s.draftRefused(c, text, err, views.Writing{})
	}
	s.dropText(c)
	return s.redirect(c, text.form)
}

// preview shows the text above its form, which can still be sent: nothing has
// been published.
func (s *Server) preview(c echo.Context, text written) error {
	ctx := c.Request().Context()
	err := s.store.PreviewDraft(ctx, visitOf(c).user, text.draft)
	_, hopeless := invalid(err)["body"]
	if err != nil && (hopeless || invalid(err) == nil) {
		return s.draftRefused(c, text, err, views.Writing{})
	}
	mentioned, lookup := s.store.Mentioned(ctx, text.draft.Body)
	if lookup != nil {
		return fmt.Errorf("preview: %w", lookup)
	}
	w := views.Writing{Previewed: true, Mentions: mentioned}
	if err != nil {
		return s.draftRefused(c, text, err, w)
	}
	s.dropText(c)
	return text.show(http.StatusOK, nil, w)
}

// draftRefused shows the form again with what was typed and what is wrong.
func (s *Server) draftRefused(c echo.Context, text written, err error, w views.Writing) error {
	if problems := invalid(err); problems != nil {
		return text.show(http.StatusUnprocessableEntity, problems, w)
	}
	if soon, ok := errors.AsType[*store.TooSoonError](err); ok {
		s.logError(c, err, http.StatusTooManyRequests)
		setRetryAfter(c, soon.Wait)
		return text.show(http.StatusTooManyRequests, map[string]store.Problem{"form": problemTooOften}, w)
	}
	return fmt.Errorf("draft: %w", err)
}

// draftOf looks for the draft that belongs into a form, and tells the form of
// it. What is edited may have been changed since: w says when it was last.
func (s *Server) draftOf(c echo.Context, place store.DraftPlace, w *views.Writing) (d store.Draft, found bool, err error) {
	d, err = s.store.DraftOf(c.Request().Context(), visitOf(c).user.ID, place)
	if errors.Is(err, store.ErrNotFound) {
		return d, false, nil
	}
	if err != nil {
		return d, false, fmt.Errorf("find draft: %w", err)
	}
	w.SavedAt, w.Changed, w.Base = d.SavedAt, !d.Base.Equal(w.Base), d.Base
	return d, true, nil
}

// base is when what is edited had been changed last when the form was made; now
// where the form does not say so.
func base(f form, now time.Time) time.Time {
	if f.get("base") == "0" {
		return time.Time{}
	}
	ms, err := strconv.ParseInt(f.get("base"), 10, 64)
	if err != nil || ms <= 0 || ms > now.UnixMilli() {
		return now
	}
	return time.UnixMilli(ms).UTC()
}
