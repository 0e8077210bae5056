package views

import (
	"cmp"
	"slices"
	"strconv"

	"madang/store"
)

// threads lists the comments by thread: each that answers none, and below it
// those that answer it. One whose parent is gone begins a thread of its own.
func (p PostPage) threads() []store.Comment {
	first := make(map[int64]int64, len(p.Comments)) // of the thread that holds a comment
	for _, c := range p.Comments {
		first[c.ID] = c.ID
		if thread, ok := first[c.Parent]; ok {
			first[c.ID] = thread
		}
	}
	list := slices.Clone(p.Comments)
	slices.SortStableFunc(list, func(a, b store.Comment) int { return cmp.Compare(first[a.ID], first[b.ID]) })
	return list
}

// replyPath leads to the form under a post, ready to answer a comment; 0 for
// none.
func replyPath(postID, id int64) string {
	return postPath(postID) + "?reply=" + strconv.FormatInt(id, 10) + "#comment-form"
}

// replyHref is replyPath for members; a guest logs in on the way.
func (p PostPage) replyHref(id int64) string {
	path := replyPath(p.Post.ID, id)
	if p.Guest() {
		return p.loginHref(path)
	}
	return p.Href(path)
}
