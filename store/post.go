package store

import "time"

// Post is a post as a list or its own page shows it.
type Post struct {
	ID        int64
	AuthorID  int64
	Author    string // nickname
	Title     string
	Body      string // Markdown, byte for byte as written; empty in lists
	Views     int64
	Likes     int64
	Comments  int64
	CreatedAt time.Time
	EditedAt  time.Time // zero when never edited
}

// NewPost is what a member submits; editing uses the same fields.
type NewPost struct {
	Title  string
	Body   string
	FormID string // one-time, from the form; ignored by EditPost
}

// Sort is the order of a list.
type Sort string

// The orders of the list page.
const (
	SortNew     Sort = "new"
	SortPopular Sort = "popular"
)

// ListQuery asks for one page of the list.
type ListQuery struct {
	Sort   Sort
	Before int64 // posts older than this id; 0: from the newest
	After  int64 // posts newer than this id
	Limit  int
}

// PostList is one page of the list, newest first.
type PostList struct {
	Posts []Post
	Older bool // there is a page before the last of Posts
	Newer bool // there is a page after the first of Posts
}
