package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"madang/store"
	"madang/views"
)

const (
	usersPath = "/admin/users"
	// usersPageSize is how many members a list shows.
	usersPageSize = 50
)

// users is the list of members, narrowed to a text, a role and a state.
func (s *Server) users(c echo.Context) error {
	query, err := userQuery(c.QueryParams())
	if err != nil {
		return err
	}
	list, err := s.store.Members(c.Request().Context(), query)
	if err != nil {
		return fmt.Errorf("list members: %w", err)
	}
	return s.render(c, http.StatusOK, views.Users(views.UsersPage{Page: s.page(c), Query: query, List: list}))
}

func userQuery(q url.Values) (store.MemberQuery, error) {
	query := store.MemberQuery{
		Text: strings.TrimSpace(shown(q.Get("q"))), Role: store.Role(q.Get("role")),
		State: store.MemberState(q.Get("state")), Limit: usersPageSize,
	}
	if query.Role != "" && !slices.Contains(store.Roles(), query.Role) ||
		query.State != "" && !slices.Contains(store.MemberStates(), query.State) {
		return query, fmt.Errorf("%w: no such role or state of members", errBadRequest)
	}
	var err error
	query.Before, query.After, err = listEdges(q)
	return query, err
}

// disableUser keeps a member out.
func (s *Server) disableUser(c echo.Context) error {
	return s.onUser(c, userAct{
		name: views.ActDisable, do: s.store.Disable, event: "member disabled", notice: views.NoticeUserDisabled,
	})
}

// enableUser lets a member in again.
func (s *Server) enableUser(c echo.Context) error {
	return s.onUser(c, userAct{
		name: views.ActEnable, do: s.store.Enable, event: "member enabled", notice: views.NoticeUserEnabled,
	})
}

// changeRole gives a member another role.
func (s *Server) changeRole(c echo.Context) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	role := store.Role(f.get("role"))
	if !slices.Contains(store.Roles(), role) {
		return &store.InvalidError{Fields: map[string]store.Problem{"role": store.Malformed}}
	}
	return s.onUser(c, userAct{
		name: views.ActRole, role: role, event: "role changed", notice: views.NoticeUserRole,
		do: func(ctx context.Context, admin, id int64) error { return s.store.ChangeRole(ctx, admin, id, role) },
	})
}

// userAct is something an administrator does to a member.
type userAct struct {
	name   string
	role   store.Role // that the member is to have; "" for another act
	do     func(ctx context.Context, admin, id int64) error
	event  string
	notice string
}

// onUser acts on the member of the path, once the administrator has shown who
// they are. What is so already is no mistake.
func (s *Server) onUser(c echo.Context, act userAct) error {
	f, err := readForm(c)
	if err != nil {
		return err
	}
	id, err := pathID(c)
	if err != nil {
		return err
	}
	ctx, next := c.Request().Context(), backToUsers(f)
	member, err := s.store.MemberByID(ctx, id)
	if err != nil {
		return fmt.Errorf("%s: %w", act.name, err)
	}
	sure, err := s.confirmed(c, f, views.ConfirmPage{Act: act.name, Member: member, Role: act.role, Next: next})
	if err != nil {
		return fmt.Errorf("%s: %w", act.name, err)
	}
	if !sure {
		return nil
	}
	return s.hasActed(c, act, member, next, act.do(ctx, visitOf(c).user.ID, id))
}

// hasActed leads back with a notice of how an act ended.
func (s *Server) hasActed(c echo.Context, act userAct, member store.MemberRow, next string, err error) error {
	switch {
	case errors.Is(err, store.ErrLastAdmin):
		s.notify(c, views.NoticeUserLastAdmin, member.Nickname)
	case errors.Is(err, store.ErrOwnAccount):
		s.notify(c, views.NoticeUserOwnAccount)
	case errors.Is(err, store.ErrAdminPassword):
		return s.refuseAdmin(c, member, next)
	case err != nil:
		return fmt.Errorf("%s: %w", act.name, err)
	default:
		s.tellUserAct(c, act, member)
		if member.ID == visitOf(c).user.ID && act.role != "" && act.role != store.Admin {
			next = "/" // the list is closed to them now
		}
	}
	return s.redirect(c, next)
}

// refuseAdmin shows the list that the form stood on, and says why the member is
// no administrator.
func (s *Server) refuseAdmin(c echo.Context, member store.MemberRow, next string) error {
	s.event(c, slog.LevelInfo, "role refused", slog.Int64("member", member.ID), email(member.Email),
		slog.String("role", string(store.Admin)), slog.String("why", store.ErrAdminPassword.Error()))
	list, err := url.Parse(next)
	if err != nil {
		return fmt.Errorf("list members: %w", err)
	}
	query, err := userQuery(list.Query())
	if err != nil {
		return err
	}
	page := views.UsersPage{Page: s.page(c), Query: query, Weak: member.Nickname}
	page.Path = next
	if page.List, err = s.store.Members(c.Request().Context(), query); err != nil {
		return fmt.Errorf("list members: %w", err)
	}
	return s.render(c, http.StatusUnprocessableEntity, views.Users(page))
}

// tellUserAct says what was done, in the log and on the next page.
func (s *Server) tellUserAct(c echo.Context, act userAct, member store.MemberRow) {
	attrs := []slog.Attr{slog.Int64("member", member.ID), email(member.Email)}
	args := []string{member.Nickname}
	if act.role != "" {
		attrs = append(attrs, slog.String("before", string(member.Role)), slog.String("role", string(act.role)))
		args = append(args, visitOf(c).lang.Word("role."+string(act.role)))
	}
	s.event(c, slog.LevelInfo, act.event, attrs...)
	s.notify(c, act.notice, args...)
}

// backToUsers is the list that the form stood on, narrowed as it was.
func backToUsers(f form) string {
	if next := local(f.get("next")); strings.HasPrefix(next, usersPath+"?") {
		return next
	}
	return usersPath
}
