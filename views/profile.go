package views

import (
	"net/url"
	"strconv"
	"strings"
)

// since says since when somebody has been a member.
func (p ProfilePage) since() string {
	return p.Word("profile.since", p.Site.in(p.Profile.CreatedAt).Format(p.Word("time.date")))
}

// partPath is a page of a part of the profile; key is "before" or "after", ""
// for the first page.
func (p ProfilePage) partPath(part ProfilePart, key string, id int64) string {
	query := url.Values{}
	if part == ProfileComments {
		query.Set("show", string(part))
	}
	if key != "" {
		query.Set(key, strconv.FormatInt(id, 10))
	}
	path := profilePath(p.Profile.Nickname)
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

func (p ProfilePage) older() string {
	switch posts, said := p.Posts.Posts, p.Said.Said; {
	case p.Posts.Older:
		return p.partPath(ProfilePosts, "before", posts[len(posts)-1].ID)
	case p.Said.Older:
		return p.partPath(ProfileComments, "before", said[len(said)-1].ID)
	}
	return ""
}

func (p ProfilePage) newer() string {
	switch {
	case p.Posts.Newer:
		return p.partPath(ProfilePosts, "after", p.Posts.Posts[0].ID)
	case p.Said.Newer:
		return p.partPath(ProfileComments, "after", p.Said.Said[0].ID)
	}
	return ""
}

func (p ProfilePage) emptyKey() string {
	if p.Part == ProfileComments {
		return "profile.no_comments"
	}
	return "profile.no_posts"
}

// excerptMax is how much of a comment a list shows, in characters.
const excerptMax = 200

// excerpt is the beginning of a text as it was typed, on one line.
func excerpt(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	n := 0
	for at := range text {
		if n == excerptMax {
			return text[:at] + "…"
		}
		n++
	}
	return text
}
