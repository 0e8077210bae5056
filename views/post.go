package views

// likePath is what the like button posts to: the opposite of what is.
func (p PostPage) likePath() string {
	if p.Liked {
		return postPath(p.Post.ID) + "/unlike"
	}
	return postPath(p.Post.ID) + "/like"
}

func (p PostFormPage) heading() string {
	if p.ID == 0 {
		return p.Word("post.new_title")
	}
	return p.Word("post.edit_title")
}

func (p PostFormPage) action() string {
	if p.ID == 0 {
		return "/posts"
	}
	return postPath(p.ID)
}

// answered returns the author of the comment that a comment answers, "" when
// it answers none or that one is gone.
func (p PostPage) answered(parent int64) string {
	for _, c := range p.Comments {
		if parent != 0 && c.ID == parent {
			return p.author(c.Author)
		}
	}
	return ""
}

// parent is the comment that the form answers. When it is gone the text is
// sent again as a comment of its own.
func (p PostPage) parent() int64 {
	if _, gone := p.Problems["parent"]; gone {
		return 0
	}
	return p.Form.Parent
}

// commentAction is where the form under the post goes.
func (p PostPage) commentAction() string { return postPath(p.Post.ID) + "/comments" }

// scripts are for those who can write here.
func (p PostPage) scripts() []string {
	if p.Guest() {
		return nil
	}
	return []string{draftScript}
}
