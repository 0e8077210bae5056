package views

import (
	"net/url"
	"strconv"

	"madang/store"
)

// UsersPage is the list of members, for administrators.
type UsersPage struct {
	Page
	// Query is what the list is narrowed to.
	Query store.MemberQuery
	List  store.MemberList
	// Weak is the nickname of a member who was not made an administrator,
	// because their password may be too short for one; "" for none.
	Weak string
}

// Acts that ask who it is once more before they are done.
const (
	ActDisable = "disable"
	ActEnable  = "enable"
	ActRole    = "role"
)

// ConfirmPage asks the administrator for their password, and does what was
// asked for when it is right.
type ConfirmPage struct {
	Page
	Act    string // one of the acts
	Member store.MemberRow
	Role   store.Role // that the member is to have; "" for another act
	Next   string     // the page to go back to
}

func (p ConfirmPage) fields() []field {
	return []field{{Name: "current", Words: "own_password", Type: "password", Autocomplete: "current-password"}}
}

// what says what is going to be done.
func (p ConfirmPage) what() string {
	who := []any{p.Member.Nickname, p.Member.Email}
	if p.Act == ActRole {
		who = append(who, p.Lang.role(p.Role))
	}
	return p.Word("confirm."+p.Act, who...)
}

// role is the name of a role.
func (l Lang) role(r store.Role) string { return l.Word("role." + string(r)) }

func userPath(id int64, act string) string {
	return "/admin/users/" + strconv.FormatInt(id, 10) + "/" + act
}

// usersPath is a page of the list; key is "before" or "after", "" for the first page.
func usersPath(q store.MemberQuery, key string, id int64) string {
	query := url.Values{}
	for name, value := range map[string]string{"q": q.Text, "role": string(q.Role), "state": string(q.State)} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if key != "" {
		query.Set(key, strconv.FormatInt(id, 10))
	}
	if len(query) == 0 {
		return "/admin/users"
	}
	return "/admin/users?" + query.Encode()
}

// byRole is the list narrowed to another role, and byState to another state.
func (p UsersPage) byRole(role store.Role) string {
	q := p.Query
	q.Role = role
	return usersPath(q, "", 0)
}

func (p UsersPage) byState(state store.MemberState) string {
	q := p.Query
	q.State = state
	return usersPath(q, "", 0)
}

func (p UsersPage) olderHref() string {
	return p.Href(usersPath(p.Query, "before", p.List.Members[len(p.List.Members)-1].ID))
}

func (p UsersPage) newerHref() string {
	return p.Href(usersPath(p.Query, "after", p.List.Members[0].ID))
}

func stateOf(m store.MemberRow) store.MemberState {
	if m.Disabled() {
		return store.Disabled
	}
	return store.Active
}

// roleID names the list of roles of a member in their line.
func roleID(m store.MemberRow) string { return "role-" + strconv.FormatInt(m.ID, 10) }
