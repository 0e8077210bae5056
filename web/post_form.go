package web

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

// newPost is the form for a new post.
func (s *Server) newPost(c echo.Context) error {
	page := views.PostFormPage{Page: s.page(c), FormID: newID()}
	if err := s.fillPost(c, &page); err != nil {
		return err
	}
	return s.render(c, http.StatusOK, views.PostForm(page))
}

// fillPost puts a kept text back into its form, or a draft.
func (s *Server) fillPost(c echo.Context, page *views.PostFormPage) error {
	text, found, err := s.keptText(c, s.here(c))
	if err != nil {
		return err
	}
	if !found {
		d, found, err := s.draftOf(c, postPlace(page.ID), &page.Writing)
		if found {
			page.Title, page.Body = d.Title, d.Body
		}
		return err
	}
	page.Title, page.Body = text.Title, text.Body
	if text.FormID != "" {
		page.FormID = text.FormID
	}
	textBack(&page.Page)
	return nil
}

// createPost publishes a post, once for each form.
func (s *Server) createPost(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	n := store.NewPost{Title: f.get("title"), Body: f.get("body"), FormID: f.formID()}
	if done, err := s.draftButtons(c, f, s.postText(c, store.Post{}, n, f)); done {
		return err
	}
	if n.FormID == "" {
		return s.postRefused(c, store.Post{}, n, f, map[string]store.Problem{"form_id": store.Missing})
	}
	id, err := s.store.CreatePost(c.Request().Context(), visitOf(c).user, n)
	if problems := invalid(err); problems != nil {
		return s.postRefused(c, store.Post{}, n, f, problems)
	}
	if reused, ok := errors.AsType[*store.FormReusedError](err); ok {
		return s.postReused(c, reused, n)
	}
	if err != nil {
		return fmt.Errorf("create post: %w", err)
	}
	s.dropText(c)
	s.notify(c, views.NoticePosted)
	return s.redirect(c, postPath(id))
}

// postReused goes on with a form that was sent before: an echo leads to the
// post it made; another text goes into that post's edit form, not lost and
// not published twice.
func (s *Server) postReused(c echo.Context, reused *store.FormReusedError, n store.NewPost) error {
	if reused.Same {
		return s.redirect(c, postPath(reused.ID))
	}
	edit := postPath(reused.ID) + "/edit"
	err := s.keep(c, store.KeptText{Path: edit, Title: n.Title, Body: n.Body})
	if err != nil {
		return err
	}
	s.notify(c, views.NoticeFormReused)
	return s.redirect(c, edit)
}

// postRefused shows the form again with what was typed and what is wrong.
func (s *Server) postRefused(c echo.Context, post store.Post, n store.NewPost, f form, problems map[string]store.Problem) error {
	return s.postText(c, post, n, f).show(http.StatusUnprocessableEntity, problems, views.Writing{})
}

// postText is what the form of a post holds; post is the one that is edited.
func (s *Server) postText(c echo.Context, post store.Post, n store.NewPost, f form) written {
	d := store.Draft{
		Place: postPlace(post.ID), Title: n.Title, Body: n.Body, FormID: n.FormID, Base: base(f, post.EditedAt),
	}
	show := func(status int, problems map[string]store.Problem, w views.Writing) error {
		page := views.PostFormPage{
			Page: s.page(c), ID: post.ID, Title: shown(n.Title), Body: shown(n.Body), FormID: n.FormID, Writing: w,
		}
		page.Base, page.Changed = d.Base, !d.Base.Equal(post.EditedAt)
		if page.FormID == "" && post.ID == 0 {
			page.FormID = newID()
		}
		page.Problems = problems
		return s.render(c, status, views.PostForm(page))
	}
	return written{draft: d, form: s.here(c), show: show}
}

// postPlace is where drafts of a post are kept, 0 for a new one.
func postPlace(id int64) store.DraftPlace {
	if id == 0 {
		return store.DraftPlace{Form: store.DraftPost}
	}
	return store.DraftPlace{Form: store.DraftPostEdit, Subject: id}
}

// ownPost is the post of the path, if this member may change it.
func (s *Server) ownPost(c echo.Context) (store.Post, error) {
	id, err := pathID(c)
	if err != nil {
		return store.Post{}, err
	}
	post, err := s.store.PostByID(c.Request().Context(), id)
	if err != nil {
		return store.Post{}, fmt.Errorf("read post: %w", err)
	}
	if !visitOf(c).user.MayChange(post.AuthorID) {
		return store.Post{}, store.ErrForbidden
	}
	return post, nil
}

// editPost is the form to change a post.
func (s *Server) editPost(c echo.Context) error {
	post, err := s.ownPost(c)
	if err != nil {
		return err
	}
	page := views.PostFormPage{Page: s.page(c), ID: post.ID, Title: post.Title, Body: post.Body}
	page.Base = post.EditedAt
	if err := s.fillPost(c, &page); err != nil {
		return err
	}
	return s.render(c, http.StatusOK, views.PostForm(page))
}

// savePost changes a post.
func (s *Server) savePost(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	post, err := s.ownPost(c)
	if err != nil {
		return err
	}
	n := store.NewPost{Title: f.get("title"), Body: f.get("body")}
	if done, err := s.draftButtons(c, f, s.postText(c, post, n, f)); done {
		return err
	}
	err = s.store.EditPost(c.Request().Context(), visitOf(c).user, post.ID, n)
	if problems := invalid(err); problems != nil {
		return s.postRefused(c, post, n, f, problems)
	}
	if err != nil {
		return fmt.Errorf("edit post: %w", err)
	}
	s.moderated(c, "post changed", post.AuthorID)
	s.dropText(c)
	s.notify(c, views.NoticePostSaved)
	return s.redirect(c, postPath(post.ID))
}

// deletePost deletes a post.
func (s *Server) deletePost(c echo.Context) error {
	post, err := s.ownPost(c)
	if err != nil {
		return err
	}
	if err := s.store.DeletePost(c.Request().Context(), visitOf(c).user, post.ID); err != nil {
		return fmt.Errorf("delete post: %w", err)
	}
	s.moderated(c, "post deleted", post.AuthorID)
	s.notify(c, views.NoticePostDeleted)
	return s.redirect(c, "/")
}
