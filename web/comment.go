package web

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// fillComment puts a kept text back into the form under the post, or a draft.
func (s *Server) fillComment(c echo.Context, page *views.PostPage) error {
	if visitOf(c).user.ID == 0 {
		return nil
	}
	text, found, err := s.keptText(c, postPath(page.Post.ID))
	if err != nil {
		return err
	}
	if !found {
		d, found, err := s.draftOf(c, store.DraftPlace{Form: store.DraftComment, Subject: page.Post.ID}, &page.Writing)
		if found {
			page.Form.Body, page.Form.Parent = d.Body, d.Parent
		}
		return err
	}
	page.Form.Body, page.Form.Parent = text.Body, text.Parent
	if text.FormID != "" {
		page.Form.FormID = text.FormID
	}
	textBack(&page.Page)
	return nil
}

// fillReply makes the form under the post answer the comment that the query
// names, or none when that one is not there. An answer to an answer stands
// under the comment that began the thread, so its text names whom it is for.
func fillReply(c echo.Context, page *views.PostPage) {
	reply := c.QueryParam("reply")
	if reply == "" || page.Guest() {
		return
	}
	page.Form.Parent = 0
	id, err := parseID(reply)
	if err != nil {
		return
	}
	for _, comment := range page.Comments {
		if comment.ID != id {
			continue
		}
		page.Form.Parent = id
		if comment.Parent != 0 && comment.Author != "" && page.Form.Body == "" {
			page.Form.Body = "@" + comment.Author + " "
		}
	}
}

// parent is the comment that a new one answers, 0 for none. What is no number
// answers a comment that does not exist.
func parent(f form) int64 {
	if f.get("parent") == "" {
		return 0
	}
	id, err := parseID(f.get("parent"))
	if err != nil {
		return -1
	}
	return id
}

// createComment adds a comment, once for each form.
func (s *Server) createComment(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	postID, err := pathID(c)
	if err != nil {
		return err
	}
	n := store.NewComment{PostID: postID, Parent: parent(f), Body: f.get("body"), FormID: f.formID()}
	if done, err := s.draftButtons(c, f, s.commentText(c, n)); done {
		return err
	}
	if n.FormID == "" {
		return s.commentRefused(c, n, map[string]store.Problem{"form_id": store.Missing})
	}
	id, err := s.store.CreateComment(c.Request().Context(), visitOf(c).user, n)
	if problems := invalid(err); problems != nil {
		return s.commentRefused(c, n, problems)
	}
	if reused, ok := errors.AsType[*store.FormReusedError](err); ok {
		return s.commentReused(c, reused, n)
	}
	if err != nil {
		return fmt.Errorf("create comment: %w", err)
	}
	s.dropText(c)
	s.notify(c, views.NoticeCommented)
	return s.toComment(c, postID, id)
}

// commentReused goes on as postReused does.
func (s *Server) commentReused(c echo.Context, reused *store.FormReusedError, n store.NewComment) error {
	if reused.Same {
		return s.toComment(c, n.PostID, reused.ID)
	}
	edit := commentPath(reused.ID) + "/edit"
	if err := s.keep(c, store.KeptText{Path: edit, Body: n.Body}); err != nil {
		return err
	}
	s.notify(c, views.NoticeFormReused)
	return s.redirect(c, edit)
}

// commentRefused shows the post again with the form filled in.
func (s *Server) commentRefused(c echo.Context, n store.NewComment, problems map[string]store.Problem) error {
	return s.commentText(c, n).show(http.StatusUnprocessableEntity, problems, views.Writing{})
}

// commentText is what the form under a post holds.
func (s *Server) commentText(c echo.Context, n store.NewComment) written {
	return written{
		draft: store.Draft{
			Place: store.DraftPlace{Form: store.DraftComment, Subject: n.PostID}, Body: n.Body, FormID: n.FormID, Parent: max(n.Parent, 0),
		},
		form: postPath(n.PostID) + "#comment-form",
		show: func(status int, problems map[string]store.Problem, w views.Writing) error {
			return s.commentAgain(c, n, status, problems, w)
		},
	}
}

