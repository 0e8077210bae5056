package views

import (
	"iter"
	"strconv"

	"madang/store"
)

// threads yields the comments of the page, each with whose comment it answers,
// "" for nobody's.
func (p PostPage) threads() iter.Seq2[store.Comment, string] {
	return func(yield func(store.Comment, string) bool) {
		var head store.Comment
		for _, c := range p.Comments {
			answered := ""
			switch c.Parent {
			case 0:
				head = c
			case head.ID:
				answered = p.author(head.Author)
			}
			if !yield(c, answered) {
				return
			}
		}
	}
}

// fresh reports whether a comment is new to this member.
func (p PostPage) fresh(c store.Comment) bool {
	return p.Seen != 0 && c.ID > p.Seen && c.AuthorID != p.User.ID
}

// commentsHref leads to the page of comments that begins with one.
func (p PostPage) commentsHref(id int64) string {
	return p.Href(postPath(p.Post.ID) + "?comments=" + strconv.FormatInt(id, 10) + "#comments-title")
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
