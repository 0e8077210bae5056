// Package views renders the pages and mails of the site: page struct in, HTML
// out. It may import store for its plain structs and static for the addresses
// of its files; it asks nobody for anything while it renders.
package views

import (
	"time"

	"madang/store"
)

// Site is what every page knows of the site.
type Site struct {
	Name string
	// BaseURL is the public address without a trailing slash, path prefix included.
	BaseURL string
	// Prefix is the path of BaseURL, "" at the root. Every link of a page begins with it.
	Prefix string
	// DevMail is true when the built-in mailbox is open.
	DevMail bool
	// Zone is the time zone of shown dates.
	Zone *time.Location
	// BackupAt is when the board backs itself up each day, such as 03:30; empty:
	// never.
	BackupAt string
}

// Page is what every screen shares.
type Page struct {
	Site Site
	Lang Lang
	// User is the member who is logged in; its ID is 0 for a guest.
	User store.User
	// Path is the path and query of this page without the site's prefix, for
	// the way back after login and language change.
	Path string
	// Notice is a key of the catalogue, shown once after a redirect; "" for none.
	Notice Notice
	// Now is the time of the request; relative times count from it.
	Now time.Time
	// Problems are the fields of the page's form that cannot be taken; nil when it is fine.
	Problems map[string]store.Problem
	about    about
}

// Notice is a message shown once: a catalogue key and what stands in it.
type Notice struct {
	Key  string // "" for none
	Args []string
}

// HomePage is the list of posts.
type HomePage struct {
	Page
	List   store.PostList
	Sort   store.Sort
	Unread map[int64]store.Unread // what is new to this member, by post
}

// PostPage is one post with its comments.
type PostPage struct {
	Page
	Post     store.Post
	Liked    bool // by this member
	Counted  bool // false when this view could not be written
	Comments []store.Comment
	Earlier  int64 // the comment with which the page before begins, 0 for none
	Later    int64 // the comment with which the page after begins, 0 for none
	// Mentions are the nicknames of members that are links in the texts.
	Mentions []string
	// Seen is the newest comment this member has seen, 0 for one to whom none is new.
	Seen    int64
	Form    CommentForm
	Writing Writing
}

// ProfilePage is what a member wrote.
type ProfilePage struct {
	Page
	Profile store.Profile
	// Part is what is shown: posts or comments.
	Part  ProfilePart
	Posts store.PostList
	Said  store.SaidList
}

// ProfilePart is a part of a profile.
type ProfilePart string

// The parts of a profile.
const (
	ProfilePosts    ProfilePart = "posts"
	ProfileComments ProfilePart = "comments"
)

// CommentForm is the form under a post.
type CommentForm struct {
	Body   string
	FormID string
	Parent int64
}

// CommentPage edits one comment.
type CommentPage struct {
	Page
	ID     int64
	PostID int64
	Body   string
	Writing
}

// PostFormPage writes a new post (ID 0) or edits one.
type PostFormPage struct {
	Page
	ID     int64
	Title  string
	Body   string
	FormID string
	Writing
}

// TrapField is the field of the sign-up form that only robots see.
const TrapField = "website"

// SignupPage is the form to join.
type SignupPage struct {
	Page
	Email, Name, Nickname string
	// FormID tells a form that is sent twice.
	FormID string
}

// LoginPage is the form to log in. A wrong login is the problem
// Problems["form"] = "login".
type LoginPage struct {
	Page
	Email string
	Next  string
	// Refused is true after a login that failed.
	Refused bool
	// Wait is how long no try is taken, rounded up to whole seconds; 0 for none.
	Wait time.Duration
}

// PendingPage waits for the proof of an address.
type PendingPage struct {
	Page
	// Signup is the pending sign-up of this browser; its ID is 0 without one,
	// and the page is the form that asks for another mail.
	Signup store.Signup
	// Email is what was typed into the form of that name that failed, else "".
	Email string
	// AskNickname is true after a clash at verification.
	AskNickname bool
	Nickname    string
	// Code is kept in the form only after a nickname clash.
	Code string
	// Form names the form that failed: "code", "resend" or "email"; "" for none.
	Form string
}

// VerifyState is what became of a link.
type VerifyState string

// The states of a link.
const (
	VerifyReady    VerifyState = "ready"    // one button
	VerifyDone     VerifyState = "done"     // already confirmed: log in
	VerifyExpired  VerifyState = "expired"  // get a new one
	VerifyReplaced VerifyState = "replaced" // a newer mail has the link that works
	VerifyForged   VerifyState = "forged"
	VerifyLocked   VerifyState = "locked" // ten wrong passwords
)

// VerifyPage is the page behind the link of a mail.
type VerifyPage struct {
	Page
	State VerifyState
	Token string
	Email string // of the sign-up, masked for another browser
	// AskPassword is true in a browser that did not sign up.
	AskPassword bool
	AskNickname bool
	Nickname    string
	// OtherUser is true when somebody else is logged in here.
	OtherUser bool
}

// ErrorPage says what went wrong and where to go on.
type ErrorPage struct {
	Page
	Status    int
	RequestID string
	// RetryAfter is how long to wait, rounded up to whole seconds; 0 for none.
	RetryAfter time.Duration
}

// AdminPage is the first page of the administrator.
type AdminPage struct {
	Page
	Alarms  []store.Alarm // what is out of order now
	Jobs    []store.JobCount
	Backups store.BackupRuns
}

// MailboxPage lists the mails of the built-in mailbox.
type MailboxPage struct {
	Page
	To    string
	Mails []store.MailboxMail
}

// MailPage shows one mail of the built-in mailbox.
type MailPage struct {
	Page
	Mail store.MailboxMail
}

// VerifyMail is the mail of a sign-up.
type VerifyMail struct {
	Site     Site
	Lang     Lang
	Nickname string
	Link     string
	Code     string
	Until    time.Time
}

// AccountMail tells an address that it already has an account. It names
// nothing but the login page.
type AccountMail struct {
	Site Site
	Lang Lang
}

// TrialMail shows an operator that mail goes out.
type TrialMail struct {
	Site Site
	Lang Lang
}
