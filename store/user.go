package store

import (
	"net/netip"
	"time"
)

// Role is what a member may do.
type Role string

// The roles, from the least to the most rights.
const (
	Member    Role = "member"
	Moderator Role = "moderator"
	Admin     Role = "admin"
)

// User is a member whose address is proven. A sign-up is no user.
type User struct {
	ID        int64
	Email     string
	Nickname  string
	Name      string // seen by admins only
	Role      Role
	Lang      string // "ko" or "en"
	CreatedAt time.Time
}

// Moderates reports whether the user may change what others wrote.
func (u User) Moderates() bool { return u.Role == Moderator || u.Role == Admin }

// Login is what somebody types to log in.
type Login struct {
	Email    string
	Password string
	Client   netip.Addr
}

// LoggedIn is the result of a good login: a member, or the newest sign-up of
// an address that is not proven yet. Exactly one of the two is set.
type LoggedIn struct {
	User     User
	SignupID int64
}

// NewAdmin holds the details of an administrator made by the command line.
type NewAdmin struct {
	Email    string
	Nickname string
	Name     string
	Password string
}