func (s *Server) commentAgain(c echo.Context, n store.NewComment, status int, problems map[string]store.Problem, w views.Writing) error {
	page, _, err := s.postPage(c, place{holds: max(n.Parent, 0)})
	if err != nil {
		return err
	}
	page.Form.Body = shown(n.Body)
	if n.Parent > 0 {
		page.Form.Parent = n.Parent
	}
	if n.FormID != "" {
		page.Form.FormID = n.FormID
	}
	page.Problems, page.Writing = problems, w
	return s.render(c, status, views.Post(page))
}

// ownComment is the comment of the path, if this member may change it.
func (s *Server) ownComment(c echo.Context) (store.Comment, error) {
	id, err := pathID(c)
	if err != nil {
		return store.Comment{}, err
	}
	comment, err := s.store.CommentByID(c.Request().Context(), id)
	if err != nil {
		return store.Comment{}, fmt.Errorf("read comment: %w", err)
	}
	if !visitOf(c).user.MayChange(comment.AuthorID) {
		return store.Comment{}, store.ErrForbidden
	}
	return comment, nil
}

// editComment is the form to change a comment.
func (s *Server) editComment(c echo.Context) error {
	comment, err := s.ownComment(c)
	if err != nil {
		return err
	}
	page := views.CommentPage{Page: s.page(c), ID: comment.ID, PostID: comment.PostID, Body: comment.Body}
	page.Base = comment.EditedAt
	if err := s.fillEdited(c, &page); err != nil {
		return err
	}
	return s.render(c, http.StatusOK, views.Comment(page))
}

// fillEdited does as fillPost.
func (s *Server) fillEdited(c echo.Context, page *views.CommentPage) error {
	text, found, err := s.keptText(c, s.here(c))
	if err != nil {
		return err
	}
	if found {
		page.Body = text.Body
		textBack(&page.Page)
		return nil
	}
	d, found, err := s.draftOf(c, store.DraftPlace{Form: store.DraftCommentEdit, Subject: page.ID}, &page.Writing)
	if found {
		page.Body = d.Body
	}
	return err
}

// saveComment changes a comment.
func (s *Server) saveComment(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	comment, err := s.ownComment(c)
	if err != nil {
		return err
	}
	text := s.editedText(c, comment, f)
	if done, err := s.draftButtons(c, f, text); done {
		return err
	}
	err = s.store.EditComment(c.Request().Context(), visitOf(c).user, comment.ID, f.get("body"))
	if problems := invalid(err); problems != nil {
		return text.show(http.StatusUnprocessableEntity, problems, views.Writing{})
	}
	if err != nil {
		return fmt.Errorf("edit comment: %w", err)
	}
	s.moderated(c, "comment changed", comment.AuthorID)
	s.dropText(c)
	s.notify(c, views.NoticeCommentSaved)
	return s.toComment(c, comment.PostID, comment.ID)
}

// editedText is what the form of a comment that is edited holds.
func (s *Server) editedText(c echo.Context, comment store.Comment, f form) written {
	d := store.Draft{
		Place: store.DraftPlace{Form: store.DraftCommentEdit, Subject: comment.ID}, Body: f.get("body"), Base: base(f, comment.EditedAt),
	}
	show := func(status int, problems map[string]store.Problem, w views.Writing) error {
		page := views.CommentPage{Page: s.page(c), ID: comment.ID, PostID: comment.PostID, Body: shown(d.Body), Writing: w}
		page.Base, page.Changed = d.Base, !d.Base.Equal(comment.EditedAt)
		page.Problems = problems
		return s.render(c, status, views.Comment(page))
	}
	return written{draft: d, form: s.here(c), show: show}
}

// deleteComment deletes a comment.
func (s *Server) deleteComment(c echo.Context) error {
	comment, err := s.ownComment(c)
	if err != nil {
		return err
	}
	if err := s.store.DeleteComment(c.Request().Context(), visitOf(c).user, comment.ID); err != nil {
		return fmt.Errorf("delete comment: %w", err)
	}
	s.moderated(c, "comment deleted", comment.AuthorID)
	s.notify(c, views.NoticeCommentDeleted)
	return s.redirect(c, postPath(comment.PostID))
}

func commentPath(id int64) string { return "/comments/" + strconv.FormatInt(id, 10) }

// toComment leads to a comment under its post. The part of an address that
// names it does not come back to us: the session says which page of comments the
// next look at the post has to show.
func (s *Server) toComment(c echo.Context, postID, id int64) error {
	s.put(c, placeKey, id)
	return s.redirect(c, postPath(postID)+"#comment-"+strconv.FormatInt(id, 10))
}
