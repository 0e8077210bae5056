package store

import "time"

// Comment is a comment under a post.
type Comment struct {
	ID        int64
	PostID    int64
	AuthorID  int64
	Author    string // nickname
	Parent    int64  // the comment answered, 0 for none
	Body      string // as written
	CreatedAt time.Time
	EditedAt  time.Time // zero when never edited
}

// NewComment is what a member submits under a post.
type NewComment struct {
	PostID int64
	Parent int64
	Body   string
	FormID string // one-time, from the form
}
